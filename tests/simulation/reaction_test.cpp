// What a gauge says of the contacts on a body is what moved it: the reaction and the torque of the step.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

using namespace talus;

namespace {

template <int D>
void expect_what_moved_it(const std::string& block)
{
    auto simulation = simulation_of<D>(piece::start({.dimension = D, .materials = "glass = { preset = \"glass\" }"}) +
                                       piece::floor(D, "glass", "name = \"ground\"") +
                                       piece::body("box", "name = \"block\"\n" + block, "glass") + piece::gravity +
                                       "[[gauges]]\nname = \"block\"\ntype = \"body\"\nbody = \"block\"\n" +
                                       "indicators = [\"reaction\"]\n[solver]\nposition_correction = false\n");
    double largest = 0;
    for (int step = 0; step < 150; ++step) {
        simulation.step();
        const Reading reading = simulation.gauges[0].measure(simulation.snapshot());
        const Ang<D>& torque = simulation.bodies.reaction_torque[1];
        for (int axis = 0; axis < angular<D>; ++axis) {
            const std::string column = D == 2 ? "torque_z_Nm" : std::string("torque_") + "xyz"[axis] + "_Nm";
            // positions of 0.1 m are half a step back to round-off, forces are below 1e5 N
            EXPECT_NEAR(reading.at(column), torque[axis], 1e-11 * (1 + std::abs(torque[axis]) * 1e3)) << step;
            largest = std::max(largest, std::abs(torque[axis]));
        }
    }
    EXPECT_GT(largest, 1e-3) << "it must turn to say anything";
}

} // namespace

TEST(Reaction, OfAGaugeIsWhatMovedTheBody)
{
    expect_what_moved_it<2>("size = [0.1, 0.06]\nposition = [0, 0.12]\nrotation = 0.4\nvelocity = [1, -1]");
    expect_what_moved_it<3>("size = [0.1, 0.06, 0.05]\nposition = [0, 0, 0.12]\nrotation = [0.4, 0.3, 0.1]\n"
                            "velocity = [1, 0.5, -1]");
}
