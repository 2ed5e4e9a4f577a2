#include "probes/measured_scene.hpp"
#include "talus/base/random.hpp"
#include "talus/math/ball_overlap.hpp"
#include "talus/probes/local_compacity.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

constexpr double share_known = 0.012; // of a ball, from the points that are tried in it

template <int D>
Vec<D> anywhere(Random& random, double half)
{
    Vec<D> where;
    for (int axis = 0; axis < D; ++axis) where[axis] = random.uniform(-half, half);
    return where;
}

template <int D>
Scene<D> random_balls(std::uint64_t seed, int count)
{
    Scene<D> scene;
    Random random(seed);
    for (int k = 0; k < count; ++k) {
        const double radius = random.uniform(0.3, 0.7);
        scene.add_ball(radius, anywhere<D>(random, 3));
    }
    return scene;
}

template <int D>
void expect_what_a_gauge_says(std::uint64_t seed)
{
    const Scene<D> scene = random_balls<D>(seed, 60);
    const double radius = 1.3;
    const std::vector<double> local = local_compacity(Sample<D>{scene.bodies, scene.shapes}, radius);
    for (std::size_t i = 0; i < local.size(); ++i) {
        const auto around = Gauge<D>::in("around", Region<D>::ball(scene.bodies.position[i], radius));
        EXPECT_NEAR(local[i], *scene.measure(around).compacity, 1e-12) << "grain " << i << ", seed " << seed;
    }
}

// On a plane, through the middle of a slab, or far above: what is left of the ball is in the denominator.
template <int D>
void expect_room_beside_a_wall(std::uint64_t seed)
{
    Random random(seed);
    const double radius = 1;
    for (int repeat = 0; repeat < 20; ++repeat) {
        Scene<D> scene;
        const double height = random.uniform(0.1, 1.2);
        scene.add_ball(0.1, height * Vec<D>::Unit(D - 1));
        const double before = local_compacity(Sample<D>{scene.bodies, scene.shapes}, radius)[0];
        scene.add_fixed(scene.shapes.add_half_space(Vec<D>::Unit(D - 1)));
        const double after = local_compacity(Sample<D>{scene.bodies, scene.shapes}, radius)[0];
        const double room = 1 - ball_below_plane<D>(radius, height) / ball_volume<D>(radius);
        EXPECT_NEAR(before / after, room, share_known) << "height " << height;
    }
}

TEST(LocalCompacity, IsWhatAGaugeAroundEachGrainSays)
{
    for (const std::uint64_t seed : {1, 2, 3}) {
        expect_what_a_gauge_says<2>(seed);
        expect_what_a_gauge_says<3>(seed);
    }
}

TEST(LocalCompacity, CountsTheRoomThatWallsLeave)
{
    expect_room_beside_a_wall<2>(4);
    expect_room_beside_a_wall<3>(5);
}

TEST(LocalCompacity, TakesWhatIsLedForAWall)
{
    Scene<3> scene;
    scene.add_ball(0.1, Vec<3>::Zero());
    const auto block = scene.add(scene.shapes.add_polytope(box<3>({1, 1, 1})), {0.7, 0, 0}); // from x = 0.2 on
    const auto compacity = [&] { return local_compacity(Sample<3>{scene.bodies, scene.shapes}, 0.5); };
    const double beside_a_grain = compacity()[0];
    scene.bodies.imposed[std::size_t(block)] = all_imposed<3>;
    const double ball = ball_volume<3>(0.5);
    EXPECT_NEAR(compacity()[0], ball_volume<3>(0.1) / (ball - ball_below_plane<3>(0.5, 0.2)), 0.02 * compacity()[0]);
    EXPECT_GT(beside_a_grain, 5 * compacity()[0]);
    EXPECT_TRUE(std::isnan(compacity()[std::size_t(block)]));
}

TEST(LocalCompacity, OfNothingIsNothing)
{
    Scene<2> scene;
    EXPECT_TRUE(local_compacity(Sample<2>{scene.bodies, scene.shapes}, 1).empty());
    scene.add_fixed(scene.shapes.add_half_space({0, 1}));
    EXPECT_TRUE(std::isnan(local_compacity(Sample<2>{scene.bodies, scene.shapes}, 1)[0]));
}

} // namespace
} // namespace talus
