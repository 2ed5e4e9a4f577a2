// What a gauge says of the contacts on a body is what moved it: the reaction and the torque of the step.
#include "scenes_in_tests.hpp"

using namespace talus;

namespace {

template <int D>
void expect_what_moved_it(const std::string& shape)
{
    auto simulation = simulation_of<D>(R"([scene]
dimension = )" + std::to_string(D) + R"(
dt = 1e-3
duration = 1
[materials]
glass = { preset = "glass" }
[contact]
friction = 0.5
[[bodies]]
name = "ground"
shape = "half_space"
normal = )" + (D == 2 ? "[0,1]" : "[0,0,1]") +
                                       R"(
motion = "fixed"
material = "glass"
[[bodies]]
name = "block"
)" + shape + R"(
material = "glass"
[[drivers]]
type = "gravity"
[[gauges]]
name = "block"
type = "body"
body = "block"
indicators = ["reaction"]
[solver]
position_correction = false
)");
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
    expect_what_moved_it<2>("shape = \"box\"\nsize = [0.1, 0.06]\nposition = [0, 0.12]\nrotation = 0.4\n"
                            "velocity = [1, -1]");
    expect_what_moved_it<3>("shape = \"box\"\nsize = [0.1, 0.06, 0.05]\nposition = [0, 0, 0.12]\n"
                            "rotation = [0.4, 0.3, 0.1]\nvelocity = [1, 0.5, -1]");
}
