// Where the energy goes: what gravity and the moving walls put in is kinetic energy or was dissipated, to round-off.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

template <int D>
std::string shaken_box(const std::string& contact)
{
    const bool flat = D == 2;
    const auto vector = [&](const std::string& x, const std::string& y, const std::string& z) {
        return flat ? "[" + x + ", " + z + "]" : "[" + x + ", " + y + ", " + z + "]";
    };
    const std::string corners =
        "lower = " + vector("0", "0", "0") + "\nupper = " + vector("0.06", "0.06", "0.12") + "\n";
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.sand]\ndensity = 2600\n" + "[contact]\n" + contact +
           "[[generators]]\nname = \"box\"\ntype = \"container\"\nmaterial = \"sand\"\n" + corners +
           "[[generators]]\ntype = \"lattice\"\nmaterial = \"sand\"\nradius = [0.004, 0.006]\njitter = 0.3\ncount = "
           "36\n" +
           corners + "[[drivers]]\ntype = \"gravity\"\n" +
           "[[drivers]]\ntype = \"vibration\"\nbody = \"box.bottom\"\nfrequency = 20\namplitude = " +
           vector("0.001", "0", "0.003") +
           "\n[[drivers]]\ntype = \"vibration\"\nbody = \"box.left\"\nfrequency = 13\nphase = 1\namplitude = " +
           vector("0.002", "0.001", "0") + "\n";
}

template <int D>
void expect_closed_ledger(const std::string& contact)
{
    auto simulation = simulation_of<D>(shaken_box<D>(contact));
    while (simulation.clock.time() < 0.3) {
        simulation.step();
        // to round-off of the potential energy that the grains have from the floor on
        EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-9 * simulation.energy.start);
    }
    EXPECT_GT(simulation.energy.driver_work, 0.01 * simulation.energy.start) << "the walls do work in this test";
    EXPECT_GT(simulation.energy.impact, 0);
    EXPECT_GT(simulation.energy.friction, 0);
    EXPECT_GT(simulation.contacts.size(), 15u); // of 36 grains that jump
}

TEST(EnergyLedger, ClosesForAShakenBoxOfDisks) { expect_closed_ledger<2>("friction = 0.4\n"); }
TEST(EnergyLedger, ClosesForAShakenBoxOfSpheres) { expect_closed_ledger<3>("friction = 0.4\n"); }
TEST(EnergyLedger, ClosesWithRestitutionAndRollingFriction)
{
    const std::string law =
        "friction = 0.4\nrestitution = 0.6\ntangential_restitution = 0.2\nrolling_friction = 2e-4\n";
    expect_closed_ledger<2>(law);
    expect_closed_ledger<3>(law);
}

// grains that come with a speed bring their energy
TEST(EnergyLedger, ClosesWithAFeeder)
{
    auto simulation = simulation_of<2>(shaken_box<2>("friction = 0.4\n") +
                                       "[[generators]]\ntype = \"feeder\"\nmaterial = \"sand\"\nradius = 0.003\n"
                                       "lower = [0.01, 0.1]\nupper = [0.05, 0.115]\nrate = 100\ncount = 8\n"
                                       "velocity = [0, -0.5]\n");
    advance(simulation, 0.2);
    EXPECT_GT(simulation.energy.fed, 0);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-9 * simulation.energy.fed);
}

// Polyhedra in a box whose floor shakes and whose wall is pressed in by a load: friction, impacts, drivers,
// corrections, and bodies that turn with unequal moments of inertia. What is left over is below 1e-6 of what was put
// in.
TEST(EnergyLedger, ClosesForADrivenBoxOfPolyhedra)
{
    auto simulation = simulation_of<3>(R"(
[scene]
dimension = 3
dt = "0.5 ms"
duration = 1
[materials.stone]
density = 2700
[contact]
friction = 0.5
[[generators]]
name = "box"
type = "container"
material = "stone"
lower = [0, 0, 0]
upper = ["0.3 m", "0.3 m", "0.6 m"]
open = ["top", "right"]
[[bodies]]
name = "piston"
shape = "half_space"
normal = [-1, 0, 0]
position = ["0.31 m", 0, 0]
mass = 20
motion = ["x"]
material = "stone"
[[generators]]
type = "random"
shape = "polyhedron"
size = ["30 mm", "50 mm"]
material = "stone"
lower = [0, 0, 0]
upper = ["0.3 m", "0.3 m", "0.5 m"]
count = 120
[[drivers]]
type = "gravity"
[[drivers]]
type = "force"
body = "piston"
force = ["-300 N", 0, 0]
[[drivers]]
type = "vibration"
body = "box.bottom"
frequency = "30 Hz"
amplitude = ["2 mm", 0, "2 mm"]
)");
    while (simulation.clock.time() < 0.5) simulation.step();
    const EnergyLedger& ledger = simulation.energy;
    EXPECT_GT(ledger.driver_work, 0.1);
    EXPECT_GT(ledger.load_work, 0.1);
    EXPECT_GT(ledger.friction, 0.1);
    EXPECT_GT(ledger.impact, 0.1);
    const double put_in = ledger.driver_work + ledger.load_work;
    EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-6 * put_in);
    EXPECT_LT(std::abs(ledger.turning), 1e-2 * put_in) << "what the scheme makes or loses by itself";
}

// A tool that is pushed down through grains holds its own weight; the ledger knows.
TEST(EnergyLedger, ClosesForABodyThatIsGuidedInPart)
{
    auto simulation = simulation_of<2>(shaken_box<2>("friction = 0.4\n") +
                                           "[[bodies]]\nname = \"tool\"\nshape = \"box\"\nsize = [0.01, 0.03]\n"
                                           "position = [0.03, 0.1]\nmaterial = \"sand\"\nmotion = [\"x\"]\n"
                                           "[[drivers]]\ntype = \"velocity\"\nbody = \"tool\"\nvelocity = [0, -0.2]\n"
                                           "from = 0.05\nuntil = 0.2\n",
                                       {"generators[1].upper=[0.06, 0.08]", "generators[1].count=24"});
    advance(simulation, 0.3);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-9 * std::abs(simulation.energy.driver_work));
}

} // namespace
} // namespace talus
