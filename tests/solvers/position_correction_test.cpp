// Position correction: penetration goes, kinetic energy stays, and the ledger knows the work.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

using namespace talus;

namespace {

// A cuboid that starts 2 mm inside a floor, at rest or on the move.
const std::string sunken_block = piece::start({.dimension = 3}) + piece::floor(3) +
                                 piece::body("box", "size = [0.2, 0.15, 0.1]\nposition = [0, 0, 0.048]") +
                                 piece::gravity + "[quality]\nstart_overlap = 0.5\n[solver]\ntolerance = 1e-10\n";

} // namespace

TEST(PositionCorrection, OpensAPenetrationUpToItsAllowance)
{
    auto simulation = simulation_of<3>(sunken_block);
    for (int step = 0; step < 100; ++step) simulation.step();
    // 1e-4 of the diameter of the ball around the block (0.27 m) is left
    EXPECT_GT(simulation.bodies.position[1][2], 0.05 - 3e-5);
    EXPECT_LT(simulation.bodies.position[1][2], 0.05);
    EXPECT_LT(simulation.bodies.velocity[1].norm(), 1e-10);
}

TEST(PositionCorrection, LeavesThePenetrationWhereItIsOff)
{
    auto simulation = simulation_of<3>(sunken_block, {"solver.position_correction=false"});
    for (int step = 0; step < 100; ++step) simulation.step();
    EXPECT_NEAR(simulation.bodies.position[1][2], 0.048, 1e-9); // as BALLAST §10.3 says
}

TEST(PositionCorrection, IsLimitedPerStep)
{
    auto simulation = simulation_of<3>(sunken_block);
    for (int step = 0; step < 10; ++step) {
        const double before = simulation.bodies.position[1][2];
        const StepReport report = simulation.step();
        // no more than a fifth of the depth, and no more than 1e-3 of the diameter
        EXPECT_LE(simulation.bodies.position[1][2] - before, 1.0001e-3 * report.smallest);
        EXPECT_LE(simulation.bodies.position[1][2] - before, 0.2001 * (0.05 - before));
        EXPECT_GT(report.correction.contacts, 0u);
    }
}

TEST(PositionCorrection, AddsNoKineticEnergyAndAccountsItsWork)
{
    auto simulation = simulation_of<3>(sunken_block, {"bodies[1].velocity=[0.3,0.1,0]"});
    const auto without = [&] { // the same step with the correction off
        auto other =
            simulation_of<3>(sunken_block, {"bodies[1].velocity=[0.3,0.1,0]", "solver.position_correction=false"});
        other.step();
        return other.kinetic_energy();
    }();
    simulation.step();
    EXPECT_EQ(simulation.kinetic_energy(), without);
    EXPECT_GT(simulation.energy.correction_work, 0); // lifted against its weight
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-12);
}

TEST(PositionCorrection, KeepsTheEnergyOfATurningGrain)
{
    // two spinning cuboids that overlap in space: the correction turns them, their energy must not follow
    const std::string pair =
        piece::start({.dimension = 3, .dt = "1e-4", .contact = "friction = 0"}) +
        piece::body("box", "size = [0.4, 0.1, 0.2]\nposition = [0, 0, 0]\nspin = [3, 1, 2]") +
        piece::body("box", "size = [0.2, 0.1, 0.3]\nposition = [0.15, 0.098, 0.1]\nspin = [3, 1, 2]\n"
                           "velocity = [0.0, 0.2, 0]") +
        "[quality]\nstart_overlap = 0.5\n";
    auto with = simulation_of<3>(pair), without = simulation_of<3>(pair, {"solver.position_correction=false"});
    with.step();
    without.step();
    EXPECT_GT(with.bodies.position[1][1] - with.bodies.position[0][1],
              without.bodies.position[1][1] - without.bodies.position[0][1] + 1e-6); // it did something
    EXPECT_NEAR(with.kinetic_energy(), without.kinetic_energy(), 1e-13 * without.kinetic_energy());
    EXPECT_NEAR((with.momentum() - without.momentum()).norm(), 0, 1e-13);
}
