// Which open contacts a step carries: those that may close in it, and no others.
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// Spheres of 30 mm on a line, so far apart, the first one at a speed [m/s]; a step takes 0.4 ms.
Simulation<3> row_of_spheres(const std::vector<double>& gaps, double speed)
{
    std::string bodies;
    double x = 0;
    for (std::size_t i = 0; i <= gaps.size(); ++i) {
        bodies += fmt::format("[[bodies]]\nshape = \"sphere\"\nradius = 0.015\nmaterial = \"glass\"\n"
                              "position = [{:.17g}, 0, 0]\nvelocity = [{}, 0, 0]\n",
                              x, i == 0 ? speed : 0.0);
        if (i < gaps.size()) x += 0.03 + gaps[i];
    }
    return simulation_of<3>("[scene]\ndimension = 3\ndt = 4e-4\nduration = 1\n[materials]\n"
                            "glass = { preset = \"glass\" }\n" +
                            bodies);
}

TEST(Reach, OfSlowBodiesEndsWhereTheyCannotMeet)
{
    EXPECT_EQ(row_of_spheres({0.6e-3}, 0.1).step().contacts, 0u) << "0.04 mm in the step";
    EXPECT_EQ(row_of_spheres({0.6e-3}, 1.6).step().contacts, 1u) << "0.64 mm in the step";
    EXPECT_EQ(row_of_spheres({0.05e-3}, 0).step().contacts, 1u) << "a load may close it";
}

// Whatever hits a row of grains that touch: what lies behind it is never run into by more than the grain in front of it
// can move in the half step after the blow.
TEST(Reach, BlowsArePassedOn)
{
    for (const double speed : {0.5, 1.6, 3.0}) {
        for (const double behind : {0.05e-3, 0.2e-3, 0.6e-3}) {
            Simulation<3> row = row_of_spheres({0.5e-3, 0, 0, behind}, speed);
            double deepest = 0;
            for (int step = 0; step < 50; ++step) {
                row.step();
                for (const double gap : row.contacts.gap) deepest = std::max(deepest, -gap);
            }
            EXPECT_LE(deepest, 0.5 * speed * row.clock.dt) << speed << " m/s, " << behind << " m behind";
            EXPECT_GT(row.bodies.velocity.back().x(), 0) << "it was hit";
        }
    }
}

} // namespace
