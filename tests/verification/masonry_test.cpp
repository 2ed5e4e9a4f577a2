// Rods and blocks that lean, hang over and rock: V8, V11, V12, V14.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

std::string start_of_scene(double dt, double friction)
{
    return piece::start({.dt = fmt::to_string(dt),
                         .duration = "10",
                         .materials = "stone = { density = 2000 }\nsmooth = { density = 2000 }",
                         .contact = fmt::format("friction = {}", friction)}) +
           "[[contact.pairs]]\nmaterials = [\"stone\", \"smooth\"]\nfriction = 0\n" + piece::floor(2) + piece::gravity +
           "[solver]\ntolerance = 1e-12\nsweeps = 5000\n";
}

// A uniform rod of 1 m with its lower end on the floor, leaning at `angle`.
std::string rod(double angle, double dt, double friction, double speed)
{
    return start_of_scene(dt, friction) +
           fmt::format("[[bodies]]\nshape = \"segment\"\nmaterial = \"stone\"\nmass = 1\nfrom = [0, 0]\nto = [{:.17g}, "
                       "{:.17g}]\nvelocity = [{}, 0]\n",
                       std::cos(angle), std::sin(angle), speed);
}

bool ladder_slips(double angle)
{
    auto simulation = simulation_of<2>(rod(angle, 1e-3, 0.5, 0) +
                                       fmt::format("[[bodies]]\nshape = \"half_space\"\nnormal = [-1, 0]\nposition = "
                                                   "[{:.17g}, 0]\nmaterial = \"smooth\"\nmotion = \"fixed\"\n",
                                                   std::cos(angle)));
    advance(simulation, 0.3);
    return simulation.bodies.velocity[1].norm() > 1e-3;
}

// Four blocks of length 1 on the edge of a table, each as far out as balance allows times `share`: from the top the
// overhangs are 1/2, 1/4, 1/6, 1/8.
bool overhang_holds(double share)
{
    std::string scene = start_of_scene(1e-3, 0.6) +
                        "[[bodies]]\nshape = \"box\"\nsize = [4, 1]\nposition = [-2, 0.5]\nmaterial = "
                        "\"stone\"\nmotion = \"fixed\"\n";
    double tip = 0;
    for (int level = 0; level < 4; ++level) {
        tip += share * 0.5 / (4 - level);
        scene += fmt::format("[[bodies]]\nshape = \"box\"\nsize = [1, 0.2]\nposition = [{:.17g}, {:.17g}]\nmaterial = "
                             "\"stone\"\n",
                             tip - 0.5, 1.1 + 0.2 * level);
    }
    auto simulation = simulation_of<2>(scene);
    advance(simulation, 1.0);
    for (int level = 0; level < 4; ++level) {
        if (simulation.bodies.position[2 + level][1] < 1.1 + 0.2 * level - 0.01) return false;
    }
    return true;
}

} // namespace

TEST(V8PainleveRod, ImpulsesAreFiniteAndTheLawHolds)
{
    for (const double speed : {-2.0, 2.0}) {
        auto simulation = simulation_of<2>(rod(std::atan(2.0), 1e-3, 1.5, speed));
        for (int step = 0; step < 1000; ++step) {
            const StepReport report = simulation.step();
            ASSERT_TRUE(report.solve.reached) << "step " << step << ", residual " << report.solve.residual;
            ASSERT_EQ(report.non_finite, -1);
            // nothing stronger than bringing the whole rod to a stop at once
            for (const auto& impulse : simulation.contacts.impulse) ASSERT_LT(impulse.norm(), 20);
        }
    }
}

TEST(V11Ladder, SlipsBelowFortyFiveDegrees)
{
    // tan θ = 1/(2 μ) for a smooth wall
    EXPECT_FALSE(ladder_slips(45.1 * degree));
    EXPECT_TRUE(ladder_slips(44.9 * degree));
}

TEST(V12Overhang, FourBlocksReachTwentyFiveTwentyFourths)
{
    EXPECT_TRUE(overhang_holds(0.995));
    EXPECT_FALSE(overhang_holds(1.005));
}

TEST(V14RockingBlock, FirstImpactAsHousner)
{
    // pivot at the origin, turned by α/2 about it: the other corner is up
    const double alpha = std::atan(0.25), lean = 0.5 * alpha, radius = std::hypot(0.25, 1.0);
    const double place = M_PI / 2 - alpha + lean; // of the centre, seen from the pivot
    const double dt = 2e-4;
    auto simulation = simulation_of<2>(
        start_of_scene(dt, 1.0) +
        fmt::format("[[bodies]]\nshape = \"box\"\nsize = [0.5, 2]\nmaterial = \"stone\"\nposition = [{:.17g}, "
                    "{:.17g}]\nrotation = {:.17g}\n",
                    radius * std::cos(place), radius * std::sin(place), lean));
    double before = 0, after = 0;
    const auto step = [&] {
        before = after;
        simulation.step();
        after = simulation.bodies.spin[1][0];
    };
    while (simulation.clock.time() < 0.1 || (after <= 0.99 * before && simulation.clock.time() < 1)) step();
    const double time = simulation.clock.time(), falling = before;
    // a gap that closes within a step takes its impulse in two: the second corner lands in the one, stays in the next
    for (int k = 0; k < 2; ++k) step();
    EXPECT_NEAR(time, 0.4938, 0.02 * 0.4938);
    EXPECT_NEAR(after / falling, 0.9118, 0.02 * 0.9118);
}
