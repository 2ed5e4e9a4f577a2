// V15, Moreau's test: friction holds a grain on the slope of a bowl exactly, a regularised law would let it creep.
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

template <int D>
Simulation<D> grain_in_bowl(double share_of_friction_angle)
{
    const double angle = share_of_friction_angle * std::atan(0.5);
    const double x = 0.99 * std::sin(angle), z = -0.99 * std::cos(angle);
    if constexpr (D == 2) {
        return library_simulation<2>("moreau/bowl", {fmt::format("bodies[1].position=[{},{}]", x, z)});
    } else {
        return library_simulation<3>("moreau/bowl", {"scene.dimension=3", "bodies[0].shape=hollow_sphere",
                                                     "bodies[1].shape=sphere", "bodies[1].motion=[\"x\",\"y\",\"z\"]",
                                                     fmt::format("bodies[1].position=[{},0,{}]", x, z)});
    }
}

template <int D>
void stays_below_and_slides_above_the_friction_angle()
{
    auto held = grain_in_bowl<D>(0.9);
    const Vec<D> start = held.bodies.position[1];
    advance(held, 1.0);
    EXPECT_LT((held.bodies.position[1] - start).norm(), 1e-12);

    auto sliding = grain_in_bowl<D>(1.1);
    const Vec<D> before = sliding.bodies.position[1];
    advance(sliding, 0.1);
    EXPECT_GT((sliding.bodies.position[1] - before).norm(), 1e-3);
    EXPECT_LT(sliding.bodies.position[1][0], before[0]); // towards the bottom
}

} // namespace

TEST(V15MoreausBowl, GrainStaysBelowTheFrictionAngleAndSlidesAbove2D)
{
    stays_below_and_slides_above_the_friction_angle<2>();
}
TEST(V15MoreausBowl, GrainStaysBelowTheFrictionAngleAndSlidesAbove3D)
{
    stays_below_and_slides_above_the_friction_angle<3>();
}
