// Volumes of grains in boxes, balls and cylinders, against closed forms, against each other, and against random points.
#include "talus/base/random.hpp"
#include "talus/probes/region.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

template <int D>
struct Grains {
    BodyTable<D> bodies;
    ShapeTable<D> shapes;

    void add(std::int32_t shape, const Vec<D>& position, const Rotation<D>& orientation = {})
    {
        Body<D> body;
        body.position = position;
        body.orientation = orientation;
        body.mass = 1;
        body.shape = shape;
        bodies.add(body);
    }
    double within(const Region<D>& region) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) sum += volume_within<D>(region, {bodies, shapes}, i);
        return sum;
    }
};

template <int D>
double ball_within(const Region<D>& region, const Vec<D>& centre, double radius)
{
    Grains<D> one;
    one.add(one.shapes.add_ball(radius), centre);
    return one.within(region);
}
template <int D>
double cube_within(const Region<D>& region, const Vec<D>& centre, double side)
{
    Grains<D> one;
    one.add(one.shapes.add_polytope(box<D>(Vec<D>::Constant(side))), centre);
    return one.within(region);
}

Rotation<2> some_turn(Random& random, const Vec<2>&) { return Rotation<2>(random.uniform(-3, 3)); }
Rotation<3> some_turn(Random& random, const Vec<3>&)
{
    return Rotation<3>::from_vector({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)});
}
template <int D>
Vec<D> some_point(Random& random, double reach)
{
    Vec<D> point;
    for (int k = 0; k < D; ++k) point[k] = random.uniform(-reach, reach);
    return point;
}

// what a box [lower, upper] covers of cubes of side `side` on the unit lattice, along one axis
double covered(double lower, double upper, int cells, double side)
{
    double length = 0;
    for (int k = 0; k < cells; ++k) {
        length += std::max(0.0, std::min(upper, k + 0.5 * side) - std::max(lower, k - 0.5 * side));
    }
    return length;
}

template <int D>
void expect_lattice_of_cubes()
{
    Random random(3);
    const int cells = 6;
    const double side = 0.9;
    for (int repeat = 0; repeat < 20; ++repeat) {
        Grains<D> cubes;
        const auto cube = cubes.shapes.add_polytope(box<D>(Vec<D>::Constant(side)));
        // the lattice and the region turn together, far from the origin
        const Rotation<D> turn = some_turn(random, Vec<D>());
        const Vec<D> origin = some_point<D>(random, 100);
        for (int k = 0; k < int(std::lround(std::pow(cells, D))); ++k) {
            Vec<D> cell;
            for (int axis = 0, rest = k; axis < D; ++axis, rest /= cells) cell[axis] = rest % cells;
            cubes.add(cube, origin + turn * cell, turn);
        }
        Vec<D> lower, upper;
        double exact = 1;
        for (int k = 0; k < D; ++k) {
            lower[k] = random.uniform(-0.5, 2);
            upper[k] = lower[k] + random.uniform(0.2, 3);
            exact *= covered(lower[k], upper[k], cells, side);
        }
        Region<D> region = Region<D>::box(lower, upper);
        region.centre = origin + turn * region.centre;
        region.turn = turn;
        EXPECT_NEAR(cubes.within(region), exact, 1e-12 * std::max(1.0, exact));
    }
}
TEST(Region, TurnedBoxCutsALatticeOfCubesExactly)
{
    expect_lattice_of_cubes<2>();
    expect_lattice_of_cubes<3>();
}

TEST(Region, BoxKnowsItsVolumeWidthAndPoints)
{
    Region<2> region = Region<2>::box({1, 2}, {3, 7});
    EXPECT_DOUBLE_EQ(region.volume(), 10);
    EXPECT_DOUBLE_EQ(region.width(), 2);
    EXPECT_TRUE(region.contains({1, 2}));
    EXPECT_FALSE(region.contains({3, 4})) << "it belongs to the box beside";
    EXPECT_TRUE((Region<2>::box({3, 2}, {4, 7}).contains({3, 4})));
    region.turn = Rotation<2>(M_PI / 2);
    EXPECT_TRUE(region.contains({4, 5}));
    EXPECT_FALSE(region.contains({2, 6.5}));
    EXPECT_NEAR(region.bounds().upper[0], 4.5, 1e-15);
    EXPECT_NEAR(region.bounds().lower[1], 3.5, 1e-15);
}

TEST(Region, CylinderKnowsItsVolumeWidthAndPoints)
{
    const Region<3> lying = Region<3>::cylinder({1, 0, 0}, {2, 0, 0}, 0.5, 4);
    EXPECT_DOUBLE_EQ(lying.volume(), M_PI);
    EXPECT_DOUBLE_EQ(lying.width(), 1);
    EXPECT_TRUE(lying.contains({2.9, 0.3, -0.3}));
    EXPECT_FALSE(lying.contains({3.1, 0, 0}));
    EXPECT_FALSE(lying.contains({1, 0.4, 0.4}));
    EXPECT_NEAR((lying.bounds().lower - Vec<3>(-1, -0.5, -0.5)).norm(), 0, 1e-14);
    EXPECT_THROW((Region<2>::cylinder({0, 0}, {1, 0}, 1, 1)), std::logic_error);
}

template <int D>
void expect_balls_in_ball_and_box()
{
    const Region<D> ball = Region<D>::ball(Vec<D>::Constant(5), 2);
    const Vec<D> middle = ball.centre, e = Vec<D>::Unit(D - 1);
    EXPECT_EQ(ball_within<D>(ball, middle, 1), ball_volume<D>(1)) << "inside";
    EXPECT_DOUBLE_EQ(ball_within<D>(ball, middle, 3), ball_volume<D>(2)) << "it holds the region";
    EXPECT_EQ(ball_within<D>(ball, middle + 3 * e, 1), 0) << "touching";
    // a sphere through the centre of another of the same radius
    const double lens = D == 2 ? 4 * (2 * M_PI / 3 - std::sqrt(3) / 2) : 8 * 5 * M_PI / 12;
    EXPECT_NEAR(ball_within<D>(ball, middle + 2 * e, 2), lens, 1e-14 * lens);

    const Region<D> half_space = Region<D>::box(Vec<D>::Constant(-9), Vec<D>::Constant(9));
    EXPECT_NEAR(ball_within<D>(half_space, 9 * e, 1), 0.5 * ball_volume<D>(1), 1e-15);
    const double cap = D == 2 ? std::acos(0.6) - 0.6 * 0.8 : M_PI * 0.16 * (3 - 0.4) / 3; // of height 0.4
    EXPECT_NEAR(ball_within<D>(half_space, 9.6 * e, 1), cap, 1e-14);
    EXPECT_NEAR(ball_within<D>(half_space, Vec<D>::Constant(9), 1), ball_volume<D>(1) / (1 << D), 1e-14) << "corner";
    EXPECT_NEAR(ball_within<D>(half_space, Vec<D>::Zero(), 50), std::pow(18, D), 1e-9) << "it holds the region";
}
TEST(Region, BallsInBallsAndBoxesHaveClosedForms)
{
    expect_balls_in_ball_and_box<2>();
    expect_balls_in_ball_and_box<3>();
}

TEST(Region, SpheresInACylinderHaveClosedForms)
{
    const Vec<3> axis = Vec<3>(1, 2, 2) / 3.0, centre(3, -1, 2);
    const Vec<3> across = frame_of(axis).col(1);
    const Region<3> region = Region<3>::cylinder(centre, axis, 1, 4);
    const auto within = [&](double along, double aside, double radius) {
        return ball_within<3>(region, centre + along * axis + aside * across, radius);
    };
    EXPECT_EQ(within(0.5, 0.2, 0.5), ball_volume<3>(0.5)) << "inside";
    EXPECT_EQ(within(2.5, 0.2, 0.5), 0) << "beyond an end";
    EXPECT_EQ(within(0, 1.5, 0.5), 0) << "beside";
    EXPECT_NEAR(within(2, 0.2, 0.5), 0.5 * ball_volume<3>(0.5), 1e-14) << "half beyond an end";
    EXPECT_NEAR(within(2.3, 0.2, 0.5), M_PI * 0.04 * (1.5 - 0.2) / 3, 1e-14) << "a cap";
    // a sphere of radius a with a cylindrical hole of radius 1 on its axis keeps the volume of one of half the height
    const double a = 1.25, height = std::sqrt(a * a - 1);
    EXPECT_NEAR(within(0, 0, a), ball_volume<3>(a) - ball_volume<3>(height), 1e-12) << "napkin ring";
    EXPECT_NEAR(within(2, 0, a), 0.5 * (ball_volume<3>(a) - ball_volume<3>(height)), 1e-12);
    EXPECT_NEAR(within(0, 0, 50), M_PI * 4, 1e-9) << "it holds the region";
    // Viviani: a sphere of radius 1 and a cylinder of half its radius that passes through its centre
    const Region<3> thin = Region<3>::cylinder(centre, axis, 0.5, 4);
    EXPECT_NEAR(ball_within<3>(thin, centre + 0.5 * across, 1), 2 * M_PI / 3 - 8.0 / 9, 1e-10);
}

// Of random points.
template <int D>
Polytope<D> random_hull(Random& random)
{
    std::vector<Vec<D>> points;
    for (int k = 0; k < 12; ++k) points.push_back(some_point<D>(random, 0.5));
    return convex_hull<D>(points);
}

template <int D>
bool holds(const Polytope<D>& polytope, const Vec<D>& point)
{
    for (const Plane<D>& plane : polytope.planes) {
        if (plane.normal.dot(point) > plane.offset) return false;
    }
    return true;
}

// The share of points of a cube around the hull that lie in both has the deviation √(p(1 − p)/N); five of them.
template <int D>
void expect_what_random_points_say(const Region<D>& region, std::uint64_t seed)
{
    Random random(seed);
    const int samples = 200000;
    for (int repeat = 0; repeat < 5; ++repeat) {
        Grains<D> one;
        one.add(one.shapes.add_polytope(random_hull<D>(random)), region.centre + some_point<D>(random, 0.8),
                some_turn(random, Vec<D>()));
        const Polytope<D>& hull = one.shapes.polytopes[0];
        int hits = 0;
        for (int k = 0; k < samples; ++k) {
            const Vec<D> point = some_point<D>(random, 0.5);
            hits +=
                holds<D>(hull, point) && region.contains(one.bodies.position[0] + one.bodies.orientation[0] * point);
        }
        const double share = one.within(region); // of the unit cube
        const double deviation = std::sqrt(std::max(share * (1 - share), 1.0 / samples) / samples);
        EXPECT_NEAR(double(hits) / samples, share, 5 * deviation) << "repeat " << repeat;
    }
}
TEST(Region, HullsAgreeWithRandomPoints)
{
    Random random(17);
    Region<2> plate = Region<2>::box({-0.6, -0.4}, {0.6, 0.4});
    plate.turn = Rotation<2>(0.7);
    expect_what_random_points_say(plate, 1);
    expect_what_random_points_say(Region<2>::ball({4, 5}, 0.6), 2);
    Region<3> brick = Region<3>::box({-0.6, -0.4, -0.5}, {0.6, 0.4, 0.5});
    brick.turn = some_turn(random, Vec<3>());
    expect_what_random_points_say(brick, 3);
    expect_what_random_points_say(Region<3>::ball({4, 5, 6}, 0.7), 4);
    expect_what_random_points_say(Region<3>::cylinder({4, 5, 6}, {1, 1, 3}, 0.5, 1), 5);
}
TEST(Region, SpheresInACylinderAgreeWithRandomPoints)
{
    Random random(23);
    const Region<3> region = Region<3>::cylinder({0, 0, 0}, {0.3, -1, 0.5}, 0.5, 0.9);
    const int samples = 200000;
    for (int repeat = 0; repeat < 8; ++repeat) {
        const double radius = random.uniform(0.1, 1);
        const Vec<3> centre = some_point<3>(random, 0.6);
        int hits = 0;
        for (int k = 0; k < samples; ++k) {
            const Vec<3> point = some_point<3>(random, radius);
            hits += point.norm() < radius && region.contains(centre + point);
        }
        const double share = ball_within<3>(region, centre, radius) / std::pow(2 * radius, 3);
        const double deviation = std::sqrt(std::max(share * (1 - share), 1.0 / samples) / samples);
        EXPECT_NEAR(double(hits) / samples, share, 5 * deviation) << "repeat " << repeat;
    }
}

// What is cut in two by a plane across its own last axis.
template <int D>
void expect_halves_to_add_up(const Region<D>& whole, double tolerance)
{
    Random random(5);
    Grains<D> grains;
    const auto hull = grains.shapes.add_polytope(random_hull<D>(random));
    const auto ball = grains.shapes.add_ball(0.4);
    for (int k = 0; k < 60; ++k) {
        grains.add(k % 2 ? hull : ball, whole.centre + some_point<D>(random, 1.2), some_turn(random, Vec<D>()));
    }
    const double below = 0.3; // of it
    Region<D> lower = whole, upper = whole;
    lower.half[D - 1] *= below;
    upper.half[D - 1] *= 1 - below;
    lower.centre -= whole.turn * Vec<D>((1 - below) * whole.half[D - 1] * Vec<D>::Unit(D - 1));
    upper.centre += whole.turn * Vec<D>(below * whole.half[D - 1] * Vec<D>::Unit(D - 1));
    const double all = grains.within(whole);
    EXPECT_GT(all, 1);
    EXPECT_NEAR(grains.within(lower) + grains.within(upper), all, tolerance * all);
}
TEST(Region, TwoHalvesAddUpToTheWhole)
{
    Random random(29);
    Region<2> plate = Region<2>::box({-0.9, -0.8}, {0.9, 0.8});
    plate.turn = some_turn(random, Vec<2>());
    expect_halves_to_add_up(plate, 1e-12);
    Region<3> brick = Region<3>::box({-0.9, -0.8, -0.7}, {0.9, 0.8, 0.7});
    brick.turn = some_turn(random, Vec<3>());
    expect_halves_to_add_up(brick, 1e-12);
    // curved: slices are integrated to 1e-10 of a grain
    expect_halves_to_add_up(Region<3>::cylinder({0, 0, 0}, {1, -2, 3}, 0.9, 1.8), 1e-9);
}

TEST(Region, PolyhedraInCylindersHaveClosedForms)
{
    const Vec<3> up = Vec<3>::Unit(2);
    // a cube around a short cylinder, within a long one, and across the end of one
    EXPECT_NEAR(cube_within<3>(Region<3>::cylinder({0, 0, 0}, up, 1, 1.5), {0, 0, 0}, 4), M_PI * 1.5, 1e-9);
    EXPECT_NEAR(cube_within<3>(Region<3>::cylinder({0, 0, 0}, up, 1, 8), {0.1, 0.2, 1}, 0.5), 0.125, 1e-15);
    EXPECT_NEAR(cube_within<3>(Region<3>::cylinder({0, 0, 0}, up, 1, 8), {0, 0, 4}, 0.5), 0.0625, 1e-15);
    // a cube beside the axis of a cylinder as wide as the cube is: half a cylinder
    EXPECT_NEAR(cube_within<3>(Region<3>::cylinder({0, 0, 0}, up, 1, 1), {1, 0, 0}, 2), M_PI / 2, 1e-10);
}

template <int D>
void expect_cube_around_regions()
{
    const Region<D> ball = Region<D>::ball(Vec<D>::Constant(0.3), 0.5);
    EXPECT_NEAR(cube_within<D>(ball, Vec<D>::Zero(), 4), ball.volume(), 1e-13);
    EXPECT_NEAR(cube_within<D>(ball, ball.centre, 0.1), std::pow(0.1, D), 1e-15);
    const Region<D> square = Region<D>::box(Vec<D>::Constant(-0.2), Vec<D>::Constant(0.4));
    EXPECT_NEAR(cube_within<D>(square, Vec<D>::Zero(), 4), square.volume(), 1e-13);
}
TEST(Region, GrainLargerThanTheRegionFillsIt)
{
    expect_cube_around_regions<2>();
    expect_cube_around_regions<3>();
}

template <int D>
void expect_cluster()
{
    // an L of three cubes; its corner cube spans [0, 1]
    const auto at = [](const Vec<D>& place) {
        Polytope<D> cube = box<D>(Vec<D>::Ones());
        for (Vec<D>& vertex : cube.vertices) vertex += place;
        for (Plane<D>& plane : cube.planes) plane.offset += plane.normal.dot(place);
        return cube;
    };
    const Vec<D> corner = Vec<D>::Constant(0.5);
    Grains<D> one;
    one.add(one.shapes.add_cluster({at(corner), at(corner + Vec<D>::Unit(0)), at(corner + Vec<D>::Unit(1))}),
            Vec<D>::Constant(7));
    const Vec<D> origin = Vec<D>::Constant(7);
    EXPECT_NEAR(one.within(Region<D>::box(origin, origin + Vec<D>::Constant(1.5))), 2, 1e-13);
    EXPECT_NEAR(one.within(Region<D>::box(origin, origin + Vec<D>::Constant(9))), 3, 1e-13);
    // a ball around the inner corner of the L misses one quadrant of it
    const Region<D> ball = Region<D>::ball(origin + Vec<D>::Constant(1), 0.3);
    EXPECT_NEAR(one.within(ball), 0.75 * ball.volume() / (D == 3 ? 2 : 1), 1e-13);
}
TEST(Region, ClustersAreTheSumOfTheirParts)
{
    expect_cluster<2>();
    expect_cluster<3>();
}

} // namespace
} // namespace talus
