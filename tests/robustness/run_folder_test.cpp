// A run's folder is not overwritten by mistake; --force replaces the run and nothing else.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

#include <sstream>

namespace talus::robustness {
namespace {

TEST(ExistingFolder, IsNotOverwrittenWithoutForce)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml"}).status, 0);
    ASSERT_TRUE(fs::exists(here / "out/scene/summary.json")) << "the default is out/NAME";
    const auto before = all_files(here.path());
    const Outcome again = talus_command(here, {"run", "scene.toml", "--set", "contact.friction=0"});
    EXPECT_EQ(again.status, 2) << again;
    EXPECT_TRUE(has(again.err, "out/scene") && has(again.err, "--force")) << again;
    EXPECT_EQ(all_files(here.path()), before) << "not a byte may change";
}

TEST(ExistingFolder, OfSomebodyElseIsNotOverwritten)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    fs::create_directory(here / "mine");
    here.write("mine/thesis.tex", "years of work");
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--out", "mine"}).status, 2);
    EXPECT_EQ(all_files(here / "mine"), (std::map<std::string, std::string>{{"thesis.tex", "years of work"}}));
}

TEST(ExistingFolder, ThatIsEmptyIsUsed)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    fs::create_directory(here / "empty");
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--out", "empty"}).status, 0);
}

TEST(ExistingFolder, ForceReplacesTheRunAndKeepsForeignFiles)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--vtk"}).status, 0);
    const std::string hash = state_hash(here / "run");
    here.write("run/notes.txt", "keep me");
    fs::create_directory(here / "run/pictures");
    here.write("run/pictures/a.png", "me too");
    const Outcome again = talus_command(
        here, {"run", "scene.toml", "--out", "run", "--force", "--set", "contact.restitution=0.9", "--until", "0.1"});
    EXPECT_EQ(again.status, 0) << again;
    EXPECT_EQ(contents(here / "run/notes.txt"), "keep me");
    EXPECT_EQ(contents(here / "run/pictures/a.png"), "me too");
    EXPECT_NE(state_hash(here / "run"), hash);
    EXPECT_NE(state_hash(here / "run"), "");
    EXPECT_FALSE(fs::exists(here / "run/vtk")) << "of the run that was replaced";
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
}

TEST(ExistingFolder, ForceDeletesNothingWhenTheSceneIsBad)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run"}).status, 0);
    const auto before = all_files(here / "run");
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--force", "--set", "scene.dt=0"}).status, 2);
    // a mistake that shows only when the bodies are placed
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--force", "--set", "bodies[0].position=[0,0]"})
                  .status,
              2);
    EXPECT_EQ(all_files(here / "run"), before);
}

TEST(ExistingFolder, AFileInItsPlaceIsACleanError)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    here.write("file", "not a folder");
    const Arguments forms[] = {{"run", "scene.toml", "--out", "file"},
                               {"run", "scene.toml", "--out", "file", "--force"},
                               {"run", "scene.toml", "--out", "file/below"}};
    for (const Arguments& arguments : forms) {
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, "file is a file, not a folder")) << outcome;
        EXPECT_EQ(contents(here / "file"), "not a folder");
    }
}

// bytes of all files of a folder
double bytes_in(const fs::path& folder)
{
    double sum = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) sum += double(entry.file_size());
    }
    return sum;
}

// "disk      about 4.21 MB"
double estimated_disk(const std::string& check)
{
    const auto at = check.find("disk      about ");
    if (at == std::string::npos) return 0;
    std::istringstream text(check.substr(at + 16, 20));
    double number = 0;
    std::string unit;
    text >> number >> unit;
    return number * std::map<std::string, double>{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}[unit];
}

TEST(CheckOfAScene, TellsTheDiskARunTakesWithinAFactorOfTwo)
{
    const Workplace here;
    const struct {
        const char* scene;
        const char* duration;
    } cases[] = {{"masonry/arch.toml", "0.2"},
                 {"moreau/bouncing-ball.toml", "1"},
                 {"moreau/box-of-disks.toml", "0.02"},
                 {"moreau/sandpile.toml", "0.3"}};
    for (const auto& [scene, duration] : cases) {
        const Arguments of{fs::path(TALUS_SCENES) / scene, "--set", std::string("scene.duration=") + duration};
        Arguments check{"check"}, run{"run", "--out", "run", "--force", "--quiet"};
        check.insert(check.end(), of.begin(), of.end());
        run.insert(run.end(), of.begin(), of.end());
        const double estimate = estimated_disk(talus_command(here, check).out);
        const Outcome outcome = talus_command(here, run);
        ASSERT_TRUE(outcome.status == 0 || outcome.status == 3) << scene << outcome;
        const double taken = bytes_in(here / "run");
        EXPECT_LT(estimate, 2 * taken) << scene;
        EXPECT_GT(estimate, taken / 2) << scene;
    }
}

TEST(CheckOfAFolder, FindsASoundRunSound)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "30"}).status, 0);
    const Outcome check = talus_command(here, {"check", "run"});
    EXPECT_EQ(check.status, 0) << check;
    EXPECT_TRUE(has(check.out, "2D run, 4 frames to t = 0.03 s, outcome: done")) << check;
    EXPECT_EQ(check.err, "");
}

TEST(CheckOfAFolder, NamesTheDamagedFile)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "30"}).status, 0);
    const auto good = all_files(here / "run");
    const auto expect_named = [&](const std::string& file) {
        const Outcome check = talus_command(here, {"check", "run"});
        EXPECT_EQ(check.status, 2) << file << "\n" << check;
        EXPECT_TRUE(has(check.err, file)) << file << "\n" << check;
        here.write("run/" + file, good.at(file));
        EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
    };
    for (const auto& [file, bytes] : good) {
        if (!file.ends_with(".h5")) continue;
        std::string damaged = bytes;
        damaged[damaged.size() / 2] ^= 1; // one bit
        here.write("run/" + file, damaged);
        expect_named(file);
        here.write("run/" + file, bytes.substr(0, bytes.size() - 1)); // torn
        expect_named(file);
        here.write("run/" + file, ""); // emptied
        expect_named(file);
    }
    here.write("run/series.csv", good.at("series.csv") + "1,2");
    expect_named("series.csv");
    here.write("run/summary.json", "{}");
    expect_named("summary.json");
    for (const char* file : {"run.h5", "scene.toml", "series.csv"}) {
        fs::remove(here / "run" / file);
        expect_named(file);
    }
    here.write("run/scene.toml", "[scene\n");
    expect_named("scene.toml");
}

TEST(CheckOfAFolder, RefusesWhatIsNoRun)
{
    const Workplace here;
    fs::create_directory(here / "empty");
    const Outcome check = talus_command(here, {"check", "empty"});
    EXPECT_EQ(check.status, 2);
    EXPECT_TRUE(has(check.err, "empty: is not the folder of a run")) << check;
}

} // namespace
} // namespace talus::robustness
