// A tamping cycle in the air: lift, dive, withdrawal and the way to the next sleeper.
#include "railway/tools_in_tests.hpp"

namespace talus {
namespace {

TEST(Tamping, DivesAtTheImposedSpeed)
{
    auto simulation = track_simulation(track_scene(tamping_operation()));
    const std::vector<Tool> tools = tools_of(simulation);
    for (int step = 1; step <= 100; ++step) {
        simulation.step();
        for (const Tool& tool : tools) {
            EXPECT_NEAR(-raised(simulation, tool), 1.6 * simulation.clock.time(), 0.16 * 1e-12 + round_off * 0.1);
            EXPECT_EQ(advanced(simulation, tool), 0);
        }
    }
}

// a steady load R keeps it behind by 5 R dt²/M
TEST(Tamping, TheMachineCarriesTheToolInItsDive)
{
    auto simulation = track_simulation(track_scene(tamping_operation(), gravity));
    const Tool tool = tools_of(simulation)[0];
    advance(simulation, 0.1);
    const double lag = 5 * 9.81 * simulation.clock.dt * simulation.clock.dt;
    EXPECT_NEAR(raised(simulation, tool), -0.16 - lag, 1e-3 * lag);
}

// M dv/dt = F − Mg: half a kilonewton does not carry a hundred kilograms
TEST(Tamping, ATooWeakMachineYields)
{
    auto simulation = track_simulation(track_scene(tamping_operation("largest_force = 500\n"), gravity),
                                       {"operations[0].squeeze_time=0.1"});
    const Tool tool = tools_of(simulation)[0];
    const double carries = 500.0 / 100, falls = 9.81 - carries, phase = 0.1;
    const double late = carries * simulation.clock.dt * phase; // [m] the machine answers one step later
    advance(simulation, phase);
    EXPECT_NEAR(raised(simulation, tool), -0.16 - 0.5 * falls * phase * phase, 1.01 * late) << "the dive";
    advance(simulation, 2 * phase);
    EXPECT_NEAR(raised(simulation, tool), -0.16 - falls * phase * phase, 2.02 * late) << "and from rest, the squeeze";
}

// a plate 50 mm below the tips
TEST(Tamping, AToolThatMeetsAFixedBodyPressesWithTheLargestForceAndStops)
{
    const std::string plate = "[[bodies]]\nname = \"plate\"\nshape = \"box\"\nsize = [2, 2, 0.1]\n"
                              "position = [0, 0.45, 0.9]\nmotion = \"fixed\"\nmaterial = \"steel\"\n"
                              "[contact]\nfriction = 0\nrestitution = 0\n";
    auto simulation = track_simulation(track_scene(tamping_operation("largest_force = 8e3\n"), plate));
    const Tool tool = tools_of(simulation)[0];
    advance(simulation, 0.05);
    for (int step = 0; step < 45; ++step) {
        simulation.step();
        EXPECT_NEAR(raised(simulation, tool), -0.05, 1e-6);
        EXPECT_NEAR(simulation.bodies.reaction[tool.body].z(), 8e3, 1e-6 * 8e3) << "step " << step;
    }
    advance(simulation, 0.2);
    EXPECT_NEAR(raised(simulation, tool), 0, 2 * round_off) << "and is withdrawn to where it came from";
}

TEST(Tamping, DiveTimeReplacesTheDepth)
{
    auto simulation = track_simulation(track_scene(tamping_operation("penetration_time = 0.05\n")));
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.05);
    EXPECT_NEAR(raised(simulation, tools[0]), -1.6 * 0.05, round_off);
    simulation.step();
    EXPECT_GT(raised(simulation, tools[0]), -1.6 * 0.05) << "on its way up";
}

TEST(Tamping, VibratesAsASineMirroredOnTheTwoSides)
{
    auto simulation = track_simulation(track_scene(tamping_operation(vibration_keys)),
                                       {"operations[0].amplitude=0.004", "operations[0].withdrawal_speed=1.6"});
    const std::vector<Tool> tools = tools_of(simulation);
    for (int step = 1; step <= 200; ++step) { // down and up
        simulation.step();
        const double sine = 0.004 * std::sin(pulsation * simulation.clock.time());
        for (const Tool& tool : tools) {
            EXPECT_NEAR(advanced(simulation, tool), sine, off_sine(simulation, 0.004));
        }
    }
}

TEST(Tamping, EllipticalVibrationHasAVerticalPartAQuarterAhead)
{
    for (const bool automatic : {true, false}) {
        Sets sets{"operations[0].amplitude=0.004", "operations[0].vibration=elliptical"};
        if (!automatic) sets.push_back("operations[0].vertical_amplitude=0.003");
        auto simulation = track_simulation(track_scene(tamping_operation(vibration_keys)), sets);
        const std::vector<Tool> tools = tools_of(simulation);
        const double vertical = automatic ? 0.002 : 0.003;
        for (int step = 1; step <= 100; ++step) {
            simulation.step();
            const double time = simulation.clock.time();
            for (const Tool& tool : tools) {
                EXPECT_NEAR(advanced(simulation, tool), 0.004 * std::sin(pulsation * time),
                            off_sine(simulation, 0.004));
                EXPECT_NEAR(raised(simulation, tool), -1.6 * time + vertical * (std::cos(pulsation * time) - 1),
                            off_sine(simulation, vertical));
            }
        }
    }
}

TEST(Tamping, WithdrawalBringsTheTipBackToItsHeight)
{
    for (const char* key : {"penetration_depth = 0.16\n", "penetration_time = 0.1\n", "penetration_time = 0.05\n"}) {
        auto simulation = track_simulation(track_scene(
            "[[operations]]\ntype = \"tamping\"\nsqueeze_time = 0.02\nwithdrawal_speed = 0.8\n" + std::string(key)));
        const scene::Value scene = railway_scene(track_scene("[[operations]]\ntype = \"tamping\"\nsqueeze_time = 0.02\n"
                                                             "withdrawal_speed = 0.8\n" +
                                                             std::string(key)));
        const std::vector<Tool> tools = tools_of(simulation);
        const double end = operation_times(scene)[0].until;
        EXPECT_EQ(scene.at("scene").at("duration").number(), end);
        advance(simulation, end + 0.01);
        for (const Tool& tool : tools) {
            EXPECT_NEAR(raised(simulation, tool), 0, 2 * round_off) << key;
            EXPECT_EQ(simulation.bodies.velocity[tool.body].norm(), 0) << "at rest after the operation";
        }
    }
}

// 30 mm of squeeze at 0.3 m/s, then away at 0.4 m/s while the tip rises 160 mm at 0.8 m/s
TEST(Tamping, ToolsOpenAsTheyRiseAndStopWhereTheyDived)
{
    auto simulation = track_simulation(track_scene(tamping_operation("squeeze_speed = 0.3\nopening_speed = 0.4\n")),
                                       {"operations[0].squeeze_time=0.1", "operations[0].withdrawal_speed=0.8"});
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.2);
    for (const Tool& tool : tools) EXPECT_NEAR(advanced(simulation, tool), 0.03, 2 * round_off);
    advance(simulation, 0.25);
    for (const Tool& tool : tools) EXPECT_NEAR(advanced(simulation, tool), 0.01, 2 * round_off);
    advance(simulation, 0.41);
    for (const Tool& tool : tools) {
        EXPECT_NEAR(advanced(simulation, tool), 0, 2 * round_off);
        EXPECT_NEAR(raised(simulation, tool), 0, 2 * round_off);
    }
}

// the tips are up after 0.1 s and the tools, 30 mm closer, need 0.3 s at 0.1 m/s
TEST(Tamping, ToolsGoOnOpeningAndVibratingAboveTheBed)
{
    auto simulation = track_simulation(
        track_scene(tamping_operation(vibration_keys + "squeeze_speed = 0.3\nopening_speed = 0.1\n")),
        {"operations[0].amplitude=0.004", "operations[0].squeeze_time=0.1", "operations[0].withdrawal_time=0.5"});
    const std::vector<Tool> tools = tools_of(simulation);
    for (const double since : {0.05, 0.2, 0.45}) {
        advance(simulation, 0.2 + since);
        const double sine = 0.004 * std::sin(pulsation * simulation.clock.time());
        for (const Tool& tool : tools) {
            EXPECT_NEAR(advanced(simulation, tool), std::max(0.0, 0.03 - 0.1 * since) + sine,
                        2 * off_sine(simulation, 0.004))
                << since << " s, two phases begun in mid-swing";
        }
    }
}

// phases take whole steps: each of them is right to half a step's motion
TEST(Tamping, WithdrawalBringsTheTipBackFromADiveOfPartOfAStep)
{
    auto simulation = track_simulation(track_scene(tamping_operation()), {"operations[0].penetration_time=0.0774"});
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.4);
    EXPECT_NEAR(raised(simulation, tools[0]), 0, 1.6e-3);
}

TEST(Tamping, SleeperIsLiftedHeldAndFallsFreelyAfterwards)
{
    auto simulation = track_simulation(track_scene(tamping_operation("lift = 0.03\nlift_time = 0.1\n"), gravity));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    const double start = simulation.bodies.position[sleeper].z();
    advance(simulation, 0.1);
    const double lifted = simulation.bodies.position[sleeper].z();
    EXPECT_NEAR(lifted - start, 0.03, round_off);
    for (int step = 0; step < 200; ++step) {
        simulation.step();
        EXPECT_EQ(simulation.bodies.position[sleeper].z(), lifted) << "held until the tools are out";
    }
    for (int step = 1; step <= 100; ++step) {
        simulation.step();
        const double speed = -simulation.bodies.velocity[sleeper].z();
        EXPECT_NEAR(lifted - simulation.bodies.position[sleeper].z(), 0.5 * speed * speed / 9.81, round_off);
        EXPECT_NEAR(speed, 9.81 * step * simulation.clock.dt, 9.81 * simulation.clock.dt + 1e-12) << "to a step";
    }
    EXPECT_EQ(simulation.bodies.spin[sleeper].norm(), 0) << "the rails keep it upright";
}

TEST(Tamping, SleeperThatIsNotHeldMovesOnItsOwn)
{
    auto simulation = track_simulation(track_scene(tamping_operation("hold_sleeper = false\n"), gravity));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    const double start = simulation.bodies.position[sleeper].z();
    advance(simulation, 0.1);
    EXPECT_NEAR(start - simulation.bodies.position[sleeper].z(), 0.5 * 9.81 * 0.01, round_off);
}

// it falls while nothing is imposed, and stops when the machine takes hold of it
TEST(Tamping, SleeperStopsWhenItIsHeld)
{
    auto simulation = track_simulation(track_scene(tamping_operation("pause = 0.1\n"), gravity));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    advance(simulation, 0.1);
    const double place = simulation.bodies.position[sleeper].z();
    simulation.step();
    EXPECT_NEAR(simulation.bodies.position[sleeper].z(), place, round_off) << "in the first step";
    advance(simulation, 0.15);
    EXPECT_NEAR(simulation.bodies.position[sleeper].z(), place, round_off);
}

const std::string three_sleepers = "[track]\nlength = 2.1\n[track.sleepers]\ncount = 3\nlevels = [0, 0.02, -0.01]\n";
// 0.05 s of lift, 0.1 s down, 0.1 s up, 0.15 s on the way
const std::string three_cycles =
    tamping_operation("sleepers = [1, 2, 3]\nlift_time = 0.05\ntravel_time = 0.15\ntravel_height = 0.1\n");

class LiftOfThree : public testing::TestWithParam<double> {};

TEST_P(LiftOfThree, EachIsLiftedToTheHighestPlusTheLift)
{
    const std::string lift = std::to_string(GetParam());
    for (const std::string time : {"0.05", "auto"}) {
        auto simulation = track_simulation(track_scene(three_cycles, three_sleepers),
                                           {"operations[0].lift=" + lift, "operations[0].lift_time=" + time});
        const double highest = simulation.bodies.position[body_named(simulation, "sleeper 2")].z();
        advance(simulation, 3);
        for (const char* name : {"sleeper 1", "sleeper 2", "sleeper 3"}) {
            EXPECT_NEAR(simulation.bodies.position[body_named(simulation, name)].z(), highest + GetParam(), round_off)
                << name << ", lift_time = " << time;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithout, LiftOfThree, testing::Values(0.03, 0.0));

TEST(Tamping, WithoutAlignmentEachIsLiftedByTheLift)
{
    auto simulation = track_simulation(track_scene(three_cycles, three_sleepers),
                                       {"operations[0].lift=0.03", "operations[0].align=false"});
    const std::size_t third = body_named(simulation, "sleeper 3");
    const double start = simulation.bodies.position[third].z();
    advance(simulation, 3);
    EXPECT_NEAR(simulation.bodies.position[third].z(), start + 0.03, round_off);
}

TEST(Tamping, ToolsStandAtEachSleeperInTurn)
{
    const std::vector<std::vector<int>> orders = {{1, 2, 3}, {3, 1, 2}};
    for (const std::vector<int>& order : orders) {
        const scene::Value scene = railway_scene(track_scene(three_cycles, three_sleepers),
                                                 {"operations[0].lift=0.03", "operations[0].squeeze_time=0.05",
                                                  "operations[0].sleepers=[" + std::to_string(order[0]) + "," +
                                                      std::to_string(order[1]) + "," + std::to_string(order[2]) + "]"});
        auto simulation = assemble<3>(with_parts(scene, std::size_t(order[0]) - 1));
        const Track track = *read_track(scene);
        const double start = simulation.bodies.position[body_named(simulation, "tool 1")].z();
        EXPECT_NEAR(operation_times(scene)[0].until, 3 * 0.3 + 2 * 0.15, 1e-12);
        for (std::size_t cycle = 0; cycle < 3; ++cycle) {
            advance(simulation, 0.45 * double(cycle) + 0.04); // while the sleeper is lifted
            const std::vector<ToolPlace> places = track.tool_places(std::size_t(order[cycle]) - 1);
            for (std::size_t k = 0; k < 2; ++k) {
                const Vec<3>& tool = simulation.bodies.position[body_named(simulation, tool_name(k))];
                EXPECT_NEAR(tool.y(), places[k].y, 2 * round_off) << "cycle " << cycle;
                EXPECT_NEAR(tool.z(), start, 2 * round_off) << "cycle " << cycle;
            }
            advance(simulation, 0.45 * double(cycle) + 0.2); // squeezed by 0.015 m
            const double gap = simulation.bodies.position[body_named(simulation, "tool 2")].y() -
                               simulation.bodies.position[body_named(simulation, "tool 1")].y();
            EXPECT_NEAR(gap, places[1].y - places[0].y - 2 * 0.3 * 0.05, 1e-11) << "cycle " << cycle;
        }
    }
}

TEST(Tamping, ToolsGoOverASleeperOnTheirWay)
{
    auto simulation = track_simulation(track_scene(three_cycles, three_sleepers), {"operations[0].lift=0.03"});
    const Tool tool = tools_of(simulation)[0];
    advance(simulation, 0.25);
    double highest = 0;
    while (simulation.clock.time() < 0.3995) {
        const double before = simulation.bodies.position[tool.body].y();
        simulation.step();
        const double along = std::abs(simulation.bodies.position[tool.body].y() - before);
        highest = std::max(highest, raised(simulation, tool));
        if (along > 1e-9) {
            EXPECT_NEAR(raised(simulation, tool), 0.1, 1e-9) << "moves along the track at full height";
        }
    }
    EXPECT_NEAR(highest, 0.1, 1e-9);
}

TEST(Tamping, WithoutTravelTimeTheToolsAreThereAtOnceOrItIsRefused)
{
    const Sets sets{"operations[0].travel_time=0", "operations[0].lift=0.03"};
    if (has(mistakes_of(track_scene(three_cycles, three_sleepers), sets), "operations[0].travel_time")) return;
    auto simulation = track_simulation(track_scene(three_cycles, three_sleepers), sets);
    const Tool tool = tools_of(simulation)[0];
    advance(simulation, 0.35); // in the dive at the second sleeper
    EXPECT_NEAR(simulation.bodies.position[tool.body].y() - tool.home.y(), 0.6, 1e-9);
}

TEST(Tamping, ASecondOperationFindsTheToolsAtItsSleeper)
{
    const std::string first = tamping_operation("sleepers = [1]\nsqueeze_stroke = 0.12\n");
    const std::string second = tamping_operation("sleepers = [2]\npause = 0.5\n");
    const scene::Value scene =
        railway_scene(track_scene(first + second, three_sleepers), {"operations[0].squeeze_time=0.1"});
    auto simulation = assemble<3>(with_parts(scene));
    const double begin = operation_times(scene)[1].from;
    advance(simulation, begin + 0.05); // in its dive
    const std::vector<ToolPlace> places = read_track(scene)->tool_places(1);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(simulation.bodies.position[body_named(simulation, tool_name(k))].y(), places[k].y, 1e-9);
    }
}

TEST(Tamping, ASecondOperationOnTheSameSleeperSqueezesFromTheSamePlace)
{
    const std::string operation = tamping_operation("squeeze_stroke = 0.12\n");
    const scene::Value scene =
        railway_scene(track_scene(operation + operation),
                      {"operations[0].squeeze_time=0.5", "operations[1].squeeze_time=0.5", "operations[1].pause=0.5"});
    auto simulation = assemble<3>(with_parts(scene));
    const std::vector<Tool> tools = tools_of(simulation);
    double most = 0;
    while (simulation.clock.time() < operation_times(scene)[1].until) {
        simulation.step();
        for (const Tool& tool : tools) most = std::max(most, advanced(simulation, tool));
    }
    EXPECT_LT(most, 0.15) << "the sleeper is 0.15 m away from where the tools stand";
}

TEST(Tamping, PenetrationUnderForceEndsAtTheDepth)
{
    for (const std::string time : {"1", "auto"}) {
        auto simulation =
            track_simulation(track_scene(tamping_operation()),
                             {"operations[0].penetration_force=4e3", "operations[0].penetration_time=" + time,
                              "operations[0].squeeze_time=0.2", "operations[0].squeeze_stroke=0"});
        const std::vector<Tool> tools = tools_of(simulation);
        double deepest = 0;
        for (int step = 0; step < 300; ++step) {
            simulation.step();
            const double speed = -simulation.bodies.velocity[tools[0].body].z();
            EXPECT_LE(speed, 1.6) << "never faster than penetration_speed";
            deepest = std::max(deepest, -raised(simulation, tools[0]));
        }
        EXPECT_GE(deepest, 0.16 - 1e-9) << "penetration_time = " << time;
        EXPECT_LE(deepest, 0.16 + 1.6 * simulation.clock.dt) << "to the motion of a step";
    }
}

TEST(Tamping, PenetrationUnderForceIsWithdrawnToWhereItBegan)
{
    // 4 kN on 100 kg never reach the depth in 50 ms
    auto simulation = track_simulation(track_scene(tamping_operation()),
                                       {"operations[0].penetration_force=4e3", "operations[0].penetration_time=0.05"});
    const std::vector<Tool> tools = tools_of(simulation);
    advance(simulation, 0.5);
    EXPECT_NEAR(raised(simulation, tools[0]), 0, 1.6 * simulation.clock.dt);
}

TEST(Tamping, IsDoneAtTheTimeItSays)
{
    const scene::Value scene =
        railway_scene(track_scene(tamping_operation("lift = 0.02\nhold_time = 0.05\nsqueeze_stroke = 0.05\n"), gravity),
                      {"operations[0].squeeze_time=0.3"});
    auto simulation = assemble<3>(with_parts(scene));
    const double end = scene.at("scene").at("duration").number();
    EXPECT_NEAR(end, 0.2 + 0.1 + 0.3 + 0.05 + 0.1, 1e-12);
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    advance(simulation, end);
    EXPECT_TRUE(simulation.bodies.is_passive(sleeper));
    simulation.step();
    EXPECT_FALSE(simulation.bodies.is_passive(sleeper));
}

} // namespace
} // namespace talus
