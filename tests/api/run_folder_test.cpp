// A program keeps its run as the command does.
#include "io/made_up_run.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/talus.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

Scene<2> one_disk()
{
    Scene<2> scene{.dt = 1e-3, .duration = 0.1};
    const auto glass = scene.materials.add({.name = "glass", .preset = "glass"});
    scene.bodies.push_back({.shape = shape::Disk{.radius = 0.01}, .material = glass});
    scene.drivers.push_back(driver::Gravity{});
    return scene;
}

} // namespace

TEST(RunFolderOfAProgram, IsARunsFolder)
{
    const io::Scratch scratch;
    const auto folder = scratch / "fall";
    {
        talus::Run<2> run(one_disk());
        run.observe(run_folder(run, folder));
        EXPECT_TRUE(has(refusal_of([&] { run_folder(run, folder); }), "is being written by"));
        run.advance();
    }
    EXPECT_EQ(io::verify_run(folder), std::vector<std::string>{});
    EXPECT_EQ(io::read_run_info(folder).outcome, "done");
    talus::Run<2> again(one_disk());
    EXPECT_TRUE(has(refusal_of([&] { run_folder(again, folder); }), "holds a run"));
    again.observe(run_folder(again, folder, Existing::replace));
    again.advance_to(0.05);
    EXPECT_EQ(again.finish("seen enough").reason, "seen enough");
    EXPECT_EQ(io::verify_run(folder), std::vector<std::string>{});
    EXPECT_NEAR(io::read_run_info(folder).times.back(), 0.05, 1e-9);
}

TEST(RunFolderOfAProgram, DoesNotTouchWhatIsNoRuns)
{
    const io::Scratch scratch;
    std::ofstream(scratch / "thesis.tex") << "precious";
    const talus::Run<2> run(one_disk());
    EXPECT_TRUE(has(refusal_of([&] { run_folder(run, scratch.path(), Existing::replace); }), "are no run's"));
    EXPECT_TRUE(std::filesystem::exists(scratch / "thesis.tex"));
}
