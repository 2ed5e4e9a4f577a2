// Stabilisation, train, lateral push and wall force follow their laws; operations come one after another.
#include "railway/track_scenes.hpp"

namespace talus {
namespace {

constexpr double sleeper_mass = 2400 * (0.84 * 0.29 * 0.22 + 0.18 * 0.15 * 0.015); // [kg]

std::string operation(const std::string& type, const std::string& keys)
{
    return "[[operations]]\ntype = \"" + type + "\"\n" + keys;
}

const std::string two_sleepers = "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n";

TEST(Stabilisation, SleeperVibratesAsASine)
{
    auto simulation = track_simulation(
        track_scene(operation("stabilisation", "amplitude = 0.003\nfrequency = 25\ntime = 0.5\nforce = 0\n")));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    for (int step = 0; step < 500; ++step) {
        simulation.step();
        const double sine = 0.003 * std::sin(2 * M_PI * 25 * simulation.clock.time());
        EXPECT_NEAR(simulation.bodies.position[sleeper].x(), sine, round_off);
    }
    advance(simulation, 0.6);
    EXPECT_EQ(simulation.bodies.velocity[sleeper].x(), 0) << "at rest afterwards";
    EXPECT_FALSE(simulation.bodies.is_imposed(sleeper, 0)) << "and free";
}

TEST(Stabilisation, SleeperSinksUnderItsWeightAndTheForce)
{
    auto simulation = track_simulation(
        track_scene(operation("stabilisation", "time = 0.3\nforce = 2e3\nramp = 0.1\nfrequency = 25\n"), gravity));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    advance(simulation, 0.1);
    // a ramp gives half of what the whole force gives; the middle of each step is exact for it
    const double speed = -simulation.bodies.velocity[sleeper].z();
    EXPECT_NEAR(speed, (9.81 + 0.5 * 2e3 / sleeper_mass) * 0.1, 1e-12);
    const double place = simulation.bodies.position[sleeper].z();
    const double acceleration = 9.81 + 2e3 / sleeper_mass;
    for (int step = 1; step <= 200; ++step) {
        simulation.step();
        const double time = step * simulation.clock.dt;
        EXPECT_NEAR(place - simulation.bodies.position[sleeper].z(), speed * time + 0.5 * acceleration * time * time,
                    round_off);
    }
    simulation.step();
    const double after = -simulation.bodies.velocity[sleeper].z();
    simulation.step();
    EXPECT_NEAR(-simulation.bodies.velocity[sleeper].z() - after, 9.81 * simulation.clock.dt, 1e-12)
        << "its weight alone";
}

TEST(Stabilisation, SleepersAreTreatedOneAfterAnother)
{
    const scene::Value scene = railway_scene(track_scene(
        operation("stabilisation", "sleepers = [2, 1]\ntime = 0.05\nforce = 2e3\nramp = 0\nfrequency = 20\n"),
        two_sleepers));
    auto simulation = assemble<3>(with_parts(scene));
    EXPECT_NEAR(scene.at("scene").at("duration").number(), 0.1, 1e-15);
    const std::size_t first = body_named(simulation, "sleeper 1"), second = body_named(simulation, "sleeper 2");
    advance(simulation, 0.05);
    EXPECT_EQ(simulation.bodies.velocity[first].norm(), 0);
    EXPECT_NEAR(-simulation.bodies.velocity[second].z(), 2e3 * 0.05 / sleeper_mass, 1e-12);
    const double speed = simulation.bodies.velocity[second].z();
    advance(simulation, 0.1);
    EXPECT_NEAR(-simulation.bodies.velocity[first].z(), 2e3 * 0.05 / sleeper_mass, 1e-12);
    EXPECT_EQ(simulation.bodies.velocity[second].z(), speed);
}

TEST(Stabilisation, ScaleTakesItsPartOfTheForce)
{
    auto simulation = track_simulation(
        track_scene(operation("stabilisation", "time = 0.05\nforce = 2e3\nramp = 0\nfrequency = 20\n")),
        {"scene.scale=0.5", "track.sleepers.mass=50"});
    advance(simulation, 0.05);
    EXPECT_NEAR(-simulation.bodies.velocity[body_named(simulation, "sleeper 1")].z(), 1e3 * 0.05 / 50, 1e-12);
}

// the middles of the steps of a whole period add up to nothing: the sum is exact
TEST(Train, GivesHalfItsForceOverItsCycles)
{
    const scene::Value scene =
        railway_scene(track_scene(operation("train", "force = 3e3\nfrequency = 5\ncycles = 7\n")));
    auto simulation = assemble<3>(with_parts(scene));
    const double end = scene.at("scene").at("duration").number();
    EXPECT_NEAR(end, 7 / 5.0, 1e-12);
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    advance(simulation, end);
    const double impulse = -sleeper_mass * simulation.bodies.velocity[sleeper].z();
    EXPECT_NEAR(impulse, 0.5 * 3e3 * 7 / 5, 1e-9 * impulse);
    advance(simulation, end + 0.3);
    EXPECT_NEAR(-sleeper_mass * simulation.bodies.velocity[sleeper].z(), impulse, 1e-9 * impulse) << "no more";
}

// 142.9 steps in a period: what is cut off at the end of the last cycle is near its zero
TEST(Train, ImpulseOfAPeriodThatIsNoWholeNumberOfSteps)
{
    auto simulation = track_simulation(track_scene(operation("train", "force = 3e3\nfrequency = 7\ncycles = 3\n")));
    advance(simulation, 0.6);
    const double impulse = -sleeper_mass * simulation.bodies.velocity[body_named(simulation, "sleeper 1")].z();
    EXPECT_NEAR(impulse, 0.5 * 3e3 * 3 / 7, 1e-4 * impulse); // (ωh)²/24 = 8e-5 of the cosine's half
}

TEST(Train, ReachesSleepersFurtherAlongLaterAndInFull)
{
    // 0.6 m at 6 m/s: 0.1 s later
    const scene::Value scene = railway_scene(track_scene(
        operation("train", "sleepers = [1, 2]\nforce = 3e3\nfrequency = 5\ncycles = 2\nspeed = 6\n"), two_sleepers));
    auto simulation = assemble<3>(with_parts(scene));
    const std::size_t first = body_named(simulation, "sleeper 1"), second = body_named(simulation, "sleeper 2");
    advance(simulation, 0.1);
    EXPECT_LT(simulation.bodies.velocity[first].z(), 0);
    EXPECT_EQ(simulation.bodies.velocity[second].z(), 0);
    advance(simulation, scene.at("scene").at("duration").number());
    const double impulse = 0.5 * 3e3 * 2 / 5;
    EXPECT_NEAR(-sleeper_mass * simulation.bodies.velocity[first].z(), impulse, 1e-9 * impulse);
    EXPECT_NEAR(-sleeper_mass * simulation.bodies.velocity[second].z(), impulse, 1e-9 * impulse)
        << "\"auto\" ends before the last sleeper has had its load";
}

TEST(LateralPush, MovesTheSleeperAtItsSpeedAndLetsGo)
{
    auto simulation =
        track_simulation(track_scene(operation("lateral_push", "speed = 0.02\ndisplacement = 0.004\nload = 500\n")));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    for (int step = 1; step <= 200; ++step) {
        simulation.step();
        EXPECT_NEAR(simulation.bodies.position[sleeper].x(), 0.02 * simulation.clock.time(), round_off);
    }
    const double speed = -simulation.bodies.velocity[sleeper].z();
    EXPECT_NEAR(speed, 500 * 0.2 / sleeper_mass, 1e-12) << "the load acts meanwhile";
    advance(simulation, 0.3);
    EXPECT_NEAR(simulation.bodies.position[sleeper].x(), 0.004, round_off);
    EXPECT_EQ(simulation.bodies.imposed[sleeper], 0b111000) << "free again, but to turn";
    EXPECT_EQ(-simulation.bodies.velocity[sleeper].z(), speed) << "and without its load";
}

std::string box_around()
{
    return "[[generators]]\nname = \"box\"\ntype = \"container\"\nlower = [-1, 0, 0]\nupper = [1, 0.9, 2]\n"
           "open = [\"top\"]\nmaterial = \"wall\"\n";
}

TEST(WallForce, ImpulseOverWholePeriodsIsThatOfTheMeanForce)
{
    struct Side {
        const char* name;
        Vec<3> inward;
    };
    for (const Side& side :
         {Side{"left", {1, 0, 0}}, Side{"right", {-1, 0, 0}}, Side{"front", {0, 1, 0}}, Side{"back", {0, -1, 0}}}) {
        auto simulation = track_simulation(
            track_scene(operation("wall_force", "wall = \"" + std::string(side.name) +
                                                    "\"\nforce = 50\nfrequency = 10\nmass = 200\ntime = 0.3\n"),
                        gravity + box_around()));
        const std::size_t wall = body_named(simulation, std::string("box.") + side.name);
        advance(simulation, 0.3);
        const Vec<3> velocity = simulation.bodies.velocity[wall];
        EXPECT_NEAR((velocity - 50 * 0.3 / 200 * side.inward).norm(), 0, 1e-12) << side.name;
        advance(simulation, 0.35);
        EXPECT_EQ(simulation.bodies.velocity[wall].norm(), 0) << "held again";
        EXPECT_TRUE(simulation.bodies.is_passive(wall));
    }
}

TEST(WallForce, FollowsOneMinusSine)
{
    auto simulation = track_simulation(
        track_scene(operation("wall_force", "force = 50\nfrequency = 10\nmass = 200\ntime = 0.3\n"), box_around()));
    const std::size_t wall = body_named(simulation, "box.left");
    const double pulsation = 2 * M_PI * 10, step_error = std::pow(pulsation * 1e-3, 2) / 24;
    for (int step = 1; step < 300; ++step) {
        simulation.step();
        const double time = simulation.clock.time();
        const double exact = 50.0 / 200 * (time - (1 - std::cos(pulsation * time)) / pulsation);
        // midpoint rule, and what is beyond its second order
        EXPECT_NEAR(simulation.bodies.velocity[wall].x(), exact, 2.01 * 50.0 / 200 / pulsation * step_error);
    }
}

TEST(Operations, BeginWhenTheOneBeforeEndsAfterTheirPause)
{
    const scene::Value scene =
        railway_scene(track_scene(operation("lateral_push", "speed = 0.01\ndisplacement = 0.001\nfrom = 0.05\n") +
                                  operation("train", "cycles = 2\nfrequency = 10\npause = 0.02\n") +
                                  operation("stabilisation", "time = 0.1\nfrom = 0.6\npause = 0.1\nfrequency = 25\n")));
    const std::vector<OperationTime> times = operation_times(scene);
    ASSERT_EQ(times.size(), 3u);
    EXPECT_NEAR(times[0].from, 0.05, 1e-15);
    EXPECT_NEAR(times[0].until, 0.15, 1e-15);
    EXPECT_NEAR(times[1].from, 0.17, 1e-15);
    EXPECT_NEAR(times[1].until, 0.37, 1e-15);
    EXPECT_NEAR(times[2].from, 0.7, 1e-15);
    EXPECT_NEAR(times[2].until, 0.8, 1e-15);
    EXPECT_EQ(scene.at("scene").at("duration").number(), times[2].until) << "\"auto\" is the end";
    auto simulation = assemble<3>(with_parts(scene));
    const std::size_t sleeper = body_named(simulation, "sleeper 1");
    const auto position = [&]() -> const Vec<3>& { return simulation.bodies.position[sleeper]; };
    advance(simulation, 0.05);
    EXPECT_NEAR(position().x(), 0, round_off);
    simulation.step();
    EXPECT_NEAR(position().x(), 0.01 * 0.001, round_off) << "pushed from its beginning";
    advance(simulation, 0.15);
    EXPECT_NEAR(position().x(), 0.001, round_off);
    const double height = position().z();
    advance(simulation, 0.17);
    EXPECT_EQ(position().z(), height) << "nothing in the pause";
    simulation.step();
    EXPECT_LT(position().z(), height) << "the train";
    advance(simulation, 0.7);
    EXPECT_NEAR(position().x(), 0.001, round_off);
    simulation.step();
    EXPECT_GT(position().x(), 0.001 + 1e-4) << "the stabilisation";
}

TEST(Operations, ADurationThatIsGivenStays)
{
    const scene::Value scene = railway_scene(track_scene(operation("train", "cycles = 2\n")), {"scene.duration=0.123"});
    EXPECT_EQ(scene.at("scene").at("duration").number(), 0.123);
}

TEST(Operations, MissingBodiesAreNamed)
{
    try {
        assemble<3>(railway_scene(track_scene(operation("train", "cycles = 2\n"))));
        ADD_FAILURE() << "there is no sleeper";
    } catch (const InputError& error) {
        EXPECT_TRUE(has(error.what(), "sleeper 1")) << error.what();
        EXPECT_TRUE(has(error.what(), "operations[0].type")) << error.what();
    }
}

} // namespace
} // namespace talus
