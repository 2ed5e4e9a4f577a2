// The squeeze: at a speed, under a force in the air and against a wall, held without vibration.
#include "railway/tools_in_tests.hpp"

namespace talus {
namespace {

TEST(Squeeze, GoesAtTheImposedSpeedUpToItsStroke)
{
    auto simulation = track_simulation(track_scene(tamping_operation(vibration_keys)),
                                       {"operations[0].amplitude=0.004", "operations[0].squeeze_time=0.5",
                                        "operations[0].squeeze_speed=0.2", "operations[0].squeeze_stroke=0.0501"});
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.1);
    for (int step = 1; step <= 500; ++step) {
        simulation.step();
        const double time = simulation.clock.time();
        const double stroke = std::min(0.2 * (time - 0.1), 0.0502); // the end of the step in which it was reached
        for (const Tool& tool : tools) {
            EXPECT_NEAR(advanced(simulation, tool), stroke + 0.004 * std::sin(pulsation * time),
                        off_sine(simulation, 0.004))
                << time;
            EXPECT_NEAR(raised(simulation, tool), -0.16, round_off);
        }
    }
}

// dives of 4 to 4 3/4 periods: the squeeze begins at any phase of the vibration
class SqueezeFromPhase : public testing::TestWithParam<int> {
  protected:
    const double dive = 0.16 + 0.01 * GetParam(), amplitude = 0.004, limit = 0.3;
    Simulation<3> simulation = track_simulation(track_scene(tamping_operation(vibration_keys)),
                                                {"operations[0].amplitude=0.004", "operations[0].squeeze_time=0.6",
                                                 "operations[0].squeeze_force=6e3", "operations[0].squeeze_stroke=0.1",
                                                 "operations[0].penetration_time=" + std::to_string(dive)});
    const std::vector<Tool> tools = tools_of(simulation);
};

TEST_P(SqueezeFromPhase, InTheAirNeverExceedsItsSpeedAndEndsAtItsStroke)
{
    advance(simulation, dive);
    while (simulation.clock.time() < dive + 0.5995) {
        simulation.step();
        const double time = simulation.clock.time();
        for (const Tool& tool : tools) {
            const double speed = std::abs(simulation.bodies.velocity[tool.body].y());
            EXPECT_LE(speed, limit + amplitude * pulsation + 1e-12) << time;
            // the mean velocity of a vibration led over a step differs from the sine's by (ωh)²/24
            const double swing = amplitude * std::sin(pulsation * time);
            EXPECT_LE(advanced(simulation, tool) - swing, 0.1 + limit * simulation.clock.dt + 1e-5) << time;
        }
    }
    for (const Tool& tool : tools) {
        const double swing = amplitude * std::sin(pulsation * simulation.clock.time());
        EXPECT_GE(advanced(simulation, tool) - swing, 0.1 - 1e-12);
        EXPECT_LE(advanced(simulation, tool) - swing, 0.1 + limit * simulation.clock.dt + 1e-5);
    }
}

// what moves beside the vibration is the ram, which begins at rest
TEST_P(SqueezeFromPhase, RamIsNeverFasterThanItsSpeed)
{
    advance(simulation, dive);
    double before = 0;
    for (int step = 0; step < 100; ++step) {
        simulation.step();
        const double stroke =
            advanced(simulation, tools[0]) - amplitude * std::sin(pulsation * simulation.clock.time());
        // the trapezoidal sum of the sine's velocity differs from the sine by (ωh)²/12 of aωh: 1.3e-6 m
        EXPECT_LE(stroke - before, limit * simulation.clock.dt + 2e-6) << "step " << step << " of the squeeze";
        EXPECT_GE(stroke - before, -2e-6) << "step " << step << ": it does not go back";
        before = stroke;
    }
}

INSTANTIATE_TEST_SUITE_P(Quarters, SqueezeFromPhase, testing::Range(0, 4));

// a block in the way of the first tool, 15 mm ahead of its shaft
std::string anvil()
{
    const double y = 0.45 - 0.145 - 0.15 + 0.015 + 0.05;
    return "[[bodies]]\nname = \"anvil\"\nshape = \"box\"\nsize = [0.5, 0.1, 2]\nposition = [0, " + std::to_string(y) +
           ", 1]\nmotion = \"fixed\"\nmaterial = \"steel\"\n[contact]\nfriction = 0\nrestitution = 0\n";
}

// [N] mean of the reaction on the first tool over whole periods, at the end of a long squeeze; and its spread
struct Reaction {
    double mean = 0, least = 1e300, most = -1e300;
};
Reaction reaction_of_anvil(const Sets& more)
{
    Sets sets{"scene.dt=0.0005", "operations[0].squeeze_time=2", "operations[0].squeeze_force=6e3",
              "operations[0].squeeze_stroke=0.1"};
    sets.insert(sets.end(), more.begin(), more.end());
    auto simulation = track_simulation(track_scene(tamping_operation(vibration_keys), anvil()), sets);
    const Tool tool = tools_of(simulation)[0];
    advance(simulation, 1.1);
    Reaction reaction;
    const int steps = 80 * 20; // twenty periods
    for (int step = 0; step < steps; ++step) {
        simulation.step();
        const double force = -simulation.bodies.reaction[tool.body].y();
        reaction.mean += force / steps;
        reaction.least = std::min(reaction.least, force);
        reaction.most = std::max(reaction.most, force);
    }
    return reaction;
}

TEST(Squeeze, WithoutVibrationTheSqueezeForceIsFeltByAWall)
{
    const Reaction reaction = reaction_of_anvil({});
    EXPECT_NEAR(reaction.mean, 6e3, 1e-6 * 6e3) << "a balance: the solver's tolerance";
    EXPECT_NEAR(reaction.most, reaction.least, 1e-6 * 6e3);
}

// M a ω² = 2.5 kN for 1 mm: the tool stays in touch; the ram's speed is within its limit, aω = 0.16 m/s
TEST(Squeeze, MeanReactionOfAWallIsTheSqueezeForceUnderASmallVibration)
{
    const Reaction reaction = reaction_of_anvil({"operations[0].amplitude=0.001"});
    EXPECT_NEAR(reaction.mean, 6e3, 0.01 * 6e3);
    EXPECT_GT(reaction.most - reaction.least, 2 * 0.9 * 100 * 0.001 * pulsation * pulsation) << "it is felt";
}

TEST(Squeeze, MeanReactionOfAWallIsTheSqueezeForceUnderTheVibrationOfAMachine)
{
    const Reaction reaction = reaction_of_anvil({"operations[0].amplitude=0.005"});
    EXPECT_NEAR(reaction.mean, 6e3, 0.01 * 6e3);
    EXPECT_GT(reaction.most - reaction.least, 6e3) << "it is felt";
}

TEST(Squeeze, HoldKeepsTheForceWithoutVibration)
{
    auto simulation = track_simulation(track_scene(tamping_operation(vibration_keys), anvil()),
                                       {"operations[0].amplitude=0.005", "operations[0].squeeze_time=0.4",
                                        "operations[0].squeeze_force=6e3", "operations[0].squeeze_stroke=0.1",
                                        "operations[0].hold_time=0.5"});
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.9); // 0.4 s of hold: the tool has come to rest at the wall
    const double place = advanced(simulation, tools[0]);
    for (int step = 0; step < 50; ++step) {
        simulation.step();
        EXPECT_NEAR(-simulation.bodies.reaction[tools[0].body].y(), 6e3, 1e-6 * 6e3);
        EXPECT_NEAR(advanced(simulation, tools[0]), place, 1e-9);
    }
}

} // namespace
} // namespace talus
