// The scenes that come with Talus, `talus new`, the price of a scene, and the example of docs/run-file.md.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {
namespace {

std::vector<fs::path> scenes()
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(TALUS_SCENES)) {
        if (entry.path().extension() == ".toml") found.push_back(entry.path());
    }
    return found;
}

TEST(SceneLibrary, EverySceneIsSoundAndRuns)
{
    ASSERT_FALSE(scenes().empty());
    for (const fs::path& scene : scenes()) {
        const Workplace here;
        const Outcome check = talus_command(here, {"check", scene.string()});
        EXPECT_EQ(check.status, 0) << scene << check;
        // the sample of a track takes minutes: track_command_test.cpp runs a small one
        if (has(contents(scene), "\n[track]")) continue;
        const Outcome run = talus_command(here, {"run", scene.string(), "--out", "run", "--steps", "3"});
        EXPECT_TRUE(run.status == 0 || run.status == 3) << scene << run;
        EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0) << scene;
    }
}

TEST(SceneLibrary, NewListsAndWritesScenesThatPassTheCheck)
{
    const Workplace here;
    const Outcome list = talus_command(here, {"new", "--list"});
    EXPECT_EQ(list.status, 0);
    EXPECT_TRUE(fs::is_empty(here.path()));
    for (const fs::path& scene : scenes()) {
        const std::string name = scene.stem().string();
        EXPECT_TRUE(has(list.out, name)) << list;
        const Outcome made = talus_command(here, {"new", name});
        EXPECT_EQ(made.status, 0) << made;
        EXPECT_EQ(contents(here / (name + ".toml")), contents(scene));
        const Outcome check = talus_command(here, {"check", name + ".toml"});
        EXPECT_EQ(check.status, 0) << check;
    }
    EXPECT_EQ(std::size_t(std::count(list.out.begin(), list.out.end(), '\n')), scenes().size());
}

TEST(SceneLibrary, NewWithoutANameWritesAStarterScene)
{
    const Workplace here;
    const Outcome made = talus_command(here, {"new"});
    EXPECT_EQ(made.status, 0) << made;
    EXPECT_EQ(all_files(here.path()).size(), 1u);
    EXPECT_TRUE(has(made.out, "talus run ")) << made;
}

TEST(SceneLibrary, NewDoesNotOverwrite)
{
    const Workplace here;
    here.write("bowl.toml", "mine");
    const Outcome again = talus_command(here, {"new", "bowl"});
    EXPECT_EQ(again.status, 2);
    EXPECT_TRUE(has(again.err, "bowl.toml")) << again;
    EXPECT_EQ(contents(here / "bowl.toml"), "mine");
    EXPECT_EQ(talus_command(here, {"new", "bowl", "--force"}).status, 0);
    EXPECT_NE(contents(here / "bowl.toml"), "mine");
}

TEST(CheckOfAScene, SaysWhatItCosts)
{
    const Workplace here;
    here.write("scene.toml", poured_spheres);
    const Outcome check = talus_command(here, {"check", "scene.toml", "--threads", "2"});
    EXPECT_EQ(check.status, 0);
    for (const char* line :
         {"3D scene, no mistakes found\n", "bodies    5, 165 with those fed\n", "contacts  about ",
          "steps     400 of 0.001 s\n", "memory    about ", "disk      about ", "time      about ", "on 2 threads\n"}) {
        EXPECT_TRUE(has(check.out, line)) << line << check;
    }
    EXPECT_EQ(all_files(here.path()).size(), 1u) << "a check writes nothing";
    const Outcome shorter = talus_command(here, {"check", "scene.toml", "--set", "scene.duration=0.1"});
    EXPECT_TRUE(has(shorter.out, "steps     100 of")) << shorter;
}

TEST(CheckOfAScene, AdvisesOnTheTimeStep)
{
    const Workplace here;
    here.write("fast.toml", with(one_disk, "radius = \"1 cm\"", "radius = \"1 cm\"\nvelocity = [9, 0]"));
    EXPECT_TRUE(has(talus_command(here, {"check", "fast.toml"}).out, "a tenth of the smallest diameter"));
    here.write("shaken.toml", one_disk + "[[drivers]]\ntype = \"vibration\"\nbody = \"ground\"\namplitude = [0, 1e-4]\n"
                                         "frequency = 100\n");
    EXPECT_TRUE(has(talus_command(here, {"check", "shaken.toml"}).out, "10.0 steps per period of 100 Hz"));
}

// a tenth of the diameter of 2 cm in a step of 0.5 ms: 4 m/s
TEST(Run, AdvisesNoTimeStepThatItHasAlready)
{
    const Workplace here;
    const auto said = [&](const std::string& speed) {
        here.write("scene.toml",
                   with(one_disk, "radius = \"1 cm\"", "radius = \"1 cm\"\nvelocity = [" + speed + ", 0]"));
        return talus_command(here, {"run", "scene.toml", "--force", "--set", "scene.dt=0.5 ms"}).err;
    };
    EXPECT_FALSE(has(said("3.999"), "dt ≤")) << "it falls, and is at 4.004 m/s in the end";
    EXPECT_TRUE(has(said("3.999"), "done: ")) << said("3.999");
    EXPECT_TRUE(has(said("4.4"), "dt ≤ 0.00045 s")) << said("4.4");
}

TEST(CheckOfAScene, DrawsTheExerciseOfCells)
{
    const Workplace here;
    const Outcome cells = talus_command(here, {"check", TALUS_SCENES "/cells/nine-cells.toml", "--cells"});
    EXPECT_EQ(cells.status, 0);
    EXPECT_FALSE(cells.out.empty());
    here.write("scene.toml", one_sphere);
    EXPECT_EQ(talus_command(here, {"check", "scene.toml", "--cells"}).status, 2);
}

TEST(RunFilePage, ItsPythonExampleReadsARun)
{
    const Workplace here;
    if (Running(here, {"/usr/bin/python3", "-c", "import h5py"}).outcome().status != 0) {
        GTEST_SKIP() << "/usr/bin/python3 cannot import h5py: apt install python3-h5py";
    }
    const std::string page = contents(fs::path(TALUS_SCENES) / "../docs/run-file.md");
    const std::size_t begin = page.find("```python\n"), end = page.find("```", begin + 10);
    ASSERT_NE(end, std::string::npos) << "docs/run-file.md has no example";
    here.write("example.py", page.substr(begin + 10, end - begin - 10));
    here.write("scene.toml", poured_spheres);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "100"}).status, 0);
    const Outcome example = Running(here, {"/usr/bin/python3", "example.py", "run"}).outcome();
    EXPECT_EQ(example.status, 0) << example;
    EXPECT_TRUE(example.out.starts_with("3D, seed 3, Talus ")) << example;
    EXPECT_TRUE(has(example.out, "materials: sand\n")) << example;
    EXPECT_TRUE(has(example.out, "time_s,grains,mean_height_m\n0,0,nan\n")) << example;
    EXPECT_TRUE(has(example.out, "\n0.1,60,0.")) << "600 grains a second: " << example;
}

} // namespace
} // namespace talus::robustness
