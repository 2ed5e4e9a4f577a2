// scene.method = "event": exact answers, runs that are stopped and resumed, walls that move, and what is refused.
#include "io/made_up_run.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/simulation/event_driven.hpp"

using namespace talus;

namespace {

using Run2 = Run<2>;

const std::string event = "method = \"event\"\n";

std::string start(const std::string& contact, int dimension = 2, const std::string& more = "")
{
    return piece::start(
        {.dimension = dimension, .dt = "0.01", .duration = "2", .more = event + more, .contact = contact});
}

std::string ball(const std::string& name, double x, double y, double vx = 0, double vy = 0)
{
    return piece::body("disk", fmt::format("name = \"{}\"\nradius = 0.1\nposition = [{}, {}]\nvelocity = [{}, {}]",
                                           name, x, y, vx, vy));
}

std::string bouncing(double e)
{
    return start(fmt::format("friction = 0\nrestitution = {}", e)) + piece::floor(2, "stone", "name = \"floor\"") +
           ball("ball", 0, 1.1) + piece::gravity;
}

// A gas with everything that changes within a step: friction, gravity, a shaken floor, a sliding lid.
const std::string shaken_gas = start("friction = 0.3\nrestitution = 0.9") +
                               piece::generator("container", "[0, 0]", "[1, 2]", "name = \"box\"") +
                               piece::generator("random", "[0, 0.1]", "[1, 1.9]",
                                                "name = \"gas\"\nradius = [0.01, 0.03]\ncount = 150\n"
                                                "velocity_deviation = 1") +
                               piece::gravity +
                               "[[drivers]]\ntype = \"vibration\"\nbody = \"box.bottom\"\namplitude = [0, 0.02]\n"
                               "frequency = 7\n[[drivers]]\ntype = \"velocity\"\nbody = \"box.top\"\n"
                               "velocity = [0, -0.2]\nfrom = 0.5\nuntil = 1.2\n[event]\ntc = 1e-6\n";

} // namespace

// Heights after n impacts are h e^(2n), times those of the parabolas: to round-off, with many impacts in a step.
TEST(Events, ABouncingBallIsExact)
{
    const double e = 0.8, height = 1, g = 9.81;
    auto simulation = simulation_of<2>(bouncing(e), {"scene.dt=0.1"});
    double fall = std::sqrt(2 * height / g);
    for (int step = 1; step <= 20; ++step) {
        simulation.step();
        double left = 0.1 * step - fall, speed = e * g * fall;
        double expected = height - 0.5 * g * std::pow(0.1 * step, 2);
        if (left >= 0) {
            for (; left > 2 * speed / g; speed *= e) left -= 2 * speed / g;
            expected = speed * left - 0.5 * g * left * left;
        }
        EXPECT_NEAR(simulation.bodies.position[1][1] - 0.1, expected, 1e-12) << step;
    }
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-13 * simulation.energy.start);
}

TEST(Events, InelasticCollapseIsNamedWithItsBodiesAndTime)
{
    auto simulation = simulation_of<2>(bouncing(0.5));
    const std::string said = [&]() -> std::string {
        try {
            advance(simulation, 2);
        } catch (const RunError& error) {
            return error.what();
        }
        return "nothing";
    }();
    // all flights together: t₀ (1 + e)/(1 − e) = 3 √(2 h/g)
    EXPECT_TRUE(has(said, fmt::format("inelastic collapse at t = {:.6g}", 3 * std::sqrt(2 / 9.81)))) << said;
    for (const char* part : {"ball and floor", "event.tc", "contact dynamics"}) EXPECT_TRUE(has(said, part)) << said;
}

// With a contact time the ball ends on tiny lossless bounces: lower than g t_c²/8.
TEST(Events, AContactTimeEndsTheCollapse)
{
    auto simulation = simulation_of<2>(bouncing(0.5) + "[event]\ntc = 1e-4\n");
    advance(simulation, 2);
    const double height = simulation.bodies.position[1][1] - 0.1;
    EXPECT_GE(height, -1e-15);
    EXPECT_LT(height, 9.81 * 1e-8 / 8);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-11 * simulation.energy.start); // 10 000 bounces
}

// Balls that touch pass the blow on; of equal mass only the last leaves (V9).
TEST(Events, NewtonsCradlePassesTheBlowOn)
{
    std::string scene = start("friction = 0\nrestitution = 1") + ball("striker", -0.5, 0, 1);
    for (int k = 0; k < 5; ++k) scene += ball(fmt::format("ball {}", k), 0.2 * k, 0);
    auto simulation = simulation_of<2>(scene);
    advance(simulation, 1);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(simulation.bodies.velocity[i][0], 0, 1e-14);
    EXPECT_NEAR(simulation.bodies.velocity[5][0], 1, 1e-14);
}

// Balls apart: each gives (1 + e)/2 of its speed to the next, and is hit once more from behind later.
TEST(Events, AChainOfBallsPassesOnAPartOfTheSpeed)
{
    const double e = 0.7;
    std::string scene = start(fmt::format("friction = 0\nrestitution = {}", e)) + ball("striker", -1, 0, 2);
    for (int k = 0; k < 6; ++k) scene += ball(fmt::format("ball {}", k), 0.21 * k, 0);
    auto simulation = simulation_of<2>(scene, {"scene.duration=10"});
    advance(simulation, 1.5);
    EXPECT_NEAR(simulation.bodies.velocity[6][0], 2 * std::pow(0.5 * (1 + e), 6), 1e-12);
    EXPECT_NEAR(simulation.momentum()[0], 2 * simulation.bodies.mass[0], 1e-12 * simulation.bodies.mass[0]);
}

// A heavy wall that comes at speed u sends a ball off at u + e (u + v); the wall's work is in the ledger.
TEST(Events, AMovingWallDoesWork)
{
    auto simulation = simulation_of<2>(start("friction = 0\nrestitution = 0.6") +
                                       piece::floor(2, "stone", "name = \"floor\"") + ball("ball", 0, 1, 0, -1) +
                                       "[[drivers]]\ntype = \"velocity\"\nbody = \"floor\"\nvelocity = [0, 0.5]\n");
    advance(simulation, 1);
    EXPECT_NEAR(simulation.bodies.velocity[1][1], 0.5 + 0.6 * 1.5, 1e-13);
    EXPECT_NEAR(simulation.bodies.position[0][1], 0.5, 1e-13);
    EXPECT_NEAR(simulation.bodies.position[1][1], 0.1 + 0.5 * 0.6 + 1.4 * 0.4, 1e-13); // they meet at 0.6 s
    EXPECT_GT(simulation.energy.driver_work, 0);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-13 * simulation.energy.start);
}

// Bouncing ball on a shaken plate: impact times solve gap = 0, velocities the law, whatever the clock's step.
TEST(Events, AVibratedFloorIsFollowedWithinTheStep)
{
    const std::string scene = bouncing(0.7) + "[[drivers]]\ntype = \"vibration\"\nbody = \"floor\"\n"
                                              "amplitude = [0, 0.05]\nfrequency = 3\nphase = 0.4\n";
    auto simulation = simulation_of<2>(scene, {"scene.dt=0.5"});
    auto& balls = dynamic_cast<EventDriven<2>&>(*simulation.engine).balls;
    const auto floor = [](double t) { return 0.05 * (std::sin(6 * M_PI * t + 0.4) - std::sin(0.4)); };
    int impacts = 0;
    balls.on_impact = [&](const Impact<2>& impact) {
        EXPECT_NEAR(impact.place[1] - 0.1, floor(impact.time), 1e-14);
        ++impacts;
    };
    advance(simulation, 2);
    EXPECT_GE(impacts, 3);
    EXPECT_NEAR(simulation.bodies.position[0][1], floor(2), 1e-14);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-12 * simulation.energy.start);
}

TEST(Events, TheLedgerClosesOfAShakenGas)
{
    auto simulation = simulation_of<2>(shaken_gas);
    advance(simulation, 2);
    EXPECT_GT(simulation.energy.friction, 0);
    EXPECT_GT(simulation.energy.driver_work, 0);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-11 * simulation.energy.balance()); // of some 10 000 impacts
}

// The clock only shows where the bodies are.
TEST(Events, TheStepOfTheClockChangesNothing)
{
    const std::string scene =
        start("friction = 0.3\nrestitution = 0.9") + piece::generator("container", "[0, 0]", "[1, 1]") +
        piece::generator("random", "[0, 0]", "[1, 1]", "radius = [0.01, 0.03]\ncount = 100\nvelocity_deviation = 1");
    auto fine = simulation_of<2>(scene, {"scene.dt=0.0078125"}), coarse = simulation_of<2>(scene, {"scene.dt=0.5"});
    advance(fine, 1);
    advance(coarse, 1);
    for (std::size_t i = 0; i < fine.bodies.size(); ++i) {
        EXPECT_EQ(fine.bodies.position[i], coarse.bodies.position[i]);
        EXPECT_EQ(fine.bodies.velocity[i], coarse.bodies.velocity[i]);
    }
    EXPECT_EQ(fine.energy.impact, coarse.energy.impact);
}

// Stopped, written and read again: the same bits as without a stop, frames at their times.
TEST(Events, AResumedRunIsTheSameToTheBit)
{
    const io::Scratch scratch;
    const scene::Value scene =
        checked(io::parse_scene(shaken_gas + "[output]\nframes_every = \"0.1 s\"\n", "gas.toml"));
    const auto run = [&] { return Run2(assemble<2>(scene), plan_of(scene)); };
    Run2 whole = run();
    whole.observe(io::new_recorder(whole, scene, {scratch / "whole", "test"}));
    EXPECT_EQ(whole.advance().outcome, "done");
    const auto frames = io::read_run_info(scratch / "whole").times;
    ASSERT_EQ(frames.size(), 21u);
    for (std::size_t k = 0; k < frames.size(); ++k) EXPECT_NEAR(frames[k], 0.1 * double(k), 1e-12);

    Run2 begun = run();
    begun.observe(io::new_recorder(begun, scene, {scratch / "parts", "test"}));
    begun.advance_to(0.73);
    begun.stop_when([] { return RunEnd{"interrupted", "by the test", 0}; });
    begun.advance();

    Run2 resumed = run();
    io::read_checkpoint(scratch / "parts", resumed.simulation());
    EXPECT_NEAR(resumed.time(), 0.73, 1e-12);
    resumed.advance();
    EXPECT_EQ(resumed.simulation().state_hash(), whole.simulation().state_hash());
    EXPECT_EQ(resumed.simulation().energy.impact, whole.simulation().energy.impact);
    EXPECT_EQ(resumed.simulation().energy.friction, whole.simulation().energy.friction);
    const auto impacts = [](Run2& of) {
        return dynamic_cast<EventDriven<2>&>(*of.simulation().engine).balls.tally.impacts;
    };
    EXPECT_EQ(impacts(resumed), impacts(whole));
    EXPECT_GT(impacts(whole), 1000);
}

// What comes and goes on the way.
TEST(Events, GrainsAreFedAndLeave)
{
    auto simulation = simulation_of<2>(
        start("friction = 0.2\nrestitution = 0.8") +
        piece::generator("container", "[0, 0]", "[1, 9]",
                         "open = [\"top\", "
                         "\"bottom\"]") +
        piece::generator("feeder", "[0, 2]", "[1, 3]", "radius = 0.02\ncount = 40\nrate = 50\nvelocity = [1, 0]") +
        piece::gravity + "[[drivers]]\ntype = \"outlet\"\nlower = [0, -9]\nupper = [1, 0]\n");
    advance(simulation, 2);
    EXPECT_GT(simulation.left.size(), 10u);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-11 * simulation.energy.dissipated());
}

// Obstacles, a bowl and a rod, with gravity: nobody ends up in them.
TEST(Events, FixedBallsRodsAndBowlsAreWalls)
{
    auto simulation = simulation_of<2>(
        start("friction = 0.1\nrestitution = 0.95") +
        piece::body("hollow_disk", "radius = 1\nposition = [0, 0]\nmotion = \"fixed\"") +
        piece::body("disk", "radius = 0.2\nposition = [0.1, -0.4]\nmotion = \"fixed\"") +
        piece::body("segment", "from = [-0.5, 0.1]\nto = [-0.1, 0.2]\nradius = 0.02\nmotion = \"fixed\"") +
        piece::generator("random", "[-0.6, 0.25]", "[0.6, 0.6]",
                         "radius = [0.02, 0.04]\ncount = 30\nvelocity_deviation = 2") +
        piece::gravity);
    const double start_energy = simulation.kinetic_energy() + simulation.potential_energy();
    while (simulation.clock.time() < 0.8) {
        simulation.step();
        for (std::size_t i = 3; i < simulation.bodies.size(); ++i) {
            const Vec<2>& place = simulation.bodies.position[i];
            const double radius = simulation.shapes[simulation.bodies.shape[i]].radius;
            ASSERT_LT(place.norm() + radius, 1 + 1e-12);
            ASSERT_GT((place - Vec<2>(0.1, -0.4)).norm(), 0.2 + radius - 1e-12);
        }
    }
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-11 * start_energy);
}

TEST(Events, WhatDoesNotFitIsRefusedByName)
{
    const std::string head = start("friction = 0\nrestitution = 0.9"),
                      floor = piece::floor(2, "stone", "name = \"floor\"");
    const std::string one = ball("ball", 0, 1);
    const auto expect = [](const std::string& scene, std::initializer_list<const char*> parts) {
        const std::string said = refusal<2>(scene);
        for (const char* part : parts) EXPECT_TRUE(has(said, part)) << part << "\nnot in\n" << said;
    };
    expect(head + piece::body("cluster",
                              "name = \"ell\"\nparts = [[[0, 0], [1, 0], [1, 1]], [[0, 0], [-1, 0], [-1, -1]]]"),
           {"scene.method = \"event\"", "ell has several parts", "one disk"});
    expect(head + piece::body("polygon", "name = \"wedge\"\nvertices = [[0, 0], [1, 0], [0, 1]]"),
           {"wedge is a polygon", "moves disks", "half_space, segment and hollow_disk"});
    expect(start("restitution = 1.2") + one, {"contact.restitution = 1.2", "out of range", "[0, 1]"});
    expect(start("friction = 0") + one, {"contact.restitution = 0", "above 0, at most 1"});
    expect(start("restitution = 0.5\nrolling_friction = 0.1") + one, {"contact.rolling_friction = 0.1", ": 0"});
    expect(head + one + "[[drivers]]\ntype = \"drag\"\ncoefficient = 1\n",
           {"drivers[0].type = \"drag\"", "\"gravity\", \"velocity\", \"vibration\", \"outlet\""});
    expect(head + piece::body("disk", "name = \"held\"\nradius = 1\nposition = [9, 0]\nmotion = [\"x\"]"),
           {"held is held along some axes"});
    expect(head + floor + "[[drivers]]\ntype = \"velocity\"\nbody = \"floor\"\nspin = 2\n",
           {"drivers[0].spin = 2", "without turning"});
    expect(head + one + ball("other", 0.1999, 1), {"other", "overlap by 0.0001 m at the start", "needs bodies apart"});
    expect(head + floor + ball("grain", 0, 0.1) + piece::gravity,
           {"grain and floor touch and stay together", "contact dynamics"});
    expect(start("restitution = 0.9", 2, "until = \"rest\"\n") + one, {"scene.until = \"rest\"", "\"time\""});
    expect(head + one + "[[gauges]]\nname = \"g\"\ntype = \"sample\"\nindicators = [\"stress\"]\n",
           {"gauges[0].indicators[0] = \"stress\"", "needs contacts that last", "velocity"});
    expect(head + piece::generator("random", "[0, 0]", "[9, 9]", "shape = \"polygon\"\nsize = 0.5\ncount = 2"),
           {"generators[0].shape = \"polygon\"", "disks only"});
}

// Who packs too many impacts into a step is told so.
TEST(Events, APileThatBuildsUpIsNamed)
{
    auto simulation = simulation_of<2>(bouncing(0.5) + "[event]\ntc = 1e-7\nmost_impacts = 100\n");
    try {
        advance(simulation, 2);
        FAIL() << "10 000 impacts in a step";
    } catch (const RunError& error) {
        for (const char* part :
             {"more than 100 impacts per body", "contact dynamics", "event.tc", "event.most_impacts"}) {
            EXPECT_TRUE(has(error.what(), part)) << error.what();
        }
    }
}

TEST(Events, GaugesDoNotSpeakOfContacts)
{
    const auto simulation = library_simulation<2>("gas/cooling", {"generators[1].count=50"});
    ASSERT_EQ(simulation.gauges.size(), 1u);
    const std::vector<std::string> columns = simulation.gauges[0].columns();
    for (const char* column : {"coordination", "pressure_Npm", "contacts"}) {
        EXPECT_EQ(std::ranges::count(columns, column), 0) << column;
    }
    EXPECT_EQ(std::ranges::count(columns, "mean_speed_mps"), 1);
}

// Scenes of the library at other sizes and seeds.
TEST(Events, ScenesOfGasesRunAtOtherSizesAndSeeds)
{
    for (const int seed : {1, 2, 3}) {
        for (const int count : {20, 200}) {
            const std::vector<std::string> sets = {fmt::format("scene.seed={}", seed),
                                                   fmt::format("generators[1].count={}", count)};
            auto cooling = library_simulation<2>("gas/cooling", sets);
            advance(cooling, 2);
            EXPECT_NEAR(cooling.energy_imbalance(), 0, 1e-12 * cooling.energy.start);
            auto vibrated = library_simulation<3>("gas/vibrated", sets);
            advance(vibrated, 0.5);
            EXPECT_NEAR(vibrated.energy_imbalance(), 0, 1e-11 * vibrated.energy.balance());
            auto demon = library_simulation<2>("gas/maxwell-demon", sets);
            advance(demon, 1);
            EXPECT_NEAR(demon.energy_imbalance(), 0, 1e-10 * demon.energy.balance());
        }
    }
}
