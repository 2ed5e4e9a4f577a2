// What an isolated system keeps: V29; and the energy ledger.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"

using namespace talus;

namespace {

// a lattice of grains that all move towards their middle, and turn
template <int D>
Simulation<D> collapsing_cluster(const std::string& contact)
{
    auto simulation = simulation_of<D>(
        piece::start({.dimension = D, .materials = "glass = { preset = \"glass\" }", .contact = contact}) +
            piece::generator("lattice", D == 2 ? "[-0.1,-0.1]" : "[-0.06,-0.06,-0.06]",
                             D == 2 ? "[0.1,0.1]" : "[0.06,0.06,0.06]", "radius = [0.008, 0.01]\njitter = 0.4",
                             "glass"),
        // the correction moves bodies, and with them their moment of momentum
        {"solver.tolerance=1e-6", "solver.position_correction=false"});
    Random random(3);
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        simulation.bodies.velocity[i] = -4 * simulation.bodies.position[i];
        for (int axis = 0; axis < D; ++axis) simulation.bodies.velocity[i][axis] += random.uniform(-0.1, 0.2);
        for (int axis = 0; axis < angular<D>; ++axis) simulation.bodies.spin[i][axis] = random.uniform(-20, 20);
    }
    return simulation;
}

template <int D>
void keeps_momentum(const std::string& contact)
{
    auto simulation = collapsing_cluster<D>(contact);
    const Vec<D> momentum = simulation.momentum();
    const Ang<D> angular_momentum = simulation.angular_momentum();
    double scale = 0, angular_scale = 0; // of what is exchanged
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        scale += simulation.bodies.mass[i] * simulation.bodies.velocity[i].norm();
        angular_scale += simulation.bodies.mass[i] * simulation.bodies.velocity[i].norm() * 0.1;
    }
    std::size_t contacts = 0;
    for (int step = 0; step < 300; ++step) contacts = std::max(contacts, simulation.step().contacts);
    EXPECT_GT(contacts, simulation.bodies.size() / 2); // they did collide
    EXPECT_LT((simulation.momentum() - momentum).norm(), 1e-12 * scale);
    EXPECT_LT((simulation.angular_momentum() - angular_momentum).norm(), 1e-9 * angular_scale);
}

template <int D>
void closes_the_ledger(const std::string& contact)
{
    auto simulation = collapsing_cluster<D>(contact);
    const double start = simulation.kinetic_energy();
    for (int step = 0; step < 200; ++step) simulation.step();
    EXPECT_GT(simulation.energy.dissipated(), 0.1 * start);
    EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-11 * start); // round-off of 200 steps
}

} // namespace

TEST(V29IsolatedCluster, KeepsMomentumWithFriction2D) { keeps_momentum<2>("friction = 0.5"); }
TEST(V29IsolatedCluster, KeepsMomentumWithFriction3D) { keeps_momentum<3>("friction = 0.5"); }
TEST(V29IsolatedCluster, KeepsMomentumWithRestitution2D) { keeps_momentum<2>("restitution = 0.6"); }
TEST(V29IsolatedCluster, KeepsMomentumWithRestitution3D) { keeps_momentum<3>("restitution = 0.6"); }
TEST(V29IsolatedCluster, KeepsMomentumWithRollingFriction3D) { keeps_momentum<3>("rolling_friction = 1e-3"); }

TEST(EnergyLedger, ClosesForACollapsingCluster2D) { closes_the_ledger<2>("friction = 0.5"); }
TEST(EnergyLedger, ClosesForACollapsingCluster3D) { closes_the_ledger<3>("friction = 0.5\nrolling_friction = 1e-3"); }
