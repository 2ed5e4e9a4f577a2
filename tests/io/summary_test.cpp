#include "made_up_run.hpp"
#include "talus/io/files/log.hpp"
#include "talus/io/runs/summary.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::io {

namespace {

} // namespace

TEST(Summary, IsJsonWhateverTheNumbersAndTexts)
{
    Summary summary;
    summary.end.outcome = "failed";
    summary.end.reason = "disk \"full\"\n\x01 \\ µ";
    summary.end.status = 1;
    summary.simulated_time = 0.1;
    summary.state_hash = 0xABC;
    summary.tally.residual_worst = NAN;
    summary.tally.warnings = {"one", "two"};
    summary.gauges = {{"all", Reading({"compacity", "coordination", "inertial_number"}, {0.64, std::nullopt, 0.02})}};
    const std::string json = to_json(summary);
    EXPECT_TRUE(has(json, R"("exit_reason": "disk \"full\"\n\u0001 \\ µ")")) << json;
    EXPECT_TRUE(has(json, R"("worst": null)"));
    EXPECT_TRUE(has(json, R"("coordination": null)"));
    EXPECT_TRUE(has(json, R"("compacity": 0.64)"));
    EXPECT_TRUE(has(json, R"("regime": "quasi-static")"));
    EXPECT_TRUE(has(json, R"("state_hash": "0000000000000abc")"));
    EXPECT_TRUE(has(json, R"("simulated_time_s": 0.1,)"));
    EXPECT_FALSE(has(json, ",\n}") || has(json, ",\n]"));
}

TEST(Summary, OutcomeCanBeAsked)
{
    const Scratch scratch;
    Summary summary;
    summary.end.outcome = "interrupted";
    write_summary(scratch / "summary.json", summary);
    EXPECT_EQ(read_outcome(scratch / "summary.json"), "interrupted");
    EXPECT_EQ(read_outcome(scratch / "nothing.json"), "");
}

TEST(Summary, TellsOfSubdomainsWhereThereAreAny)
{
    Summary summary;
    EXPECT_FALSE(has(to_json(summary), "partition\": {"));
    EXPECT_TRUE(has(to_json(summary), R"("reproducible": true)"));
    StepReport report;
    report.partition = {2, {10, 30}, {70, 50}, 40};
    report.reproducible = false;
    summary.tally.add(report);
    const std::string json = to_json(summary);
    EXPECT_TRUE(has(json, R"("parts": 2)")) << json;
    EXPECT_TRUE(has(json, R"("interface_contacts": 40)"));
    EXPECT_TRUE(has(json, R"("interface_share": 0.25)"));
    EXPECT_TRUE(has(json, R"("balance": 1.1666666666666667)"));
    EXPECT_TRUE(has(json, R"("reproducible": false)"));
}

TEST(Summary, SaysWhoSolvedAndWhySolvesEnded)
{
    Summary summary;
    StepReport report;
    for (const char* ended : {"cap", "reached", "stalled", "cap"}) {
        report.solve.solver = "ddm";
        report.solve.ended = ended;
        summary.tally.add(report);
    }
    const std::string json = to_json(summary);
    EXPECT_TRUE(has(json, R"("name": "ddm")")) << json;
    EXPECT_TRUE(has(json, R"("capped": 2)"));
    EXPECT_TRUE(has(json, R"("stalled": 1)"));
}

TEST(Summary, QualityHoldsWhatWasAskedBesideWhatWasKept)
{
    Summary summary;
    summary.quality.interpenetration_limit = 0.02;
    EXPECT_TRUE(has(to_json(summary), R"("residual_asked": null)")) << "solves that do not go by the residual";
    EXPECT_FALSE(has(to_json(summary), "estimate_10_3") || has(to_json(summary), "advice"));
    summary.quality.residual = ResidualAsked{.asked = 0.01, .tightest = 0.0025};
    summary.quality.estimate = {"squeezing", 10, 100, 1e-3, 5};
    summary.quality.advice = "a smaller dt";
    summary.tally.interpenetration_max = 0.03;
    StepReport report;
    summary.tally.add(report);
    report.solve.reached = false;
    summary.tally.add(report);
    const std::string json = to_json(summary);
    EXPECT_TRUE(has(json, R"("residual_asked": 0.01)")) << json;
    EXPECT_TRUE(has(json, R"("residual_tightest": 0.0025)"));
    EXPECT_TRUE(has(json, R"("steps_reached": 1)") && has(json, R"("steps_not_reached": 1)"));
    EXPECT_TRUE(has(json, R"("interpenetration_limit": 0.02)") && has(json, R"("interpenetration_max": 0.03)"));
    EXPECT_TRUE(has(json, R"("process": "squeezing")") && has(json, R"("n_ddm": 5)"));
    EXPECT_TRUE(has(json, R"("advice": "a smaller dt")"));
}

TEST(Summary, TallyKeepsTheWorst)
{
    Tally tally;
    StepReport report;
    report.contacts = 10;
    report.solve = {7, 0.5, 0, 0, false};
    tally.add(report);
    report.contacts = 4;
    report.solve = {3, NAN, 0, 0, true};
    tally.add(report);
    report.solve.residual = 0.1;
    tally.add(report);
    EXPECT_EQ(tally.steps, 3);
    EXPECT_EQ(tally.contacts_last, 4);
    EXPECT_EQ(tally.contacts_max, 10);
    EXPECT_EQ(tally.sweeps_total, 13);
    EXPECT_EQ(tally.sweeps_max, 7);
    EXPECT_EQ(tally.steps_over_tolerance, 1);
    EXPECT_TRUE(std::isnan(tally.residual_worst));
    EXPECT_EQ(tally.residual_last, 0.1);
}

TEST(Log, KeepsLinesAndGoesOn)
{
    const Scratch scratch;
    {
        Log log(scratch.path());
        log.info("step 1");
        log.warning("careful");
    }
    Log(scratch.path()).error("gone");
    EXPECT_EQ(contents(scratch / "log.txt"), "step 1\nwarning: careful\nerror: gone\n");
    Log(scratch / "no folder").info("lost, and no harm done");
}

} // namespace talus::io
