// [start]: a run that begins with a frame of another one, with changed keys.
#include "robustness/same_runs.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {
namespace {

const std::string second_scene = R"([scene]
dimension = 2
dt = "0.5 ms"
duration = "20 ms"

[start]
run = "base"
frame = 3

[materials]
steel = { preset = "steel" }

[contact]
friction = 0.9
restitution = 0.3

[[drivers]]
type = "gravity"
acceleration = [1, -5]

[[drivers]]
type = "velocity"
body = "box.right"
velocity = ["-1 cm/s", 0]
)";

class Start : public testing::Test {
  protected:
    void SetUp() override
    {
        here.write("base.toml", shaken_disks);
        ASSERT_EQ(talus_command(here, {"run", "base.toml", "--out", "base", "--steps", "50"}).status, 0);
    }
    Outcome run(const std::string& scene, const Arguments& more = {})
    {
        here.write("scene.toml", scene);
        Arguments arguments{"run", "scene.toml", "--out", "run"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return talus_command(here, arguments);
    }
    void expect_refusal(const std::string& scene, const std::string& message)
    {
        const Outcome outcome = run(scene);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, message)) << outcome;
        EXPECT_FALSE(fs::exists(here / "run")) << "nothing may be written";
        EXPECT_EQ(talus_command(here, {"check", "scene.toml"}).status, 2);
    }
    Workplace here;
};

TEST_F(Start, BodiesAreThoseOfTheFrameAtTimeZero)
{
    const Outcome outcome = run(second_scene);
    ASSERT_EQ(outcome.status, 0) << outcome;
    const auto base = io::read_frame<2>(here / "base", 3);
    const auto first = io::read_frame<2>(here / "run", 0);
    EXPECT_EQ(first.clock.time(), 0);
    EXPECT_EQ(base.clock.time(), 0.03);
    expect_same_bodies(base.bodies, first.bodies);
    EXPECT_EQ(summary_entry(here / "run", "steps"), "40") << "20 ms of the new dt";
    const auto last = io::read_frame<2>(here / "run");
    EXPECT_NEAR(last.bodies.position[1][0], 0.12 - 0.01 * 0.02, 1e-15) << "box.right under the new driver";
}

TEST_F(Start, WithoutAFrameItIsTheLast)
{
    ASSERT_EQ(run(with(second_scene, "frame = 3\n", "")).status, 0);
    expect_same_bodies(io::read_frame<2>(here / "base").bodies, io::read_frame<2>(here / "run", 0).bodies);
}

TEST_F(Start, OverridesReachItToo)
{
    ASSERT_EQ(run(second_scene, {"--set", "start.frame=1"}).status, 0);
    expect_same_bodies(io::read_frame<2>(here / "base", 1).bodies, io::read_frame<2>(here / "run", 0).bodies);
}

TEST_F(Start, BodiesOfTheSceneAreAdded)
{
    ASSERT_EQ(run(second_scene +
                  "[[bodies]]\nname = \"late\"\nshape = \"disk\"\nradius = 0.02\nposition = [0.06, 0.9]\n"
                  "material = \"steel\"\n")
                  .status,
              0);
    const auto base = io::read_frame<2>(here / "base", 3);
    const auto first = io::read_frame<2>(here / "run", 0);
    ASSERT_EQ(first.bodies.size(), base.bodies.size() + 1);
    EXPECT_EQ(first.bodies.position.back(), Vec<2>(0.06, 0.9));
    EXPECT_EQ(first.groups.back().name, "late");
}

TEST_F(Start, AddedBodiesMustNotOverlap)
{
    expect_refusal(second_scene +
                       "[[bodies]]\nname = \"late\"\nshape = \"disk\"\nradius = 0.02\nposition = [0.06, 0.1]\n"
                       "material = \"steel\"\n",
                   "overlap");
}

TEST_F(Start, ItsOwnCopyOfTheSceneRunsAgain)
{
    ASSERT_EQ(run(second_scene).status, 0);
    const Outcome again = talus_command(here, {"run", "run/scene.toml", "--out", "again"});
    EXPECT_EQ(again.status, 0) << again;
    EXPECT_EQ(state_hash(here / "again"), state_hash(here / "run"));
}

TEST_F(Start, RefusesWhatDoesNotFit)
{
    expect_refusal(with(second_scene, "\"base\"", "\"nowhere\""), "nowhere");
    expect_refusal(with(second_scene, "\"base\"", "\"base.toml\""), "base.toml");
    expect_refusal(with(second_scene, "frame = 3", "frame = 77"), "has no frame 77");
    expect_refusal(with(second_scene, "steel = {", "stone = {"), "material \"steel\"");
    expect_refusal(with(second_scene, "\"box.right\"", "\"box.rigth\""), "box.rigth");
    expect_refusal("[scene]\ndimension = 3\ndt = 1e-3\nduration = 0.1\n[start]\nrun = \"base\"\n[materials.steel]\n"
                   "density = 7000\n",
                   "is a run in 2D, the scene is in 3D");
}

TEST_F(Start, ARefusalNamesThePlaceInTheScene)
{
    here.write("scene.toml", with(second_scene, "\"base\"", "\"nowhere\""));
    const Outcome missing = talus_command(here, {"check", "scene.toml"});
    EXPECT_TRUE(missing.err.starts_with("scene.toml:7:7: start.run = \"nowhere\": ")) << missing;
    here.write("scene.toml", with(second_scene, "frame = 3", "frame = 77"));
    const Outcome frame = talus_command(here, {"check", "scene.toml"});
    EXPECT_TRUE(frame.err.starts_with("scene.toml:8:9: start.frame = 77: ")) << frame;
}

} // namespace
} // namespace talus::robustness
