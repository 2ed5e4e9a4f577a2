// A disk that fills up, a limit on the size of files: exit status 1, a clear line, and the run resumes.
#include "robustness/same_runs.hpp"
#include "robustness/small_scenes.hpp"
#include "small_disk.hpp"

#include <sys/resource.h>

namespace talus::robustness {
namespace {

template <int D>
void expect_recovery_from_full_disk(const std::string& scene, const char* size)
{
    const Workplace here;
    here.write("scene.toml", scene);
    const SmallDisk disk(here / "small", size);
    if (!disk.is_there()) GTEST_SKIP() << "only root can mount a small disk; the limit on file sizes is tested below";
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1"}).status, 0);

    const Arguments run{"run", "scene.toml", "--out", "small/run", "--threads", "1"};
    const Outcome full = talus_command(here, run);
    EXPECT_EQ(full.status, 1) << full;
    EXPECT_TRUE(has(full.err, "small/run/")) << "the file is named: " << full;
    EXPECT_TRUE(has(full.err, "disk full (no space left on device)")) << full;
    // what was half written is gone again, and leaves room for a few lines
    EXPECT_EQ(summary_entry(here / "small/run", "outcome"), "failed");
    EXPECT_TRUE(has(summary_entry(here / "small/run", "exit_reason"), "disk full"))
        << contents(here / "small/run/summary.json");
    const Outcome check = talus_command(here, {"check", "small/run"});
    EXPECT_EQ(check.status, 0) << "what was complete before stays readable: " << check;
    EXPECT_GT(io::read_run_info(here / "small/run").frames, 0);

    Arguments resume = run;
    resume.push_back("--resume");
    const Outcome still = talus_command(here, resume);
    EXPECT_EQ(still.status, 1) << "still full: " << still;
    EXPECT_TRUE(has(still.err, "no space left on device")) << still;

    ASSERT_TRUE(disk.resize("size=200m"));
    const Outcome resumed = talus_command(here, resume);
    EXPECT_EQ(resumed.status, 0) << resumed;
    expect_same_runs<D>(here / "whole", here / "small/run");
}

TEST(FullDisk, RunInThreeDimensionsResumesWhenThereIsSpace)
{
    expect_recovery_from_full_disk<3>(poured_spheres, "size=400k");
}
TEST(FullDisk, RunInTwoDimensionsResumesWhenThereIsSpace)
{
    expect_recovery_from_full_disk<2>(shaken_disks, "size=400k");
}

TEST(FullDisk, FromTheBeginningIsAClearLine)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    const SmallDisk disk(here / "small", "size=8k");
    if (!disk.is_there()) GTEST_SKIP() << "only root can mount a small disk";
    const Outcome full = talus_command(here, {"run", "scene.toml", "--out", "small/run"});
    EXPECT_EQ(full.status, 1) << full;
    EXPECT_TRUE(has(full.err, "small/run") && has(full.err, "no space left on device")) << full;
    // no step is lost: it begins again, without --force too
    ASSERT_TRUE(disk.resize("size=100m"));
    const Outcome again = talus_command(here, {"run", "scene.toml", "--out", "small/run", "--steps", "5"});
    EXPECT_EQ(again.status, 0) << again;
}

TEST(FullDisk, LimitOnTheSizeOfFilesIsAClearLineToo)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    const Arguments run{"run", "scene.toml", "--out", "run", "--threads", "1"};
    // as a shell's `ulimit -f` sets it: the signal that comes with it is not ignored there
    const Outcome limited = talus_command(here, run, [] {
        const rlimit limit{60000, 60000};
        setrlimit(RLIMIT_FSIZE, &limit);
    });
    EXPECT_EQ(limited.status, 1) << limited;
    EXPECT_TRUE(has(limited.err, "run/") && has(limited.err, "file too large")) << limited;
    const Outcome check = talus_command(here, {"check", "run"});
    EXPECT_EQ(check.status, 0) << check;
    Arguments resume = run;
    resume.push_back("--resume");
    EXPECT_EQ(talus_command(here, resume).status, 0);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1"}).status, 0);
    expect_same_runs<2>(here / "whole", here / "run");
}

} // namespace
} // namespace talus::robustness
