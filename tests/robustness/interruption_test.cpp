// Ctrl-C, SIGTERM and kill -9: a run that was interrupted is resumed to the same bits as one that never was.
#include "robustness/same_runs.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {
namespace {

const Arguments run_it{"run", "scene.toml", "--out", "run", "--threads", "1"};

template <int D>
void expect_interrupted_run_resumes(const std::string& scene, int signal)
{
    const Workplace here;
    here.write("scene.toml", scene);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1"}).status, 0);

    Running running(here, command_line(run_it));
    ASSERT_TRUE(running.wait_for([&] { return lines_in(here / "run/series.csv") > 40; })) << "it was over too soon";
    const Outcome ended = running.end(signal);
    EXPECT_EQ(ended.status, 128 + signal) << ended;
    EXPECT_TRUE(has(ended.err, "interrupted: ") && has(ended.err, "--resume")) << ended;
    EXPECT_EQ(summary_entry(here / "run", "outcome"), "interrupted");
    EXPECT_EQ(summary_entry(here / "run", "exit_status"), std::to_string(128 + signal));
    EXPECT_TRUE(fs::exists(here / "run/checkpoint/last.h5"));
    const int steps = std::stoi(summary_entry(here / "run", "steps"));
    EXPECT_GT(steps, 50);
    EXPECT_LT(steps, std::stoi(summary_entry(here / "whole", "steps")));
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0) << "what is there is sound";

    const Outcome resumed = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    expect_same_runs<D>(here / "whole", here / "run");
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
}

TEST(Interruption, CtrlCInThreeDimensionsWithAFeeder) { expect_interrupted_run_resumes<3>(poured_spheres, SIGINT); }
TEST(Interruption, CtrlCInTwoDimensions) { expect_interrupted_run_resumes<2>(shaken_disks, SIGINT); }
TEST(Interruption, TerminationInThreeDimensionsWithAFeeder)
{
    expect_interrupted_run_resumes<3>(poured_spheres, SIGTERM);
}
TEST(Interruption, TerminationInTwoDimensions) { expect_interrupted_run_resumes<2>(shaken_disks, SIGTERM); }

// other methods carry other things from step to step
TEST(Interruption, ResumesWithVerletListsAndTheAssembledMatrix)
{
    expect_interrupted_run_resumes<2>(
        shaken_disks + "name = \"nlgs\"\nstorage = \"sdl\"\n[detection]\nmethod = \"verlet\"\n", SIGINT);
}

TEST(Interruption, KeepsHowManyPointsTwoFacesMayHave)
{
    const Workplace here;
    here.write("scene.toml",
               piece::start({.dimension = 3,
                             .dt = "\"1 ms\"",
                             .duration = "\"40 ms\"",
                             .materials = "stone = { density = 2500 }",
                             .contact = ""}) +
                   piece::floor(3) +
                   piece::body("box", "size = [0.1, 0.2, 0.3]\nposition = [0, 0, 0.15]\nspin = [0, 0, 3]") +
                   piece::gravity + "[detection]\nmost_points = 3\n");
    const Arguments run{"run", "scene.toml", "--out"};
    ASSERT_EQ(talus_command(here, run + Arguments{"whole"}).status, 0);
    ASSERT_EQ(talus_command(here, run + Arguments{"parts", "--steps", "20"}).status, 0);
    ASSERT_EQ(talus_command(here, run + Arguments{"parts", "--resume"}).status, 0);
    EXPECT_EQ(summary_entry(here / "parts", "state_hash"), summary_entry(here / "whole", "state_hash"));
}

template <int D>
void expect_killed_run_resumes(const std::string& scene)
{
    const Workplace here;
    here.write("scene.toml", scene);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1"}).status, 0);
    int killed = 0;
    for (int round = 0; round < 6; ++round) {
        const bool first = round == 0;
        Running running(here, command_line(first ? run_it : run_it + Arguments{"--resume"}));
        running.wait_for([&] { return fs::exists(here / "run/checkpoint/last.h5"); });
        std::this_thread::sleep_for(std::chrono::milliseconds(3 + 29 * round % 40));
        const Outcome ended = running.end(SIGKILL);
        killed += ended.status == -SIGKILL;
        ASSERT_TRUE(ended.status == -SIGKILL || ended.status == 0) << ended;
        const Outcome check = talus_command(here, {"check", "run"});
        // a line of text may be torn; no other file may be
        EXPECT_TRUE(check.status == 0 || has(check.err, "series.csv") || has(check.err, "torn")) << check;
        EXPECT_FALSE(has(check.err, ".h5")) << check;
    }
    EXPECT_GE(killed, 5) << "the run was over too soon for this test";
    const Outcome resumed = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    expect_same_runs<D>(here / "whole", here / "run");
    for (const auto& [file, bytes] : all_files(here / "run")) EXPECT_FALSE(file.ends_with(".tmp")) << file;
}

// People who leave, who come, who choose exits by their queues, doors that open and close, percussions: all that a
// checkpoint must carry of a crowd. At 3.6 s gauges are due anyway: the lines of both series are the same.
TEST(Interruption, ResumesACrowdThatLeaves)
{
    const Workplace here;
    here.write("scene.toml", leaving_crowd);
    for (const char* method : {"nsm2", "nsm1", "crowd-dem"}) {
        const std::string word = std::string("scene.method=\"") + method + "\"";
        const Arguments run{"run", "scene.toml", "--set", word, "--threads", "1", "--out"};
        ASSERT_EQ(talus_command(here, run + Arguments{"whole"}).status, 0);
        ASSERT_EQ(talus_command(here, run + Arguments{"parts", "--until", "3.6 s"}).status, 0);
        const Arguments go_on{"run", "scene.toml", "--threads", "2", "--out", "parts", "--resume", "--until", "6 s"};
        ASSERT_EQ(talus_command(here, go_on).status, 0);
        EXPECT_EQ(summary_entry(here / "parts", "state_hash"), summary_entry(here / "whole", "state_hash")) << method;
        for (const char* file : {"series.csv", "persons.csv"}) { // what is measured at every step
            EXPECT_EQ(contents(here / "parts" / file), contents(here / "whole" / file)) << method << " " << file;
        }
        const auto crowd_in = [&](const char* folder) {
            const std::string summary = contents(here / folder / "summary.json");
            const auto begin = summary.find("\"crowd\""), end = summary.find("\"warnings\"");
            return begin < end ? summary.substr(begin, end - begin) : "";
        };
        EXPECT_TRUE(has(crowd_in("whole"), "time_of_95_percent_s"));
        EXPECT_EQ(crowd_in("parts"), crowd_in("whole")) << method;
        fs::remove_all(here / "whole");
        fs::remove_all(here / "parts");
    }
}

TEST(Interruption, KilledAtAnyMomentInThreeDimensions) { expect_killed_run_resumes<3>(poured_spheres); }
TEST(Interruption, KilledAtAnyMomentInTwoDimensions) { expect_killed_run_resumes<2>(shaken_disks); }

TEST(Interruption, WithVtkTheCollectionIsTheSame)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    const Arguments vtk{"--vtk", "--steps", "200"};
    ASSERT_EQ(talus_command(here, Arguments{"run", "scene.toml", "--out", "whole", "--threads", "1"} + vtk).status, 0);
    Running running(here, command_line(run_it + vtk));
    ASSERT_TRUE(running.wait_for([&] { return lines_in(here / "run/series.csv") > 30; }));
    ASSERT_EQ(running.end(SIGINT).status, 130);
    ASSERT_EQ(talus_command(here, run_it + vtk + Arguments{"--resume"}).status, 0);
    EXPECT_EQ(contents(here / "whole/run.pvd"), contents(here / "run/run.pvd"));
    EXPECT_EQ(all_files(here / "whole/vtk"), all_files(here / "run/vtk"));
}

TEST(Resume, OfAFinishedRunChangesNoNumber)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--until", "0.1"}).status, 0);
    fs::copy(here / "run", here / "before", fs::copy_options::recursive);
    const Outcome again = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_EQ(again.status, 0) << again;
    expect_same_runs<2>(here / "before", here / "run");
    const Outcome less = talus_command(here, run_it + Arguments{"--resume", "--steps", "5"});
    EXPECT_EQ(less.status, 0) << less;
    expect_same_runs<2>(here / "before", here / "run");
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
}

// The scene that a run keeps may hold what is refused in a new one: a key that its solver does not listen to.
TEST(Resume, TakesAnIdleKeyThatTheRunWasMadeWith)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--until", "0.05"}).status, 0);
    std::string kept = contents(here / "run/scene.toml");
    const auto at = kept.find("check_every = 10");
    ASSERT_NE(at, std::string::npos);
    here.write("run/scene.toml", kept.replace(at, 16, "check_every = 7"));
    here.write("refused.toml", kept);
    EXPECT_EQ(talus_command(here, {"check", "refused.toml"}).status, 2);
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
    EXPECT_EQ(talus_command(here, {"measure", "run"}).status, 0);
    const Outcome longer = talus_command(here, run_it + Arguments{"--resume", "--until", "0.06"});
    EXPECT_EQ(longer.status, 0) << longer;
}

TEST(Resume, WithALaterEndGoesOn)
{
    const Workplace here;
    here.write("scene.toml", poured_spheres);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1", "--until", "0.2"}).status,
              0);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--until", "0.1"}).status, 0);
    const Outcome longer = talus_command(here, run_it + Arguments{"--resume", "--until", "0.2"});
    EXPECT_EQ(longer.status, 0) << longer;
    expect_same_runs<3>(here / "whole", here / "run");
}

// the end is part of the scene as run: killed on the way, it must not be forgotten
TEST(Resume, RemembersTheLaterEnd)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--until", "0.05"}).status, 0);
    Running running(here, command_line(run_it + Arguments{"--resume", "--until", "0.4"}));
    ASSERT_TRUE(running.wait_for([&] { return lines_in(here / "run/series.csv") > 60; }));
    ASSERT_EQ(running.end(SIGINT).status, 130);
    EXPECT_EQ(talus_command(here, run_it + Arguments{"--resume"}).status, 0);
    EXPECT_EQ(summary_entry(here / "run", "simulated_time_s"), "0.4");
}

TEST(Resume, TakesThePreviousCheckpointWhereTheLastIsDamaged)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1", "--until", "0.1"}).status,
              0);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--until", "0.1", "--steps", "60"}).status, 0);
    here.write("run/checkpoint/last.h5", "torn");
    const Outcome resumed = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    EXPECT_TRUE(has(resumed.err, "last.h5") && has(resumed.err, "previous.h5")) << resumed;
    expect_same_runs<2>(here / "whole", here / "run");
}

// scene.toml is the scene as run: half a run under another law would make it a lie
TEST(Resume, WithChangedKeysIsRefused)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, run_it + Arguments{"--steps", "5"}).status, 0);
    const auto before = all_files(here / "run");
    const Outcome resumed = talus_command(here, run_it + Arguments{"--resume", "--set", "contact.friction=0"});
    EXPECT_EQ(resumed.status, 2) << resumed;
    EXPECT_TRUE(has(resumed.err, "[start]")) << resumed;
    EXPECT_EQ(all_files(here / "run"), before);
}

TEST(Resume, OfARunWithoutASoundCheckpointIsRefused)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, run_it).status, 0);
    here.write("run/checkpoint/last.h5", "torn");
    here.write("run/checkpoint/previous.h5", "torn");
    const auto before = all_files(here / "run");
    const Outcome resumed = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_EQ(resumed.status, 2) << resumed;
    EXPECT_TRUE(has(resumed.err, "checkpoint/last.h5")) << resumed;
    EXPECT_EQ(all_files(here / "run"), before) << "nothing may be written";
}

TEST(Resume, GoesOnAfterAStartFromAnotherRun)
{
    const Workplace here;
    here.write("base.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, {"run", "base.toml", "--out", "base", "--steps", "50"}).status, 0);
    here.write("scene.toml", "[scene]\ndimension = 2\ndt = \"1 ms\"\nduration = \"0.06 s\"\n[start]\nrun = \"base\"\n"
                             "[materials.steel]\ndensity = 7000\n[[drivers]]\ntype = \"gravity\"\n");
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "deep/er/whole"}).status, 0);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "24"}).status, 0);
    const Outcome resumed = talus_command(here, {"run", "scene.toml", "--out", "run", "--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    EXPECT_EQ(state_hash(here / "deep/er/whole"), state_hash(here / "run"));
}

} // namespace
} // namespace talus::robustness
