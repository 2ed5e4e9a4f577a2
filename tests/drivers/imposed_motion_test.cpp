// Motions that the experimenter imposes are followed exactly at the ends of the steps, and push what is in their way.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

// a plane that drivers move, and nothing else
std::string moving_plane(const std::string& drivers)
{
    return R"([scene]
dimension = 2
dt = "1 ms"
duration = 1
[materials.steel]
density = 7850
[[bodies]]
name = "wall"
shape = "half_space"
normal = [1, 0]
position = [0.25, -0.5]
motion = "fixed"
material = "steel"
)" + drivers;
}

const std::string vibration = "[[drivers]]\ntype = \"vibration\"\nbody = \"wall\"\namplitude = [\"3 mm\", \"-1 mm\"]\n"
                              "frequency = \"25 Hz\"\n";

// the place is a sum of increments: a thousand of them round by less than 1e-13
constexpr double round_off = 1e-12;

TEST(Vibration, WallIsWhereTheSineIsAtTheEndOfEveryStep)
{
    auto simulation = simulation_of<2>(moving_plane(vibration));
    for (int step = 0; step < 1000; ++step) {
        simulation.step();
        const double sine = std::sin(2 * M_PI * 25 * simulation.clock.time());
        EXPECT_NEAR(simulation.bodies.position[0][0], 0.25 + 3e-3 * sine, round_off);
        EXPECT_NEAR(simulation.bodies.position[0][1], -0.5 - 1e-3 * sine, round_off);
    }
}

TEST(Vibration, BeginsAtItsPlaceWhateverItsPhaseAndStart)
{
    auto simulation = simulation_of<2>(moving_plane(vibration + "phase = \"90 deg\"\nfrom = \"20 ms\"\n"));
    advance(simulation, 0.02);
    EXPECT_EQ(simulation.bodies.position[0][0], 0.25);
    for (int step = 0; step < 100; ++step) {
        simulation.step();
        const double cosine = std::cos(2 * M_PI * 25 * (simulation.clock.time() - 0.02));
        EXPECT_NEAR(simulation.bodies.position[0][0], 0.25 + 3e-3 * (cosine - 1), round_off);
    }
}

TEST(Velocity, ActsFromItsBeginningToItsEnd)
{
    auto simulation = simulation_of<2>(moving_plane("[[drivers]]\ntype = \"velocity\"\nbody = \"wall\"\nvelocity = "
                                                    "[0.2, 0]\nfrom = \"10 ms\"\nuntil = \"30 ms\"\n"));
    advance(simulation, 0.01);
    EXPECT_EQ(simulation.bodies.position[0][0], 0.25);
    advance(simulation, 0.02);
    EXPECT_NEAR(simulation.bodies.position[0][0], 0.25 + 0.2 * 0.01, round_off);
    advance(simulation, 0.05);
    EXPECT_NEAR(simulation.bodies.position[0][0], 0.25 + 0.2 * 0.02, round_off);
    EXPECT_EQ(simulation.bodies.velocity[0][0], 0) << "at rest after its end";
}

TEST(Velocity, MotionsOfOneBodyAddUp)
{
    auto simulation = simulation_of<2>(
        moving_plane("[[drivers]]\ntype = \"velocity\"\nbody = \"wall\"\nvelocity = [0.2, 0.1]\n" + vibration +
                     "[[drivers]]\ntype = \"velocity\"\nbody = \"wall\"\nvelocity = [-0.05, 0]\n"));
    for (int step = 0; step < 200; ++step) {
        simulation.step();
        const double time = simulation.clock.time();
        EXPECT_NEAR(simulation.bodies.position[0][0], 0.25 + 0.15 * time + 3e-3 * std::sin(2 * M_PI * 25 * time),
                    round_off);
        EXPECT_NEAR(simulation.bodies.position[0][1], -0.5 + 0.1 * time - 1e-3 * std::sin(2 * M_PI * 25 * time),
                    round_off);
    }
}

TEST(Velocity, SpinTurnsADrum)
{
    auto simulation = simulation_of<3>(R"([scene]
dimension = 3
dt = "1 ms"
duration = 1
[materials.steel]
density = 7850
[[bodies]]
name = "drum"
shape = "hollow_cylinder"
radius = 1
axis = [0, 1, 0]
motion = "fixed"
material = "steel"
[[drivers]]
type = "velocity"
body = "drum"
spin = [0, "30 rpm", 0]
)");
    advance(simulation, 0.5);
    const Vec<3> turned = simulation.bodies.orientation[0] * Vec<3>(0, 0, 1);
    EXPECT_NEAR(turned[0], 1, 1e-12) << "a quarter of a turn about y brings z to x";
    EXPECT_NEAR(simulation.bodies.position[0].norm(), 0, 1e-15);
}

TEST(Velocity, WallPushesAGrainAtItsSpeed)
{
    auto simulation = simulation_of<2>(
        moving_plane("[[drivers]]\ntype = \"velocity\"\nbody = \"wall\"\nvelocity = [0.3, 0]\n"
                     "[[bodies]]\nname = \"grain\"\nshape = \"disk\"\nradius = 0.01\nposition = [0.263, -0.5]\n"
                     "material = \"steel\"\n[contact]\nfriction = 0\nrestitution = 0\n[solver]\ntolerance = 1e-12\n"));
    advance(simulation, 0.009); // 3 mm at 0.3 m/s take 10 ms
    EXPECT_EQ(simulation.bodies.velocity[1][0], 0);
    advance(simulation, 0.1);
    EXPECT_NEAR(simulation.bodies.velocity[1][0], 0.3, 1e-12);
    const double gap = simulation.bodies.position[1][0] - simulation.bodies.position[0][0] - 0.01;
    EXPECT_NEAR(gap, 0, 0.3 * 1e-3) << "in touch, to the motion of one step";
    // what the wall put in is the grain's kinetic energy and the loss of the impact: twice ½ m v²
    EXPECT_NEAR(simulation.energy.driver_work, 2 * simulation.kinetic_energy(), 1e-12);
    EXPECT_NEAR(simulation.energy.impact, simulation.kinetic_energy(), 1e-12);
}

} // namespace
} // namespace talus
