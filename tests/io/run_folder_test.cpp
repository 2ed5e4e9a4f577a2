#include "made_up_run.hpp"
#include "small_disk.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

template <int D>
RunWriter<D> resume(const fs::path& folder, Simulation<D>& simulation, Tally& tally, bool vtk = false)
{
    simulation = made_up_simulation<D>();
    const Restored restored = read_checkpoint(folder, simulation);
    tally = restored.tally;
    return RunWriter<D>::resume(folder, simulation, restored, made_up_provenance(), vtk);
}

// changes one byte in the middle
void damage(const fs::path& file)
{
    std::string bytes = contents(file);
    ASSERT_GT(bytes.size(), 1000u);
    bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
    overwrite(file, bytes);
}

template <int D>
void expect_same_runs(const fs::path& a, const fs::path& b)
{
    EXPECT_EQ(contents(a / "series.csv"), contents(b / "series.csv"));
    const RunInfo one = read_run_info(a), other = read_run_info(b);
    ASSERT_EQ(one.times, other.times);
    for (std::int64_t f = 0; f < one.frames; ++f) {
        auto x = read_frame<D>(a, f), y = read_frame<D>(b, f);
        EXPECT_EQ(x.clock.step, y.clock.step);
        expect_same_state<D>(x, y);
    }
}

} // namespace

template <class Dimension>
class RunFolder : public testing::Test {
  public:
    static constexpr int dimension = Dimension::value;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RunFolder, Dimensions);

TYPED_TEST(RunFolder, FramesComeBackBitForBit)
{
    constexpr int D = TestFixture::dimension;
    const Scratch scratch;
    auto simulation = made_up_simulation<D>();
    RunWriter<D> writer(scratch / "run", made_up_scene(), simulation, made_up_provenance(), false);
    writer.frame(simulation); // without contacts
    const StepReport report = made_up_step(simulation);
    writer.frame(simulation);
    writer.series(simulation, report, measure_gauges(simulation));
    writer.finish({});

    auto frame = read_frame<D>(scratch / "run");
    EXPECT_EQ(frame.index, 1);
    EXPECT_EQ(frame.clock.step, 1);
    EXPECT_EQ(frame.clock.dt, 1e-3);
    expect_same_state<D>(frame, simulation);
    EXPECT_EQ(frame.bodies.force.size(), simulation.bodies.size());
    EXPECT_EQ(frame.materials, (std::vector<std::string>{"stone", "Größe \"1\""}));
    ASSERT_EQ(frame.groups.size(), 2u);
    EXPECT_EQ(frame.groups[1].name, "grains");
    EXPECT_EQ(frame.groups[1].count, 5);
    EXPECT_EQ(read_frame<D>(scratch / "run", 0).contacts.size(), 0u);
    EXPECT_EQ(read_dimension(scratch / "run"), D);
    EXPECT_TRUE(parse_scene(contents(scratch / "run/scene.toml"), "scene.toml") == made_up_scene());
}

TYPED_TEST(RunFolder, LateBornBodiesAndTheirShapesComeBack)
{
    constexpr int D = TestFixture::dimension;
    const Scratch scratch;
    auto simulation = run_to<D>(scratch / "run", 99);
    auto frame = read_frame<D>(scratch / "run");
    EXPECT_EQ(frame.clock.step, 99);
    expect_same_state<D>(frame, simulation);
    const RunInfo info = read_run_info(scratch / "run");
    EXPECT_EQ(info.frames, 33);
    EXPECT_EQ(info.bodies.front(), 9);
    EXPECT_EQ(info.bodies.back(), 9 + 14);
    for (std::int64_t f = 0; f < info.frames; ++f) {
        const auto early = read_frame<D>(scratch / "run", f);
        EXPECT_EQ(early.index, f);
        EXPECT_EQ(early.clock.step, 3 * (f + 1));
        EXPECT_EQ(early.bodies.mass.size(), 9u + std::size_t(early.clock.step / 7));
    }
    EXPECT_TRUE(verify_run(scratch / "run").empty());
}

TYPED_TEST(RunFolder, ResumedRunIsTheSameAsAnUninterruptedOne)
{
    constexpr int D = TestFixture::dimension;
    const Scratch scratch;
    auto whole = run_to<D>(scratch / "whole", 60, true);
    run_to<D>(scratch / "parts", 38, true); // last checkpoint at 30: what came after is done again
    Simulation<D> simulation;
    Tally tally;
    auto writer = resume<D>(scratch / "parts", simulation, tally, true);
    EXPECT_EQ(simulation.clock.step, 30);
    EXPECT_EQ(tally.steps, 30);
    EXPECT_EQ(tally.steps_over_tolerance, 7);
    carry_on(simulation, writer, tally, 60);
    writer.flush();
    expect_same_state<D>(simulation, whole);
    EXPECT_EQ(simulation.state_hash(), whole.state_hash());
    EXPECT_EQ(simulation.energy.balance(), whole.energy.balance());
    expect_same_runs<D>(scratch / "whole", scratch / "parts");
    EXPECT_EQ(contents(scratch / "whole/run.pvd"), contents(scratch / "parts/run.pvd"));
    EXPECT_EQ(read_run_info(scratch / "parts").provenance.resumed.size(), 1u);
    EXPECT_TRUE(verify_run(scratch / "parts").empty());
}

TEST(RunFolderFiles, SmallFramesShareBlocksAndLargeOnesDoNot)
{
    const Scratch scratch;
    auto simulation = made_up_simulation<3>(1);
    RunWriter<3> small(scratch / "small", made_up_scene(), simulation, made_up_provenance(), false);
    for (int f = 0; f < 130; ++f) small.frame(simulation);
    EXPECT_EQ(list_blocks(scratch / "small").size(), 2u); // 2 × 64, two wait
    small.flush();
    ASSERT_EQ(list_blocks(scratch / "small").size(), 3u);
    EXPECT_EQ(list_blocks(scratch / "small")[2].file.filename(), "000128.h5");
    EXPECT_EQ(read_frame<3>(scratch / "small").index, 129);

    for (int i = 0; i < 100000; ++i) add_grain(simulation, 0.01);
    RunWriter<3> large(scratch / "large", made_up_scene(), simulation, made_up_provenance(), false);
    large.frame(simulation);
    EXPECT_EQ(list_blocks(scratch / "large").size(), 1u);
    large.frame(simulation);
    EXPECT_EQ(list_blocks(scratch / "large").size(), 2u);
    auto frame = read_frame<3>(scratch / "large", 1);
    expect_same_state<3>(frame, simulation);
}

TEST(RunFolderFiles, FrameThatIsNotThereIsNamed)
{
    const Scratch scratch;
    run_to<3>(scratch / "run", 30);
    EXPECT_TRUE(has(refusal_of([&] { read_frame<3>(scratch / "run", 10); }), "has no frame 10; the last one is 9"));
    EXPECT_TRUE(has(refusal_of([&] { read_frame<2>(scratch / "run", 1); }), "is of a run in 3D, not 2D"));
    EXPECT_TRUE(has(refusal_of([&] { read_frame<3>(scratch / "nothing", 1); }), "has no frames"));
    EXPECT_TRUE(has(refusal_of([&] { read_run_info(scratch / "nothing"); }), "is not a folder"));
    EXPECT_TRUE(has(refusal_of([&] { read_run_info(scratch.path()); }), "is not the folder of a run"));
}

TEST(RunFolderFiles, OccupiedFolderIsRefusedAndForceDeletesOnlyTheRun)
{
    const Scratch scratch;
    run_to<2>(scratch / "run", 10);
    overwrite(scratch / "run/notes.txt", "mine");
    EXPECT_TRUE(is_run_folder(scratch / "run"));
    EXPECT_TRUE(has(refusal_of([&] { run_to<2>(scratch / "run", 10); }), "--force"));
    clear_run_folder(scratch / "run");
    EXPECT_FALSE(is_run_folder(scratch / "run"));
    EXPECT_EQ(contents(scratch / "run/notes.txt"), "mine");
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch / "run"), {}), 1);
}

TEST(Checkpoint, DamagedLastMeansPreviousAndIsSaid)
{
    const Scratch scratch;
    auto whole = run_to<3>(scratch / "whole", 60);
    run_to<3>(scratch / "run", 38);
    damage(scratch / "run/checkpoint/last.h5");
    auto simulation = made_up_simulation<3>();
    const Restored restored = read_checkpoint(scratch / "run", simulation);
    EXPECT_TRUE(restored.is_previous);
    EXPECT_TRUE(has(restored.remark, "last.h5: is damaged")) << restored.remark;
    EXPECT_TRUE(has(restored.remark, "continuing from previous.h5")) << restored.remark;
    EXPECT_EQ(simulation.clock.step, 20);

    auto writer = RunWriter<3>::resume(scratch / "run", simulation, restored, made_up_provenance(), false);
    Tally tally = restored.tally;
    // the good previous one must outlive the next checkpoint
    carry_on(simulation, writer, tally, 30);
    auto again = made_up_simulation<3>();
    EXPECT_TRUE(read_checkpoint(scratch / "run", again).remark.empty());
    damage(scratch / "run/checkpoint/last.h5");
    EXPECT_EQ(read_checkpoint(scratch / "run", again).file.filename(), "previous.h5");
    EXPECT_EQ(again.clock.step, 20);

    carry_on(simulation, writer, tally, 60);
    writer.flush();
    expect_same_state<3>(simulation, whole);
    expect_same_runs<3>(scratch / "whole", scratch / "run");
}

TEST(Checkpoint, CutOffLastMeansPreviousWhereverItWasCut)
{
    const Scratch scratch;
    run_to<2>(scratch / "run", 20);
    const std::string whole = contents(scratch / "run/checkpoint/last.h5");
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 23) {
        overwrite(scratch / "run/checkpoint/last.h5", whole.substr(0, size));
        auto simulation = made_up_simulation<2>();
        EXPECT_TRUE(read_checkpoint(scratch / "run", simulation).is_previous);
        EXPECT_EQ(simulation.clock.step, 10);
    }
    fs::remove(scratch / "run/checkpoint/last.h5");
    auto simulation = made_up_simulation<2>();
    EXPECT_TRUE(read_checkpoint(scratch / "run", simulation).is_previous);
}

TEST(Checkpoint, BothDamagedIsAnErrorThatNamesBothAndChangesNothing)
{
    const Scratch scratch;
    run_to<2>(scratch / "run", 20);
    damage(scratch / "run/checkpoint/last.h5");
    damage(scratch / "run/checkpoint/previous.h5");
    auto simulation = made_up_simulation<2>(), untouched = made_up_simulation<2>();
    const std::string error = refusal_of([&] { read_checkpoint(scratch / "run", simulation); });
    EXPECT_TRUE(has(error, "last.h5") && has(error, "previous.h5")) << error;
    expect_same_state<2>(simulation, untouched);
    EXPECT_EQ(verify_run(scratch / "run").size(), 2u);
    fs::remove_all(scratch / "run/checkpoint");
    EXPECT_TRUE(has(refusal_of([&] { read_checkpoint(scratch / "run", simulation); }), "no checkpoint"));
}

TEST(Checkpoint, OtherSceneIsRefused)
{
    const Scratch scratch;
    run_to<2>(scratch / "run", 20);
    auto space = made_up_simulation<3>();
    EXPECT_TRUE(has(refusal_of([&] { read_checkpoint(scratch / "run", space); }), "2D"));
    auto idle = made_up_simulation<2>();
    idle.drivers.clear();
    EXPECT_TRUE(has(refusal_of([&] { read_checkpoint(scratch / "run", idle); }), "has 1 drivers, the scene 0"));
    auto bare = made_up_simulation<2>();
    bare.materials = {};
    EXPECT_TRUE(has(refusal_of([&] { read_checkpoint(scratch / "run", bare); }), "other materials"));
    auto slow = made_up_simulation<2>();
    slow.clock.dt = 1e-4;
    EXPECT_TRUE(has(refusal_of([&] { read_checkpoint(scratch / "run", slow); }), "time step"));
}

TEST(RunFolderFiles, NewerFormatIsNamed)
{
    const Scratch scratch;
    run_to<2>(scratch / "run", 20);
    const auto from_the_future = [&](const std::string& name, const std::string& format) {
        Hdf5Writer file(scratch / name);
        file.attribute("format", format);
        file.attribute("format_version", format_version + 1);
        file.attribute("dimension", std::int64_t{2});
        file.commit();
    };
    const std::string newer = "has format version " + std::to_string(format_version + 1);
    from_the_future("run/frames/000000.h5", "talus-frames");
    EXPECT_TRUE(has(refusal_of([&] { read_frame<2>(scratch / "run", 0); }), newer));
    EXPECT_TRUE(has(refusal_of([&] { read_run_info(scratch / "run"); }), "a newer one is needed"));
    from_the_future("run/checkpoint/last.h5", "talus-checkpoint");
    auto simulation = made_up_simulation<2>();
    EXPECT_TRUE(has(read_checkpoint(scratch / "run", simulation).remark, newer));
    from_the_future("run/run.h5", "talus-run");
    EXPECT_TRUE(has(refusal_of([&] { read_dimension(scratch / "run"); }), newer));
    from_the_future("run/run.h5", "talus-frames");
    EXPECT_TRUE(has(refusal_of([&] { read_dimension(scratch / "run"); }), "is a talus-frames file, not a talus-run"));
}

TEST(RunFolderFiles, VerifyFindsEveryProblem)
{
    const Scratch scratch;
    run_to<3>(scratch / "run", 99);
    ASSERT_TRUE(verify_run(scratch / "run").empty());
    const auto blocks = list_blocks(scratch / "run");
    ASSERT_GT(blocks.size(), 5u);
    damage(blocks[1].file);
    fs::remove(blocks[4].file);
    fs::remove(scratch / "run/scene.toml");
    overwrite(scratch / "run/series.csv", contents(scratch / "run/series.csv") + "1,2\n3");
    overwrite(scratch / "run/checkpoint/previous.h5", "no");
    overwrite(scratch / "run/summary.json", "{");
    const auto problems = verify_run(scratch / "run");
    EXPECT_EQ(problems.size(), 7u) << testing::PrintToString(problems);
    EXPECT_TRUE(has(problems[0], "is damaged"));
    EXPECT_TRUE(has(problems[1], "are missing"));
    // the frames of the other blocks can still be read
    EXPECT_EQ(read_frame<3>(scratch / "run").clock.step, 99);
    EXPECT_TRUE(has(refusal_of([&] { read_frame<3>(scratch / "run", blocks[1].first); }), "is damaged"));
}

TEST(RunFolderFiles, FullDiskKeepsWhatWasComplete)
{
    const Scratch scratch;
    const SmallDisk disk(scratch / "small", "size=300k");
    if (!disk.is_there()) GTEST_SKIP() << "needs root";
    const fs::path folder = scratch / "small/run";
    std::string reason;
    try {
        run_to<3>(folder, 100000);
    } catch (const RunError& error) {
        reason = error.what();
    }
    EXPECT_TRUE(has(reason, "no space left on device")) << reason;
    EXPECT_TRUE(verify_run(folder).empty()) << testing::PrintToString(verify_run(folder));
    EXPECT_GT(read_run_info(folder).frames, 3);

    // with room again it resumes, and is the run that it would have been
    ASSERT_TRUE(disk.resize("size=50m"));
    Simulation<3> simulation;
    Tally tally;
    auto writer = resume<3>(folder, simulation, tally);
    const std::int64_t end = simulation.clock.step + 25;
    carry_on(simulation, writer, tally, end);
    writer.flush();
    auto whole = run_to<3>(scratch / "whole", end);
    expect_same_state<3>(simulation, whole);
    expect_same_runs<3>(scratch / "whole", folder);
}

TEST(RunFolderFiles, KilledAtAnyMomentItIsReadableAndResumes)
{
    const Scratch scratch;
    const fs::path folder = scratch / "run";
    run_to<3>(folder, 10);
    std::int64_t reached = 10;
    for (int round = 0; round < 15; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            Simulation<3> simulation;
            Tally tally;
            try {
                auto writer = resume<3>(folder, simulation, tally);
                carry_on(simulation, writer, tally, 1000000);
            } catch (...) {
                _exit(1);
            }
            _exit(0);
        }
        ASSERT_GT(child, 0);
        const std::string before = contents(folder / "checkpoint/last.h5");
        for (int wait = 0; round % 3 == 0 && wait < 2000 && contents(folder / "checkpoint/last.h5") == before; ++wait) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5)); // every third one gets somewhere first
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5 + 37 * round % 90));
        ASSERT_EQ(kill(child, SIGKILL), 0);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up in round " << round;

        std::vector<std::string> problems = verify_run(folder);
        std::erase_if(problems, [](const auto& problem) { return has(problem, "the last line is torn"); });
        EXPECT_TRUE(problems.empty()) << testing::PrintToString(problems);
        auto simulation = made_up_simulation<3>();
        read_checkpoint(folder, simulation);
        EXPECT_GE(simulation.clock.step, reached);
        reached = simulation.clock.step;
    }
    EXPECT_GT(reached, 10);
    Simulation<3> simulation;
    Tally tally;
    auto writer = resume<3>(folder, simulation, tally);
    const std::int64_t end = reached + 12;
    carry_on(simulation, writer, tally, end);
    writer.flush();
    auto whole = run_to<3>(scratch / "whole", end);
    expect_same_state<3>(simulation, whole);
    expect_same_runs<3>(scratch / "whole", folder);
    EXPECT_EQ(tally.steps, end);
}

} // namespace talus::io
