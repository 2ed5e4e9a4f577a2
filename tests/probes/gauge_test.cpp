#include "probes/measured_scene.hpp"
#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/math/ball_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

template <int D>
Scene<D> lattice(int side)
{
    Scene<D> scene;
    const int count = int(std::lround(std::pow(side, D)));
    for (int k = 0; k < count; ++k) {
        Vec<D> cell;
        for (int axis = 0, rest = k; axis < D; ++axis, rest /= side) cell[axis] = rest % side;
        scene.add_ball(0.5, cell);
    }
    return scene;
}

template <int D>
void expect_lattice_density()
{
    const Scene<D> scene = lattice<D>(8);
    const double exact = ball_volume<D>(0.5); // per cell of volume 1
    EXPECT_NEAR(*scene.measure().compacity, exact, 1e-12);
    Random random(1);
    for (int repeat = 0; repeat < 20; ++repeat) { // boxes of whole cells, wherever they begin
        Vec<D> lower, size;
        for (int axis = 0; axis < D; ++axis) {
            lower[axis] = repeat == 0 ? 1.5 : random.uniform(0.5, 2.5);
            size[axis] = 1 + double(random.bits() % 4);
        }
        const GaugeValues<D> values = scene.measure(Gauge<D>::box("cells", lower, lower + size));
        EXPECT_NEAR(values.volume, size.prod(), 1e-12);
        EXPECT_NEAR(*values.compacity, exact, 1e-12);
        EXPECT_EQ(values.grains, std::size_t(std::lround(size.prod())));
    }
}
TEST(Gauge, CompacityOfACubicLatticeIsExactHoweverTheBoxCutsIt)
{
    expect_lattice_density<2>();
    expect_lattice_density<3>();
}

template <int D>
void expect_two_balls()
{
    Scene<D> scene;
    const Vec<D> apart = 1.9 * Vec<D>::Unit(0);
    const auto a = scene.add_ball(1, Vec<D>::Zero()), b = scene.add_ball(1, apart);
    scene.touch(a, b, 1, -0.1);
    const double lens = overlap_of_balls<D>(1, 1, 1.9);
    const GaugeValues<D> all = scene.measure();
    const double volume = 3.9 * std::pow(2.0, D - 1);
    EXPECT_NEAR(all.volume, volume, 1e-13);
    EXPECT_NEAR(*all.interpenetration, lens / volume, 1e-14);
    EXPECT_NEAR(*all.overlap_ratio, lens / (2 * ball_volume<D>(1)), 1e-14);
    EXPECT_NEAR(*all.max_overlap, 0.1, 1e-15);
    EXPECT_NEAR(all.solid_volume, 2 * ball_volume<D>(1), 1e-13) << "both grains count whole";

    // the pair belongs to the box that holds its contact point, at x = 0.95
    const Vec<D> corner = Vec<D>::Constant(2);
    Vec<D> middle = corner;
    middle[0] = 0.9;
    const GaugeValues<D> left = scene.measure(Gauge<D>::box("left", -corner, middle));
    EXPECT_EQ(*left.overlap_volume, 0);
    EXPECT_EQ(left.contacts, 0u);
    EXPECT_EQ(left.grains, 1u);
    EXPECT_EQ(*left.coordination, 1) << "its neighbour counts though it is outside";
    middle[0] = 1.0;
    EXPECT_NEAR(*scene.measure(Gauge<D>::box("more", -corner, middle)).overlap_volume, lens, 1e-15);
}
TEST(Gauge, InterpenetrationOfTwoBalls)
{
    expect_two_balls<2>();
    expect_two_balls<3>();
}

TEST(Gauge, CoordinationOfAChain)
{
    Scene<2> scene;
    const auto floor = scene.add_fixed(scene.shapes.add_half_space({0, 1}), {0, -5});
    const int length = 10;
    for (int k = 0; k < length; ++k) scene.add_ball(0.5, {double(k), 0});
    for (int k = 0; k + 1 < length; ++k) scene.touch(floor + 1 + k, floor + 2 + k, 1 + k);
    EXPECT_DOUBLE_EQ(*scene.measure().coordination, 2.0 * (length - 1) / length);
    EXPECT_EQ(scene.measure().grains, std::size_t(length)) << "the floor is no grain";
    EXPECT_FALSE(scene.measure().coordination_without_rattlers) << "a chain comes undone from its ends";

    scene.touch(floor + 1, floor, 5); // a wall is a neighbour too
    EXPECT_DOUBLE_EQ(*scene.measure().coordination, (2.0 * (length - 1) + 1) / length);
    scene.touch(floor + 2, floor, 1e-13);   // touches, transmits next to nothing
    scene.touch(floor + 3, floor, 0, 1e-3); // open
    EXPECT_DOUBLE_EQ(*scene.measure().coordination, (2.0 * (length - 1) + 1) / length);
    EXPECT_DOUBLE_EQ(*scene.measure().neighbours, (2.0 * (length - 1) + 2) / length);
    EXPECT_EQ(scene.measure().contacts, std::size_t(length + 2));
    EXPECT_EQ(scene.measure().active_contacts, std::size_t(length));
    const double half_of_largest = 0.5; // of impulses 1 to 9, and 5
    EXPECT_EQ(scene.measure(Gauge<2>::sample("coarse"), half_of_largest).active_contacts, 6u);
}

TEST(Gauge, GrainsAreWhatNothingHoldsOrLeads)
{
    Scene<2> scene;
    scene.add_ball(0.5, {0, 0});
    scene.add_ball(0.5, {1, 0});
    const std::size_t block = scene.bodies.size();
    Body<2> body;
    body.mass = 1;
    body.inertia.setOnes();
    body.position = {3, 0};
    body.shape = scene.shapes.add_polytope(box<2>({0.5, 0.5}));
    scene.bodies.add(body);
    const FreedomMask rotation = 0b100, along_x = 0b001;
    EXPECT_EQ(scene.measure().grains, 3u);
    scene.bodies.imposed[block - 1] = rotation;
    EXPECT_EQ(scene.measure().grains, 3u) << "a disk that does not roll is one still";
    scene.bodies.imposed[block] = rotation;
    EXPECT_EQ(scene.measure().grains, 2u) << "a block that cannot turn is a lid or a sleeper";
    scene.bodies.imposed[block - 1] = along_x;
    EXPECT_EQ(scene.measure().grains, 1u);
}

TEST(Gauge, APairWithSeveralPointsCountsOnce)
{
    Scene<2> scene;
    const auto a = scene.add_ball(1, {0, 0}), b = scene.add_ball(1, {1.9, 0});
    for (std::uint64_t feature = 0; feature < 3; ++feature) scene.touch(a, b, feature == 2 ? 1 : 0, -0.1, feature);
    const GaugeValues<2> values = scene.measure();
    EXPECT_EQ(*values.coordination, 1);
    EXPECT_EQ(*values.neighbours, 1);
    EXPECT_EQ(values.contacts, 3u);
    EXPECT_EQ(values.active_contacts, 1u);
    EXPECT_NEAR(*values.overlap_volume, overlap_of_balls<2>(1, 1, 1.9), 1e-15);
}

TEST(Gauge, RattlersAreLeftOutAgainAndAgain)
{
    Scene<3> scene; // five grains that all push each other, and a tail of two that hangs on
    for (int k = 0; k < 7; ++k) scene.add_ball(0.1, {double(k), 0, 0});
    for (int a = 0; a < 5; ++a) {
        for (int b = a + 1; b < 5; ++b) scene.touch(a, b, 1, 1);
    }
    scene.touch(4, 5, 1, 1);
    scene.touch(5, 6, 1, 1);
    EXPECT_DOUBLE_EQ(*scene.measure().coordination, (5 * 4 + 4.0) / 7);
    EXPECT_DOUBLE_EQ(*scene.measure().coordination_without_rattlers, 4);
}

TEST(Gauge, AnEmptyGaugeHasNoMeansAndNoNaN)
{
    Scene<3> scene;
    const GaugeValues<3> nothing = scene.measure();
    EXPECT_EQ(nothing.volume, 0);
    EXPECT_FALSE(nothing.compacity || nothing.coordination || nothing.interpenetration || nothing.mean_speed);
    scene.add_ball(1, {0, 0, 0});
    const GaugeValues<3> beside = scene.measure(Gauge<3>::box("beside", {2, 2, 2}, {3, 3, 3}));
    EXPECT_EQ(beside.volume, 1);
    EXPECT_EQ(beside.grains, 0u);
    EXPECT_FALSE(beside.compacity || beside.interpenetration || beside.coordination || beside.neighbours ||
                 beside.coordination_without_rattlers || beside.overlap_ratio || beside.mean_speed);
    EXPECT_FALSE(beside.max_speed);
}

TEST(Gauge, OverlapWithWallsOfEveryKind)
{
    const auto overlap = [](auto add_wall, const Vec<3>& centre) {
        Scene<3> scene;
        const auto ball = scene.add_ball(1, centre);
        scene.touch(ball, add_wall(scene), 1, -0.1);
        return scene.measure();
    };
    const auto plane = overlap([](auto& s) { return s.add_fixed(s.shapes.add_half_space({0, 0, 1})); }, {3, 4, 0.75});
    EXPECT_NEAR(*plane.overlap_volume, ball_below_plane<3>(1, 0.75), 1e-14);
    EXPECT_NEAR(*plane.max_overlap, 0.25, 1e-15);
    EXPECT_NEAR(plane.volume, 4 * 1.75, 1e-14) << "cut back to the wall";
    EXPECT_NEAR(plane.solid_volume, ball_volume<3>(1) - *plane.overlap_volume, 1e-14);
    const auto bowl = overlap([](auto& s) { return s.add_fixed(s.shapes.add_hollow_ball(5)); }, {0, 4.2, 0});
    EXPECT_NEAR(*bowl.overlap_volume, ball_outside_bowl<3>(1, 5, 4.2), 1e-13);
    const auto drum = overlap(
        [](auto& s) {
            return s.add_fixed(s.shapes.add_hollow_cylinder(5, {0, 0, 1}));
        },
        {0, 4.2, 7});
    EXPECT_NEAR(*drum.overlap_volume, ball_outside_drum(1, 5, 4.2), 1e-13);
    EXPECT_NEAR(*drum.max_overlap, 0.2, 1e-14);
    const auto rod = [](auto& s) { return s.add_fixed(s.shapes.add_segment({2, 0, 0}, 0.5)); };
    EXPECT_NEAR(*overlap(rod, {0.3, 1.3, 0}).overlap_volume, ball_in_rod<3>(1, 0.5, 1.3), 1e-14);
    EXPECT_NEAR(*overlap(rod, {3.3, 0, 0}).overlap_volume, overlap_of_balls<3>(1, 0.5, 1.3), 1e-14);
    const auto line = overlap([](auto& s) { return s.add_fixed(s.shapes.add_segment({2, 0, 0}, 0)); }, {0, 0.9, 0});
    EXPECT_EQ(*line.overlap_volume, 0);
    EXPECT_NEAR(*line.max_overlap, 0.1, 1e-15);
}

TEST(Gauge, SpeedsAreThoseOfTheGrainsInside)
{
    Scene<2> scene;
    for (int k = 0; k < 4; ++k) {
        scene.add_ball(0.5, {double(k), 0});
        scene.bodies.velocity[k] = {0, double(k)};
    }
    EXPECT_DOUBLE_EQ(*scene.measure().mean_speed, 1.5);
    EXPECT_DOUBLE_EQ(*scene.measure().max_speed, 3);
    const auto inside = scene.measure(Gauge<2>::box("two", {-0.5, -1}, {1.5, 1}));
    EXPECT_DOUBLE_EQ(*inside.mean_speed, 0.5);
    EXPECT_DOUBLE_EQ(*inside.max_speed, 1);
}

TEST(Gauge, ABoxWithoutVolumeIsRefused)
{
    EXPECT_THROW(Gauge<2>::box("flat", {0, 0}, {1, 0}), InputError);
    EXPECT_THROW(Gauge<2>::box("wild", {0, 0}, {1, INFINITY}), InputError);
}

TEST(Gauge, TheSameBitsForAnyNumberOfThreads)
{
    Scene<3> scene;
    Random random(9);
    for (int k = 0; k < 20000; ++k) {
        scene.add_ball(random.uniform(0.2, 0.7),
                       {k % 27 + random.uniform(), k / 27 % 27 + random.uniform(), k / 729 + 0.});
        scene.bodies.velocity.back() = {random.uniform(), 0, 0};
        if (k > 0) scene.touch(k - 1, k, random.uniform(-0.1, 1), random.uniform(-0.1, 0.1));
    }
    const Gauge<3> gauge = Gauge<3>::box("part", {3, 4, 5}, {20, 21, 22.5});
    const int before = thread_count();
    set_thread_count(1);
    const GaugeValues<3> one = scene.measure(gauge);
    for (const int threads : {2, 4}) {
        set_thread_count(threads);
        const GaugeValues<3> more = scene.measure(gauge);
        EXPECT_EQ(one.solid_volume, more.solid_volume);
        EXPECT_EQ(one.overlap_volume, more.overlap_volume);
        EXPECT_EQ(one.mean_speed, more.mean_speed);
        EXPECT_EQ(one.coordination, more.coordination);
        EXPECT_EQ(one.neighbours, more.neighbours);
        EXPECT_EQ(one.coordination_without_rattlers, more.coordination_without_rattlers);
    }
    set_thread_count(before);
    EXPECT_GT(*one.overlap_volume, 0);
}

} // namespace
} // namespace talus
