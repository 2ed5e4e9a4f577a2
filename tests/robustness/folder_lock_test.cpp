// One run at a time in a folder, and no kill after which neither `run` nor `run --resume` goes on.
#include "robustness/same_runs.hpp"
#include "robustness/small_scenes.hpp"

#include <random>
#include <sys/mount.h>

namespace talus::robustness {
namespace {

const Arguments to_whole{"run", "scene.toml", "--out", "whole", "--threads", "1", "--until", "0.05"};
const Arguments to_run{"run", "scene.toml", "--out", "run", "--threads", "1", "--until", "0.05"};

TEST(LockedFolder, ASecondRunIsRefusedByNameAndTheFirstIsNotTouched)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, to_whole).status, 0);
    Running first(here, command_line(to_run));
    ASSERT_TRUE(first.wait_for([&] { return lines_in(here / "run/series.csv") > 5; }));
    kill(first.id(), SIGSTOP); // it lives and changes nothing
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto before = all_files(here.path());
    for (const Arguments& form : {Arguments{}, Arguments{"--force"}, Arguments{"--resume"}}) {
        const Outcome second = talus_command(here, to_run + form);
        EXPECT_EQ(second.status, 2) << second;
        EXPECT_TRUE(has(second.err, "run is being written by process " + std::to_string(first.id()) + " on ") &&
                    has(second.err, ", since 20"))
            << second;
        EXPECT_EQ(all_files(here.path()), before) << "not a byte may change";
    }
    // readers take no lock
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
    EXPECT_EQ(talus_command(here, {"measure", "run"}).status, 0);
    kill(first.id(), SIGCONT);
    EXPECT_EQ(first.outcome().status, 0);
    expect_same_runs<2>(here / "whole", here / "run");
    EXPECT_FALSE(fs::exists(here / "run/.talus.lock"));
}

// Whatever the order in which two come: one at a time writes, and what is there in the end is a whole run.
TEST(LockedFolder, TwoThatStartAtOnceLeaveOneWholeRun)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, to_whole).status, 0);
    ASSERT_EQ(talus_command(here, to_run + Arguments{"--steps", "20"}).status, 0);
    fs::rename(here / "run", here / "half");
    const Arguments forms[] = {{}, {"--force"}, {"--resume"}};
    for (const bool half_done : {false, true}) {
        for (int pair = 0; pair < 9; ++pair) {
            fs::remove_all(here / "run");
            if (half_done) fs::copy(here / "half", here / "run", fs::copy_options::recursive);
            Running a(here, command_line(to_run + forms[pair / 3])), b(here, command_line(to_run + forms[pair % 3]));
            const Outcome ends[] = {a.outcome(), b.outcome()};
            for (const Outcome& end : ends) {
                EXPECT_TRUE(end.status == 0 ||
                            (end.status == 2 && (has(end.err, "is being written by ") || has(end.err, "--force"))))
                    << pair << end;
            }
            // a plain run into a folder with a run is refused, and may just then hold the lock against the other
            const bool one_is_refused = half_done && (pair / 3 == 0 || pair % 3 == 0);
            if (one_is_refused && ends[0].status != 0 && ends[1].status != 0) continue;
            EXPECT_TRUE(ends[0].status == 0 || ends[1].status == 0) << pair << ends[0] << ends[1];
            expect_same_runs<2>(here / "whole", here / "run");
        }
    }
}

TEST(LockedFolder, ALockThatADeadProcessLeftHoldsNobodyUp)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    fs::create_directory(here / "run");
    here.write("run/.talus.lock", "process 1 on elsewhere, since 2001-01-01T00:00:00Z\n");
    const Outcome outcome = talus_command(here, {"run", "scene.toml", "--out", "run"});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_FALSE(fs::exists(here / "run/.talus.lock"));
    // also where the name is taken by what can never be a lock
    fs::create_directory(here / "run/.talus.lock");
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--resume"}).status, 1);
}

TEST(LockedFolder, AFolderThatCannotBeWrittenIsRefusedAndCanBeRead)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "disk/run"}).status, 0);
    fs::rename(here / "disk/run", here / "run");
    if (mount("tmpfs", (here / "disk").c_str(), "tmpfs", 0, nullptr) != 0) GTEST_SKIP() << "only root can mount a disk";
    fs::copy(here / "run", here / "disk/run", fs::copy_options::recursive);
    mount("tmpfs", (here / "disk").c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr);
    for (const Arguments& form : {Arguments{}, Arguments{"--force"}, Arguments{"--resume"}}) {
        const Outcome outcome = talus_command(here, Arguments{"run", "scene.toml", "--out", "disk/run"} + form);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, "disk/run: cannot be written: Read-only file system")) << outcome;
    }
    EXPECT_EQ(talus_command(here, {"check", "disk/run"}).status, 0);
    EXPECT_EQ(talus_command(here, {"measure", "disk/run"}).status, 0);
    umount2((here / "disk").c_str(), MNT_DETACH);
}

// Every state that a kill can leave before the first checkpoint, made from a run by taking away what comes later.
TEST(KilledBeforeItsFirstStep, ARunGoesOnInBothForms)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole"}).status, 0);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "begun", "--steps", "0"}).status, 0);
    fs::remove(here / "begun/summary.json");
    const std::vector<std::string> in_order{".talus.lock", "frames",           "checkpoint",
                                            "scene.toml",  "series.csv",       "run.h5",
                                            "log.txt",     "frames/000000.h5", "checkpoint/.next.h5.tmp"};
    here.write("begun/.talus.lock", "process 1 on elsewhere, since 2001-01-01T00:00:00Z\n");
    here.write("begun/checkpoint/.next.h5.tmp", "half");
    for (std::size_t made = 0; made <= in_order.size(); ++made) {
        for (const Arguments& form : {Arguments{}, Arguments{"--resume"}}) {
            fs::remove_all(here / "run");
            if (made > 0) fs::create_directory(here / "run");
            for (std::size_t k = 0; k < made; ++k) {
                fs::is_directory(here / "begun" / in_order[k])
                    ? (void)fs::create_directory(here / "run" / in_order[k])
                    : fs::copy(here / "begun" / in_order[k], here / "run" / in_order[k]);
            }
            const Outcome again = talus_command(here, Arguments{"run", "scene.toml", "--out", "run"} + form);
            EXPECT_EQ(again.status, 0) << made << again;
            EXPECT_EQ(state_hash(here / "run"), state_hash(here / "whole")) << made << again;
            const bool is_told = made > 1 || !form.empty(); // an empty folder is what any run begins in
            EXPECT_EQ(has(again.err, "no step was made here: the run begins"), is_told) << again;
        }
    }
}

// the keys that were set belong to the run: its own scene has them, the file of the command line has not
TEST(KilledBeforeItsFirstStep, ResumeBeginsWithTheRunsOwnScene)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const Arguments run{"run", "scene.toml", "--out", "run"};
    ASSERT_EQ(talus_command(here, run + Arguments{"--set", "contact.restitution=0.9", "--until", "0.1"}).status, 0);
    const std::string hash = state_hash(here / "run");
    for (const char* later : {"summary.json", "checkpoint/last.h5", "checkpoint/previous.h5"})
        fs::remove(here / "run" / later);
    const Outcome lost = talus_command(here, run + Arguments{"--resume"});
    EXPECT_EQ(lost.status, 2) << "it has frames that nothing can make again: " << lost;
    EXPECT_EQ(talus_command(here, run).status, 2);
    for (const auto& entry : fs::directory_iterator(here / "run/frames")) fs::remove(entry.path());
    const Outcome again = talus_command(here, run + Arguments{"--resume"});
    EXPECT_EQ(again.status, 0) << again;
    EXPECT_EQ(state_hash(here / "run"), hash);
}

TEST(KilledBeforeItsFirstStep, AFolderWithTheUsersOwnSceneIsNotTakenForOne)
{
    const Workplace here;
    fs::create_directory(here / "mine");
    here.write("mine/scene.toml", one_disk);
    const auto before = all_files(here.path());
    for (const Arguments& form : {Arguments{}, Arguments{"--resume"}}) {
        const Outcome outcome = talus_command(here, Arguments{"run", "mine/scene.toml", "--out", "mine"} + form);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_EQ(all_files(here.path()), before);
    }
}

TEST(Killed, AtTwentyMomentsARunGoesOnToTheSameBits)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(talus_command(here, to_whole).status, 0);
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    std::mt19937 random(5);
    for (int k = 0; k < 20; ++k) {
        fs::remove_all(here / "run");
        Running running(here, command_line(to_run));
        std::this_thread::sleep_for(all * std::uniform_real_distribution(0.0, 1.0)(random));
        running.end(SIGKILL);
        if (k % 2 == 0) { // somebody who forgets --resume loses nothing
            const Outcome plain = talus_command(here, to_run);
            EXPECT_TRUE(plain.status == 0 || (plain.status == 2 && has(plain.err, "--resume goes on"))) << plain;
        }
        const Outcome resumed = talus_command(here, to_run + Arguments{"--resume"});
        EXPECT_EQ(resumed.status, 0) << k << resumed;
        expect_same_runs<2>(here / "whole", here / "run");
    }
}

} // namespace
} // namespace talus::robustness
