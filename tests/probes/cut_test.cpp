// Forces through cuts: what flows along the lines from centres to contacts.
#include "probes/forces_scene.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/probes/cut.hpp"
#include "talus/probes/internal_moment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace talus {
namespace {

template <int D>
Vec<D> some_vector(Random& random)
{
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = random.uniform(-1, 1);
    return v;
}

// Forces of any direction at any points, between balls and with a fixed wall: no balance, no symmetry.
template <int D>
ForcesScene<D> some_forces(int grains, int contacts)
{
    Random random(11);
    ForcesScene<D> scene;
    for (int k = 0; k < grains; ++k) scene.add_ball(0.1, some_vector<D>(random));
    const auto wall = scene.add(scene.shapes.add_half_space(Vec<D>::Unit(0)), Vec<D>::Zero(), all_imposed<D>);
    for (int k = 0; k < contacts; ++k) {
        const auto one = std::int32_t(random.bits() % std::uint64_t(grains));
        const auto other = k % 7 == 0 ? wall : std::int32_t(random.bits() % std::uint64_t(grains));
        scene.push(one, other, some_vector<D>(random), some_vector<D>(random));
    }
    return scene;
}

template <int D>
void expect_cuts_to_add_up_to_moments()
{
    const ForcesScene<D> scene = some_forces<D>(40, 200);
    Random random(2);
    for (int repeat = 0; repeat < 5; ++repeat) {
        const Vec<D> normal = some_vector<D>(random).normalized();
        std::vector<double> jumps; // the force is the same between two of them: midpoints integrate it exactly
        for (const Vec<D>& point : scene.bodies.position) jumps.push_back(normal.dot(point));
        for (const Vec<D>& point : scene.contacts.point) jumps.push_back(normal.dot(point));
        std::sort(jumps.begin(), jumps.end());
        Vec<D> integral = Vec<D>::Zero();
        for (std::size_t k = 1; k < jumps.size(); ++k) {
            const PlaneCut<D> cut{0.5 * (jumps[k - 1] + jumps[k]) * normal, normal};
            integral += (jumps[k] - jumps[k - 1]) * force_through<D>(cut, scene.sample(), scene.contacts, scene.dt);
        }
        Mat<D> sum = Mat<D>::Zero();
        for (const Mat<D>& moment : internal_moments(scene.sample(), scene.contacts, scene.dt)) sum += moment;
        EXPECT_NEAR((integral - sum * normal).norm(), 0, 1e-12) << "of about 100 N m";
    }
}
TEST(Cut, ParallelCutsAddUpToTheInternalMoments)
{
    expect_cuts_to_add_up_to_moments<2>();
    expect_cuts_to_add_up_to_moments<3>();
}

// Boxes of side 1 and weight 1 upon each other, on a fixed one; two contact points each.
template <int D>
ForcesScene<D> column(int boxes)
{
    ForcesScene<D> scene;
    const Vec<D> up = Vec<D>::Unit(D - 1), aside = 0.4 * Vec<D>::Unit(0);
    const auto cube = scene.shapes.add_polytope(box<D>(Vec<D>::Ones()));
    scene.add(cube, -0.5 * up, all_imposed<D>);
    for (int k = 1; k <= boxes; ++k) {
        scene.add(cube, (k - 0.5) * up);
        for (const double side : {-1.0, 1.0}) {
            scene.push(k, k - 1, (k - 1) * up + side * aside, 0.5 * (boxes + 1 - k) * up);
        }
    }
    return scene;
}

template <int D>
void expect_weight_above()
{
    const int boxes = 10;
    const ForcesScene<D> scene = column<D>(boxes);
    const Vec<D> up = Vec<D>::Unit(D - 1);
    for (double height = 0.12; height < boxes; height += 0.3) {
        int above = 0; // centres: a box weighs there
        for (int k = 1; k <= boxes; ++k) above += k - 0.5 > height;
        const Vec<D> down = force_through<D>({height * up, up}, scene.sample(), scene.contacts, scene.dt);
        EXPECT_NEAR((down + above * up).norm(), 0, 1e-12) << "at " << height;
        const Vec<D> back = force_through<D>({height * up, -up}, scene.sample(), scene.contacts, scene.dt);
        EXPECT_NEAR((down + back).norm(), 0, 1e-12) << "action and reaction";
    }
    const Vec<D> in_the_base = force_through<D>({-0.1 * up, up}, scene.sample(), scene.contacts, scene.dt);
    EXPECT_EQ(in_the_base.norm(), 0) << "nothing flows in a fixed body";
}
TEST(Cut, HorizontalCutOfAColumnCarriesTheWeightAbove)
{
    expect_weight_above<2>();
    expect_weight_above<3>();
}

template <int D>
void expect_extent_to_matter()
{
    const ForcesScene<D> scene = column<D>(4);
    const Vec<D> up = Vec<D>::Unit(D - 1), right = Vec<D>::Unit(0);
    // halfway between the centre of the first box and its lower contacts, the lines pass 0.2 left and right
    const auto through = [&](const Vec<D>& centre, double radius) {
        return -force_through<D>({centre + 0.25 * up, up, radius}, scene.sample(), scene.contacts, scene.dt)[D - 1];
    };
    EXPECT_NEAR(through(Vec<D>::Zero(), 0.1), 0, 1e-14);
    EXPECT_NEAR(through(Vec<D>::Zero(), 0.3), 4, 1e-14);
    EXPECT_NEAR(through(0.3 * right, 0.15), 2, 1e-14);
    EXPECT_NEAR(through(-0.3 * right, 0.15), 2, 1e-14);
}
TEST(Cut, BoundedCutCountsWhatCrossesItAlone)
{
    expect_extent_to_matter<2>();
    expect_extent_to_matter<3>();
}

TEST(Cut, TheSameBitsForAnyNumberOfThreads)
{
    const ForcesScene<3> scene = some_forces<3>(2000, 20000);
    const PlaneCut<3> cut{{0.1, 0, 0}, {0.6, 0.8, 0}, 0.7};
    const int before = thread_count();
    set_thread_count(1);
    const Vec<3> one = force_through(cut, scene.sample(), scene.contacts, scene.dt);
    set_thread_count(4);
    const Vec<3> four = force_through(cut, scene.sample(), scene.contacts, scene.dt);
    set_thread_count(before);
    EXPECT_EQ(one, four);
    EXPECT_GT(one.norm(), 0);
}

} // namespace
} // namespace talus
