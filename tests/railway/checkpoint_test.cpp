// A run that is interrupted in any phase of an operation goes on with the same bits.
#include "railway/track_scenes.hpp"
#include "talus/io/runs/checkpoint.hpp"

#include <filesystem>
#include <unistd.h>

namespace talus {
namespace {

namespace fs = std::filesystem;

class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("talus.railway." + std::to_string(getpid())))
    {
        fs::create_directories(path_ / "checkpoint");
    }
    ~Folder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

void expect_same_bits_after_interruptions(const scene::Value& scene, int every)
{
    const Folder folder;
    const auto fresh = [&] { return assemble<3>(with_parts(scene)); };
    auto whole = fresh();
    const auto steps = std::int64_t(std::llround(scene.at("scene").at("duration").number() / whole.clock.dt)) + 20;
    while (whole.clock.step < steps) whole.step();
    int interruptions = 0;
    auto running = fresh();
    while (running.clock.step < steps) {
        running.step();
        if (running.clock.step % every != 0) continue;
        io::write_checkpoint(folder.path(), running, {}, {});
        auto resumed = fresh();
        io::read_checkpoint(folder.path(), resumed);
        EXPECT_EQ(resumed.state_hash(), running.state_hash());
        running = std::move(resumed); // interrupted again and again
        ++interruptions;
    }
    EXPECT_EQ(running.state_hash(), whole.state_hash());
    EXPECT_GT(interruptions, 20);
}

// 30 ms of lift, 50 ms down, 150 ms of squeeze into a block until the stroke ends, 20 ms of hold, 50 ms up, 30 ms on
const std::string cycles = R"([[operations]]
type = "tamping"
sleepers = [1, 2]
lift = 0.01
lift_time = 0.03
frequency = 25
vibration = "elliptical"
penetration_time = 0.05
squeeze_force = 6e3
squeeze_time = 0.15
squeeze_stroke = 0.03
hold_time = 0.02
withdrawal_time = 0.05
travel_time = 0.03
)";
const std::string sleepers_and_block =
    "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n[[bodies]]\nname = \"anvil\"\nshape = \"box\"\n"
    "size = [0.5, 0.1, 2]\nposition = [0, 0.4, 1]\nmotion = \"fixed\"\nmaterial = \"steel\"\n";

TEST(Resume, InEveryPhaseOfATampingCycleGivesTheSameBits)
{
    // tool 1 stands at y = 0.14 with its face at 0.155: the block is 25 mm ahead
    const scene::Value scene =
        railway_scene(track_scene(cycles, sleepers_and_block + gravity), {"bodies[0].position=[0, 0.23, 1]"});
    expect_same_bits_after_interruptions(scene, 7);
}

TEST(Resume, UnderAPenetrationForceGivesTheSameBits)
{
    const scene::Value scene =
        railway_scene(track_scene(cycles, sleepers_and_block + gravity),
                      {"bodies[0].position=[0, 0.23, 1]", "operations[0].penetration_force=5e3",
                       "operations[0].penetration_depth=0.03", "operations[0].hold_sleeper=false"});
    expect_same_bits_after_interruptions(scene, 11);
}

TEST(Resume, InTheOtherOperationsGivesTheSameBits)
{
    const std::string others =
        "[[operations]]\ntype = \"stabilisation\"\nsleepers = [1, 2]\ntime = 0.05\nfrequency = 25\n"
        "[[operations]]\ntype = \"train\"\nsleepers = [1, 2]\ncycles = 1\nfrequency = 20\n"
        "speed = 40\n"
        "[[operations]]\ntype = \"lateral_push\"\ndisplacement = 0.001\npause = 0.01\n"
        "[[operations]]\ntype = \"wall_force\"\nforce = 50\ntime = 0.05\n";
    const std::string box = "[[generators]]\nname = \"box\"\ntype = \"container\"\nlower = [-1, 0, 0]\n"
                            "upper = [1, 1.5, 2]\nopen = [\"top\"]\nmaterial = \"wall\"\n";
    expect_same_bits_after_interruptions(
        railway_scene(track_scene(others, "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n" + gravity + box)), 7);
}

} // namespace
} // namespace talus
