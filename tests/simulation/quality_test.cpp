// What a run asks of its solver and what it expects of its dt.
#include "scene/scenes.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/simulation/quality.hpp"

#include <cmath>

using namespace talus;
using test::mistakes_of;

namespace {

// a test below counts its lines; the first is empty
const std::string heap = "\n" + piece::start({.more = "seed = 3", .materials = "stone = { density = 2700 }"}) +
                         piece::generator("container", "[0, 0]", "[0.1, 1]", "open = [\"top\"]") +
                         piece::generator("lattice", "[0, 0]", "[0.1, 1]", "radius = [0.004, 0.006]\ncount = 80") +
                         piece::gravity;

// the terms of BALLAST ch. 10 at H = 2e-4 s: V_mean = 0.053 m/s (table 10.4), d_mean = 0.04 m, so H̄ = 2.65e-4 and
// H̄¹⁰ = 1.70788e-36
EstimateTerms of_ballast(const char* process, double contacts, double steps, double sweeps)
{
    return {process, contacts, steps, 2e-4 * 0.053 / 0.04, sweeps};
}

} // namespace

// By hand from eq. 10.3, in per cent; six digits of H̄¹⁰ leave 1e-5.
TEST(Estimate, IsEquation10_3OnTheNumbersOfTheDocument)
{
    const auto expect = [](const EstimateTerms& terms, double by_hand) {
        EXPECT_NEAR(estimated_interpenetration(terms), by_hand, 2e-5 * by_hand) << terms.process;
    };
    expect(of_ballast("tamping", 4000, 8820, 740), 0.0143043);       // fig. 10.24
    expect(of_ballast("stabilisation", 15000, 5000, 600), 0.185020); // fig. 10.22
    expect(of_ballast("squeezing", 9500, 5000, 200), 1.97741);       // fig. 10.23
}

TEST(Estimate, SuggestedStepOrSweepsBringItDownToTheLimit)
{
    const double measured = 0.05, limit = 0.02, dt = 2e-4;
    const EstimateTerms run = of_ballast("tamping", 4000, 8820, 500);
    const CostChoice choice = suggested_choice({dt, run.sweeps}, measured, limit);
    EstimateTerms finer = run, longer = run;
    finer.normalised_step *= choice.dt / dt;
    finer.steps *= dt / choice.dt; // the same time
    longer.sweeps = choice.sweeps;
    const double wanted = estimated_interpenetration(run) * limit / measured;
    EXPECT_NEAR(estimated_interpenetration(finer), wanted, 1e-12 * wanted);
    EXPECT_LE(estimated_interpenetration(longer), wanted); // whole sweeps, rounded up
    EXPECT_GE(estimated_interpenetration(longer), 0.99 * wanted);
}

TEST(ToleranceControl, FollowsInterpenetrationBetweenItsBounds)
{
    ToleranceControl control{.asked = 1e-2, .may_tighten = true, .interpenetration_limit = 0.02};
    EXPECT_FALSE(control.follow(0.0099)) << "half of the limit is not reached";
    EXPECT_TRUE(control.follow(0.0101));
    EXPECT_EQ(control.present(), 0.5e-2);
    EXPECT_FALSE(control.follow(0.005)) << "between a tenth and a half it stays";
    for (int line = 0; line < 20; ++line) control.follow(0.03);
    EXPECT_EQ(control.present(), 1e-4) << "a hundredth at the least";
    for (int line = 0; line < 20; ++line) control.follow(0.001);
    EXPECT_EQ(control.present(), 1e-2) << "never looser than asked";
    control.may_tighten = false;
    EXPECT_FALSE(control.follow(0.03));
}

// small problems cost nothing, large ones flow, and what an impact gives back must not drown
TEST(ToleranceControl, WhatIsAimedAtGoesByTheSizeOfAStepAndItsRestitution)
{
    EXPECT_DOUBLE_EQ(automatic_tolerance(0, 0), 1e-11);
    EXPECT_DOUBLE_EQ(automatic_tolerance(1, 0), 1e-11);
    EXPECT_DOUBLE_EQ(automatic_tolerance(100, 0), 1e-5);
    EXPECT_DOUBLE_EQ(automatic_tolerance(1000, 0), 1e-2);
    EXPECT_DOUBLE_EQ(automatic_tolerance(1000000, 0), 1e-2);
    EXPECT_DOUBLE_EQ(automatic_tolerance(1000000, 0.5), 2.5e-3);
    EXPECT_DOUBLE_EQ(automatic_tolerance(1000000, 1), 1e-6);
    double before = 0;
    for (std::size_t contacts = 1; contacts < 100000; contacts = contacts * 5 / 4 + 1) {
        const double tolerance = automatic_tolerance(contacts, 0.1);
        EXPECT_GE(tolerance, before);
        before = tolerance;
    }
}

TEST(ToleranceControl, RoundOffIsNotAimedAtAndAHundredthIsGoodEnough)
{
    ContactProblem<2> problem;
    problem.rows.resize(10);
    problem.reference_velocity = 1e-2;
    ToleranceControl control{.automatic = true};
    control.choose(problem);
    EXPECT_DOUBLE_EQ(control.present(), 1e-8);
    EXPECT_DOUBLE_EQ(control.tightest, 1e-8);
    SolveReport report;
    report.reached = false;
    report.residual = 9e-3;
    EXPECT_TRUE(control.is_met_by(report));
    report.residual = 1.1e-2;
    EXPECT_FALSE(control.is_met_by(report));
    problem.reference_velocity = 1e-8; // what an exact impact leaves
    problem.round_off = 1e-13;
    control.choose(problem);
    EXPECT_DOUBLE_EQ(control.present(), 1e-5);
    problem.rows.resize(10000);
    control.choose(problem);
    EXPECT_DOUBLE_EQ(control.present(), 1e-2);
    EXPECT_DOUBLE_EQ(control.asked, 1e-2);
}

TEST(ToleranceControl, ASolveIsJudgedByWhatWasAsked)
{
    ToleranceControl control{.asked = 1e-2, .aimed = 1e-2, .factor = 0.1};
    SolveReport report;
    report.reached = false;
    report.residual = 5e-3; // more than the tightened 1e-3
    EXPECT_TRUE(control.is_met_by(report));
    report.residual = 2e-2;
    EXPECT_FALSE(control.is_met_by(report));
    report.residual = NAN;
    EXPECT_FALSE(control.is_met_by(report));
}

TEST(Quality, TheTightenedToleranceReachesEverySolver)
{
    for (const char* solver : {"name = \"auto\"", "name = \"nlgs\"", "name = \"nlgs\"\nstorage = \"sdl\"",
                               "name = \"ddm\"", "name = \"ddm_async\""}) {
        auto simulation = simulation_of<2>(heap + "[solver]\ntolerance = 1e-2\nsweeps = 100000\n" + solver + "\n");
        for (int step = 0; step < 150; ++step) simulation.step(); // fallen, and many contacts
        const double before = simulation.step().solve.residual;
        simulation.contact_dynamics().tolerance.asked = simulation.contact_dynamics().tolerance.aimed = 1e-7;
        const SolveReport tight = simulation.step().solve;
        EXPECT_GT(before, 1e-7) << solver << ": the claim needs a loose solve first";
        EXPECT_TRUE(tight.reached) << solver;
        EXPECT_LE(tight.residual, 1e-7) << solver;
        EXPECT_NE(tight.solver, "") << solver;
    }
}

TEST(Quality, ResidualIsTheTolerance)
{
    EXPECT_TRUE(simulation_of<2>(heap).contact_dynamics().tolerance.automatic);
    EXPECT_EQ(simulation_of<2>(heap + "[quality]\nresidual = \"0.3 %\"\n").contact_dynamics().tolerance.asked, 3e-3);
    EXPECT_EQ(simulation_of<2>(heap + "[solver]\ntolerance = 4e-3\n").contact_dynamics().tolerance.asked, 4e-3);
    auto simulation = simulation_of<2>(heap + "[quality]\nresidual = 1e-6\n[solver]\nsweeps = 100000\n");
    for (int step = 0; step < 150; ++step) simulation.step();
    EXPECT_LE(simulation.step().solve.residual, 1e-6);
}

TEST(Quality, TwoResidualsMustAgree)
{
    const std::string asked = heap + "[quality]\nresidual = 1e-3\n[solver]\n";
    EXPECT_EQ(mistakes_of(asked + "tolerance = 1e-3\n"), "");
    EXPECT_EQ(mistakes_of(asked + "tolerance = 1e-4\n"),
              "test.toml:27:12: quality.residual = 0.001: differs from solver.tolerance = 1e-04: give one of them\n");
    EXPECT_EQ(mistakes_of(asked + "stop = \"sweeps\"\n"), "test.toml:27:12: quality.residual = 0.001: is not looked at "
                                                          "with solver.stop = \"sweeps\": use \"residual\"\n");
}

TEST(Quality, LimitsAreSharesOrPerCentAndOnlySweepsAdapt)
{
    const auto limited = simulation_of<2>(heap + "[quality]\ninterpenetration = \"2 %\"\n");
    EXPECT_EQ(limited.contact_dynamics().tolerance.interpenetration_limit, 0.02);
    EXPECT_TRUE(limited.contact_dynamics().tolerance.may_tighten);
    EXPECT_FALSE(simulation_of<2>(heap + "[quality]\nadapt = []\n").contact_dynamics().tolerance.may_tighten);
    EXPECT_FALSE(simulation_of<2>(heap + "[solver]\nstop = \"sweeps\"\n").contact_dynamics().tolerance.may_tighten);
    const std::string refused = mistakes_of(heap + "[quality]\nadapt = [\"dt\"]\n");
    EXPECT_NE(refused.find("quality.adapt"), std::string::npos) << refused;
    EXPECT_NE(refused.find("allowed: sweeps"), std::string::npos) << refused;
}
