// Rest is judged by kinetic energy and balance of forces.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

using namespace talus;

namespace {

// Polyhedra dropped into a box.
const std::string small_deposit =
    piece::start({.dimension = 3,
                  .dt = "5e-4",
                  .duration = "3",
                  .more = "until = \"rest\"",
                  .materials = "stone = { density = 2700 }",
                  .contact = "friction = 0.6"}) +
    piece::generator("container", "[0, 0, 0]", "[0.2, 0.2, 1]", "open = [\"top\"]") +
    piece::generator("deposit", "[0, 0, 0]", "[0.2, 0.2, 1]",
                     "name = \"grains\"\nshape = \"polyhedron\"\nsize = [0.03, 0.04]\ncount = 60") +
    piece::gravity + "[[gauges]]\nname = \"sample\"\ntype = \"sample\"\n";

// steps until rest, or −1
template <int D>
int come_to_rest(Simulation<D>& simulation, int most)
{
    for (int step = 0; step < most; ++step) {
        simulation.step();
        if (simulation.is_at_rest()) return step + 1;
    }
    return -1;
}

} // namespace

TEST(Rest, ADepositOfPolyhedraComesToRestAndStays)
{
    auto simulation = simulation_of<3>(small_deposit);
    EXPECT_FALSE(simulation.is_at_rest());
    const int steps = come_to_rest(simulation, 6000);
    ASSERT_GT(steps, 100);
    const auto start = simulation.bodies.position;
    const auto compacity = [&] { return simulation.gauges[0].measure(simulation.snapshot()).at("compacity"); };
    const double fraction = compacity();
    // what the correction of positions lifts is its own affair, and in the ledger
    const auto energy_of_motion = [&] {
        return simulation.kinetic_energy() + simulation.potential_energy() - simulation.energy.correction_work;
    };
    const double energy = energy_of_motion();
    for (int step = 0; step < 1000; ++step) simulation.step(); // half a second
    double farthest = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        farthest = std::max(farthest, (simulation.bodies.position[i] - start[i]).norm());
    }
    EXPECT_LT(farthest, 1e-3 * 0.035); // no creep over 1e-3 of a diameter
    EXPECT_NEAR(compacity(), fraction, 1e-3 * fraction);
    // solves to 1e-2 of g h leave grains to breathe by some nanometres
    EXPECT_LE(energy_of_motion(), energy * (1 + 1e-7)) << "grew by " << energy_of_motion() / energy - 1;
}

TEST(Rest, AFallingGrainIsNotAtRest)
{
    auto simulation = simulation_of<3>(small_deposit, {"generators[1].type=lattice", "generators[1].count=1"});
    for (int step = 0; step < 10; ++step) simulation.step();
    EXPECT_FALSE(simulation.is_at_rest()); // slow, but nothing carries it
}

TEST(Rest, ASlidingBlockIsNotAtRest)
{
    // steady sliding under a force that friction balances: balanced, but moving
    auto simulation = simulation_of<2>(
        piece::start({.more = "until = \"rest\""}) + piece::floor(2) +
        piece::body("box", "name = \"block\"\nsize = [0.2, 0.1]\nposition = [0, 0.05]\nvelocity = [0.5, 0]") +
        piece::gravity + "[[drivers]]\ntype = \"force\"\nbody = \"block\"\nforce = [196.2, 0]\n[rest]\nhold = 0\n");
    for (int step = 0; step < 50; ++step) simulation.step();
    EXPECT_NEAR(simulation.bodies.velocity[1][0], 0.5, 1e-6);
    EXPECT_FALSE(simulation.is_at_rest());
}
