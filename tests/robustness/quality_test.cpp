// What a run was asked for, what it spent and what it kept are in its summary; a tightened tolerance survives a resume.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {
namespace {

const Arguments strict{"run",   "scene.toml",           "--threads", "1", "--set", "quality.interpenetration=0.001 %",
                       "--set", "solver.tolerance=0.01"};

Arguments strict_run(const Arguments& more)
{
    Arguments arguments = strict;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Quality, ARunOverItsLimitTightensTheSolverAndSaysWhatWouldHelp)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    const Outcome outcome = talus_command(here, strict_run({"--out", "run"}));
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_TRUE(has(outcome.err, "% at most, 0.001 % allowed")) << outcome;
    EXPECT_TRUE(has(outcome.err, "a smaller dt (now 0.001 s)")) << outcome;
    // BALLAST's equation was fitted on tracks, and this is none
    EXPECT_FALSE(has(outcome.err, "10.3") || has(contents(here / "run/summary.json"), "10_3")) << outcome;
    EXPECT_TRUE(has(contents(here / "run/log.txt"), "the solver's tolerance is 0.005 now (0.01 was asked)"));
    const auto entry = [&](const char* key) { return summary_entry(here / "run", key); };
    EXPECT_EQ(entry("name"), "auto");
    EXPECT_EQ(entry("residual_asked"), "0.01");
    EXPECT_EQ(entry("residual_tightest"), "0.0001");
    EXPECT_EQ(entry("steps_reached"), "500");
    EXPECT_EQ(entry("steps_not_reached"), "0");
    EXPECT_EQ(entry("interpenetration_limit"), "1e-05");
    EXPECT_GT(std::stod(entry("interpenetration_max")), 1e-5);
    EXPECT_TRUE(has(entry("advice"), "interpenetration reached")) << entry("advice");
}

TEST(Quality, AResumedRunGoesOnWithItsTightenedTolerance)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks);
    EXPECT_EQ(talus_command(here, strict_run({"--out", "whole"})).status, 3);
    // between two lines of the series, soon after an impact
    EXPECT_EQ(talus_command(here, strict_run({"--out", "parts", "--steps", "201"})).status, 3);
    const std::string log = contents(here / "parts/log.txt");
    ASSERT_TRUE(has(log.substr(log.rfind("tolerance is")), "is 0.0001 now")) << log;
    EXPECT_EQ(talus_command(here, {"run", "scene.toml", "--threads", "1", "--out", "parts", "--resume"}).status, 3);
    EXPECT_EQ(state_hash(here / "parts"), state_hash(here / "whole"));
    EXPECT_EQ(summary_entry(here / "parts", "residual_tightest"), summary_entry(here / "whole", "residual_tightest"));
}

TEST(Quality, AFixedNumberOfSweepsHasNoResidualToKeep)
{
    const Workplace here;
    here.write("scene.toml", shaken_disks + "stop = \"sweeps\"\n");
    const Outcome outcome = talus_command(here, strict_run({"--out", "run", "--set", "solver.sweeps=20"}));
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_EQ(summary_entry(here / "run", "residual_asked"), "null");
    EXPECT_FALSE(has(contents(here / "run/log.txt"), "tolerance is"));
    EXPECT_EQ(summary_entry(here / "run", "capped"), "0");
}

} // namespace
} // namespace talus::robustness
