#include "shapes/random_sets.hpp"
#include "shapes/reference_separation.hpp"
#include "talus/math/ball_overlap.hpp"
#include "talus/shapes/intersection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {
namespace {

using std::numbers::pi;

template <int D>
Rotation<D> random_turn(Random& random)
{
    Ang<D> turn;
    for (int k = 0; k < angular<D>; ++k) turn[k] = random.uniform(-2, 2);
    return Rotation<D>::from_vector(turn);
}

// A hull of points on a sphere: round grains with triangular faces; in 2D a polygon.
template <int D>
Polytope<D> grain(Random& random, int points, double size = 1)
{
    std::vector<Vec<D>> cloud;
    for (int k = 0; k < points; ++k) cloud.push_back(size * random_vector<D>(random).normalized());
    return convex_hull<D>(std::span<const Vec<D>>(cloud));
}

template <int D>
struct Solid {
    Polytope<D> polytope;
    Vec<D> position = Vec<D>::Zero();
    Rotation<D> orientation{};

    PlacedPolytope<D> placed() const { return {polytope, position, orientation}; }
    double volume() const { return volume_inside<D>(placed(), {}); }
};

template <int D>
double common(const Solid<D>& a, const Solid<D>& b)
{
    const double volume = intersection_volume<D>(a.placed(), b.placed());
    EXPECT_GE(volume, 0);
    EXPECT_LE(volume, std::min(a.volume(), b.volume()));
    return volume;
}

template <int D>
Solid<D> moved(const Solid<D>& solid, const Vec<D>& shift, const Rotation<D>& turn)
{
    return {solid.polytope, shift + turn * solid.position, turn * solid.orientation};
}

template <int D>
Solid<D> random_grain(Random& random, int points, double size = 1)
{
    return {grain<D>(random, points, size), size * random_vector<D>(random, 0.7), random_turn<D>(random)};
}

// The reference: corners of the common solid by trying all D-tuples of planes, in long double, then cones (triangles in
// 2D) from their mean to every face. Slow and simple.
using Long = long double;

template <int D>
struct LongPlane {
    LongVec<D> normal;
    Long offset;
    std::vector<LongVec<D>> corners;
};

template <int D>
void add_planes(std::vector<LongPlane<D>>& planes, const Solid<D>& solid)
{
    const Polytope<D>& polytope = solid.polytope;
    const Eigen::Matrix<Long, D, D> turn = solid.orientation.matrix().template cast<Long>();
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const auto corner = [&](int k) -> LongVec<D> {
            return polytope.vertices[polytope.face(f)[k]].template cast<Long>();
        };
        LongVec<D> normal; // from the corners: the stored plane is rounded to double
        if constexpr (D == 2) {
            normal = {corner(1)[1] - corner(0)[1], corner(0)[0] - corner(1)[0]};
        } else {
            normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        }
        normal = (turn * normal).normalized();
        planes.push_back({normal, normal.dot(turn * corner(0) + solid.position.template cast<Long>()), {}});
    }
}

Long face_measure(const LongPlane<2>& line)
{
    Long length = 0;
    for (const auto& a : line.corners) {
        for (const auto& b : line.corners) length = std::max(length, (a - b).norm());
    }
    return length;
}
Long face_measure(LongPlane<3> face)
{
    if (face.corners.size() < 3) return 0;
    LongVec<3> middle = LongVec<3>::Zero();
    for (const auto& corner : face.corners) middle += corner / Long(face.corners.size());
    const LongVec<3> first = (face.corners[0] - middle).normalized(), second = face.normal.cross(first);
    const auto angle = [&](const LongVec<3>& corner) {
        return std::atan2(second.dot(corner - middle), first.dot(corner - middle));
    };
    std::sort(face.corners.begin(), face.corners.end(),
              [&](const auto& a, const auto& b) { return angle(a) < angle(b); });
    Long twice = 0;
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
        const LongVec<3> a = face.corners[k] - middle, b = face.corners[(k + 1) % face.corners.size()] - middle;
        twice += face.normal.dot(a.cross(b));
    }
    return twice / 2;
}

template <int D>
double common_by_enumeration(const Solid<D>& a, const Solid<D>& b)
{
    std::vector<LongPlane<D>> planes;
    add_planes(planes, a);
    add_planes(planes, b);
    const Long slack = 1e-16L * std::max(1.0, std::max(a.polytope.bounding_radius(), b.polytope.bounding_radius()));
    LongVec<D> mean = LongVec<D>::Zero();
    int corners = 0;
    const auto try_corner = [&](std::array<std::size_t, D> chosen) {
        Eigen::Matrix<Long, D, D> normals;
        LongVec<D> offsets;
        for (int k = 0; k < D; ++k) {
            normals.row(k) = planes[chosen[k]].normal.transpose();
            offsets[k] = planes[chosen[k]].offset;
        }
        if (std::abs(normals.determinant()) < 1e-7L) return; // others find that corner better
        const LongVec<D> corner = normals.inverse() * offsets;
        for (std::size_t p = 0; p < planes.size(); ++p) {
            // more than D faces meet at a corner of a hull: all of them find it, whatever the rounding
            if (planes[p].normal.dot(corner) > planes[p].offset + slack) return;
        }
        for (const std::size_t p : chosen) planes[p].corners.push_back(corner);
        mean += corner;
        ++corners;
    };
    for (std::size_t i = 0; i < planes.size(); ++i) {
        for (std::size_t j = i + 1; j < planes.size(); ++j) {
            if constexpr (D == 2) {
                try_corner({i, j});
            } else {
                for (std::size_t k = j + 1; k < planes.size(); ++k) try_corner({i, j, k});
            }
        }
    }
    if (corners == 0) return 0;
    mean /= corners;
    Long volume = 0;
    for (const auto& plane : planes) volume += (plane.offset - plane.normal.dot(mean)) * face_measure(plane) / D;
    return double(volume);
}

TEST(Intersection, CubesThatShareACornerAndCubesTurnedByHalfARightAngle) // verification V31
{
    const Solid<3> cube{box<3>({1, 1, 1})};
    EXPECT_NEAR(common(cube, moved<3>(cube, {0.9, 0.9, 0.9}, {})), 1e-3, 1e-15);
    const auto turn = Rotation<3>::from_vector({0, 0, pi / 4});
    EXPECT_NEAR(common(cube, moved<3>(cube, {0, 0, 0}, turn)), 2 * std::sqrt(2.0) - 2, 1e-15);
    const Solid<2> square{box<2>({1, 1})};
    EXPECT_NEAR(common(square, moved<2>(square, {0, 0}, Rotation<2>(pi / 4))), 2 * std::sqrt(2.0) - 2, 1e-15);
}

template <int D>
void expect_enumerated_volume(int pairs, double ratio)
{
    Random random(std::uint64_t(D + 100 * ratio));
    int overlapping = 0;
    for (int repeat = 0; repeat < pairs; ++repeat) {
        const Solid<D> small = random_grain<D>(random, 9);
        Solid<D> large = random_grain<D>(random, 9, ratio);
        Vec<D> middle = Vec<D>::Zero(); // of a face, which is put near the small one
        for (const std::int32_t v : large.polytope.face(0)) middle += large.polytope.vertices[v] / D;
        large.position = random_vector<D>(random, 0.3) - large.orientation * middle;
        if (ratio == 1) large.position = random_vector<D>(random, 0.7);
        const double volume = common(small, large);
        overlapping += volume > 0;
        // rounding of the larger one's surface, in units of the smaller one
        EXPECT_NEAR(volume, common_by_enumeration(small, large), 2e-15 * ratio + 1e-14) << repeat;
    }
    EXPECT_GT(overlapping, pairs / 2);
}
TEST(Intersection, AgreesWithTryingAllCornersInLongDouble)
{
    NEEDS_QHULL();
    expect_enumerated_volume<2>(300, 1);
    expect_enumerated_volume<2>(100, 1000);
    expect_enumerated_volume<3>(60, 1);
    expect_enumerated_volume<3>(30, 1000);
}

template <int D>
void expect_invariance()
{
    Random random(5);
    for (int repeat = 0; repeat < 500; ++repeat) {
        const Solid<D> a = random_grain<D>(random, 14), b = random_grain<D>(random, 20, repeat % 2 ? 1 : 0.1);
        const double volume = common(a, b);
        EXPECT_NEAR(volume, common(b, a), 1e-14);
        const Vec<D> shift = random_vector<D>(random, 100); // positions then carry 1e-14 of rounding
        const Rotation<D> turn = random_turn<D>(random);
        EXPECT_NEAR(volume, common(moved(a, shift, turn), moved(b, shift, turn)), 3e-13);
    }
}
TEST(Intersection, DoesNotDependOnOrderPlaceOrOrientation)
{
    NEEDS_QHULL();
    expect_invariance<2>();
    expect_invariance<3>();
}

template <int D>
void expect_whole_of_what_is_inside()
{
    Random random(6);
    for (int repeat = 0; repeat < 100; ++repeat) {
        const Solid<D> inner = random_grain<D>(random, 12),
                       outer{box<D>(Vec<D>::Constant(20)), Vec<D>::Zero(), random_turn<D>(random)};
        EXPECT_NEAR(common(inner, outer), inner.volume(), 1e-14);
        EXPECT_NEAR(common(inner, inner), inner.volume(), 1e-14) << "identical";
        Solid<D> shrunk = inner; // all faces parallel, one corner in common
        for (Vec<D>& vertex : shrunk.polytope.vertices) vertex = 0.5 * (vertex + inner.polytope.vertices[0]);
        for (Plane<D>& plane : shrunk.polytope.planes) {
            plane.offset = plane.normal.dot(shrunk.polytope.support(plane.normal));
        }
        EXPECT_NEAR(common(inner, shrunk), shrunk.volume(), 1e-14);
    }
}
TEST(Intersection, OfASolidInsideAnotherIsItsVolume)
{
    NEEDS_QHULL();
    expect_whole_of_what_is_inside<2>();
    expect_whole_of_what_is_inside<3>();
}

// Boxes side by side on a lattice: faces coincide, edges touch, corners meet.
template <int D>
void expect_product_of_lengths()
{
    Random random(7);
    for (int repeat = 0; repeat < 2000; ++repeat) {
        Vec<D> size_a, size_b, shift;
        double exact = 1;
        for (int k = 0; k < D; ++k) {
            size_a[k] = 1 + double(random.bits() % 3);
            size_b[k] = 1 + double(random.bits() % 3);
            shift[k] = 0.5 * double(random.bits() % 9) - 2;
            exact *= std::max(0.0, std::min(0.5 * size_a[k], shift[k] + 0.5 * size_b[k]) -
                                       std::max(-0.5 * size_a[k], shift[k] - 0.5 * size_b[k]));
        }
        const Solid<D> a{box<D>(size_a)}, b{box<D>(size_b), shift};
        EXPECT_EQ(common(a, b), exact);
        const Rotation<D> turn = random_turn<D>(random); // the same with rounding in every face
        EXPECT_NEAR(common(moved<D>(a, Vec<D>::Zero(), turn), moved<D>(b, Vec<D>::Zero(), turn)), exact, 1e-13);
    }
}
TEST(Intersection, OfBoxesWithFacesInCommonIsExact)
{
    expect_product_of_lengths<2>();
    expect_product_of_lengths<3>();
}

TEST(Intersection, SliversKeepTheirVolume)
{
    const Solid<3> cube{box<3>({1, 1, 1})};
    for (const double depth : {1e-3, 1e-6, 1e-9, 1e-12}) {
        // rounding of the distance: 1e-16 of the depth's area
        EXPECT_NEAR(common(cube, moved<3>(cube, {0, 0, 1 - depth}, {})), depth, 1e-15);
        const Solid<3> plate{box<3>({3, 3, depth}), {0.2, 0.1, 0.3}};
        EXPECT_NEAR(common(cube, plate), depth, 1e-14 * depth);
        const Solid<3> needle{box<3>({depth, depth, 3}), {0.2, 0.1, 0.3}};
        EXPECT_NEAR(common(cube, needle), depth * depth, 1e-14 * depth * depth);
    }
}

// Almost in contact, almost parallel, almost equal: whatever the rounding, the result is a volume (checked by common).
TEST(Intersection, IsAVolumeHoweverClosePlanesAre)
{
    NEEDS_QHULL();
    Random random(8);
    const Solid<3> solids[] = {{box<3>({1, 1, 1})}, {grain<3>(random, 8)}, {grain<3>(random, 40)}};
    for (int repeat = 0; repeat < 3000; ++repeat) {
        const Solid<3>& solid = solids[repeat % 3];
        const double little = std::pow(10, random.uniform(-18, -6));
        const Vec<3> shift = little * random_vector<3>(random);
        const auto turn = Rotation<3>::from_vector(little * random_vector<3>(random));
        const double volume = solid.volume();
        EXPECT_NEAR(common(solid, moved<3>(solid, shift, turn)), volume, 20 * little + 1e-14);
        if (repeat % 3 == 0) {
            EXPECT_NEAR(common(solid, moved<3>(solid, shift + Vec<3>::UnitX(), turn)), 0, 5 * little + 1e-15);
        }
    }
}

template <int D>
void expect_halves_to_add_up()
{
    Random random(9);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const Solid<D> solid = random_grain<D>(random, 15);
        Plane<D> plane{random_vector<D>(random).normalized(), random.uniform(-1, 1)};
        const double below = volume_inside<D>(solid.placed(), {&plane, 1});
        plane = {-plane.normal, -plane.offset};
        EXPECT_NEAR(below + volume_inside<D>(solid.placed(), {&plane, 1}), solid.volume(), 1e-14);
    }
}
TEST(Intersection, TwoSidesOfAPlaneAddUpToTheWhole)
{
    NEEDS_QHULL();
    expect_halves_to_add_up<2>();
    expect_halves_to_add_up<3>();
    const Solid<3> cube{box<3>({1, 1, 1}), {5, 0, 0}};
    const Plane<3> corner[] = {{{1, 0, 0}, 5.25}, {{0, -1, 0}, 0.25}, {{0, 0, 1}, 7}};
    EXPECT_NEAR(volume_inside<3>(cube.placed(), corner), 0.75 * 0.75, 1e-15);
}

// A box as pyramids from a point inside to its faces: the cones of the ball are cut by oblique faces too.
std::vector<Polytope<2>> pyramids(const Vec<2>& half, const Vec<2>& apex)
{
    const Vec<2> corner[] = {{-half[0], -half[1]}, {half[0], -half[1]}, half, {-half[0], half[1]}};
    std::vector<Polytope<2>> parts;
    for (int k = 0; k < 4; ++k) {
        parts.push_back(polytope_of_faces<2>({apex, corner[k], corner[(k + 1) % 4]}, {0, 2, 4, 6}, {0, 1, 1, 2, 2, 0}));
    }
    return parts;
}
std::vector<Polytope<3>> pyramids(const Vec<3>& half, const Vec<3>& apex)
{
    const Polytope<3> whole = box<3>(2 * half);
    std::vector<Polytope<3>> parts;
    for (std::size_t f = 0; f < whole.face_count(); ++f) {
        std::vector<Vec<3>> vertices{apex};
        for (const std::int32_t v : whole.face(f)) vertices.push_back(whole.vertices[v]);
        parts.push_back(
            polytope_of_faces<3>(vertices, {0, 4, 7, 10, 13, 16}, {1, 2, 3, 4, 0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4}));
    }
    return parts;
}

template <int D>
void expect_ball_in_box()
{
    Random random(10);
    for (int repeat = 0; repeat < 1000; ++repeat) {
        Vec<D> half;
        for (int k = 0; k < D; ++k) half[k] = random.uniform(0.2, 1.2);
        const Vec<D> centre = random_vector<D>(random, 1.5), apex = half.cwiseProduct(random_vector<D>(random));
        const double radius = random.uniform(0.05, 1.5);
        const double exact = ball_in_box<D>(centre, radius, -half, half), ball = ball_volume<D>(radius);
        const Rotation<D> turn = random_turn<D>(random);
        const Vec<D> shift = random_vector<D>(random, 3), there = shift + turn * centre;
        const Solid<D> whole{box<D>(2 * half), shift, turn};
        const double inside = volume_in_ball<D>(whole.placed(), there, radius);
        EXPECT_NEAR(inside, exact, 1e-13 * std::max(1.0, ball)) << repeat;
        EXPECT_NEAR(volume_outside_ball<D>(whole.placed(), there, radius), whole.volume() - exact, 1e-13);
        double sum = 0;
        for (const Polytope<D>& part : pyramids(half, apex))
            sum += volume_in_ball<D>({part, shift, turn}, there, radius);
        EXPECT_NEAR(sum, exact, 1e-12) << repeat;
    }
}
TEST(Intersection, OfABallWithABoxAndWithThePyramidsOfThatBox)
{
    expect_ball_in_box<2>();
    expect_ball_in_box<3>();
}

template <int D>
void expect_special_places_of_a_ball()
{
    const Solid<D> cube{box<D>(Vec<D>::Ones())};
    const auto in = [&](const Vec<D>& centre, double radius) {
        return volume_in_ball<D>(cube.placed(), centre, radius);
    };
    const double ball = ball_volume<D>(0.3);
    EXPECT_NEAR(in(Vec<D>::Zero(), 0.3), ball, 1e-15);
    EXPECT_NEAR(in(0.5 * Vec<D>::Unit(0), 0.3), ball / 2, 1e-15) << "on a face";
    EXPECT_NEAR(in(0.5 * (Vec<D>::Unit(0) + Vec<D>::Unit(1)), 0.3), ball / 4, 1e-15) << "on an edge";
    EXPECT_NEAR(in(Vec<D>::Constant(0.5), 0.3), ball / (1 << D), 1e-15) << "at a corner";
    EXPECT_NEAR(in(0.01 * Vec<D>::Ones(), 9), 1, 1e-12) << "all around";
    EXPECT_EQ(in(0.8 * Vec<D>::Unit(0), 0.3), 0) << "touching";
    EXPECT_NEAR(in(0.79 * Vec<D>::Unit(0), 0.3) / ball_below_plane<D>(0.3, 0.29), 1, 1e-12) << "a cap keeps its digits";
    EXPECT_EQ(volume_outside_ball<D>(cube.placed(), Vec<D>::Zero(), 0.5 * std::sqrt(double(D)) + 1e-12), 0);
}
TEST(Intersection, OfABallOnFacesEdgesAndCorners)
{
    expect_special_places_of_a_ball<2>();
    expect_special_places_of_a_ball<3>();
}

TEST(Intersection, OfACornerWithTheWallOfALargeBowlApproachesThatWithItsTangentPlane)
{
    const Solid<3> cube{box<3>({1, 1, 1}), {0, 0, 0}, Rotation<3>::from_vector({0.3, 0.5, 0.1})};
    const Vec<3> down(0, 0, -1);
    double lowest = 0;
    for (const Vec<3>& vertex : cube.polytope.vertices) lowest = std::min(lowest, (cube.orientation * vertex)[2]);
    const double radius = 50, depth = 0.05;
    const Plane<3> tangent{down, 0}; // keeps z ≥ 0
    Solid<3> sunk = cube;
    sunk.position[2] = -lowest - depth; // its lowest corner below z = 0
    const double by_plane = sunk.volume() - volume_inside<3>(sunk.placed(), {&tangent, 1});
    const Vec<3> corner = [&] {
        Vec<3> best = sunk.position;
        for (const Vec<3>& vertex : cube.polytope.vertices) {
            const Vec<3> there = sunk.position + sunk.orientation * vertex;
            if (there[2] < best[2]) best = there;
        }
        return best;
    }();
    const Vec<3> centre(corner[0], corner[1], radius);
    // the bowl rises by w²/2R over the width w of the cut: 3 w/2R of its depth at most
    EXPECT_NEAR(volume_outside_ball<3>(sunk.placed(), centre, radius) / by_plane, 1, 0.02);
    EXPECT_NEAR(volume_outside_cylinder(sunk.placed(), centre, {1, 0, 0}, radius) / by_plane, 1, 0.02);
    EXPECT_GT(volume_outside_ball<3>(sunk.placed(), centre, radius),
              volume_outside_cylinder(sunk.placed(), centre, {1, 0, 0}, radius));
}

TEST(Intersection, OfARodWithASlabIsTheRodBetweenItsFaces)
{
    for (const double tilt : {0.0, 0.3, 1.0}) {
        const Vec<3> along(std::sin(tilt), 0, std::cos(tilt));
        const Solid<3> slab{box<3>({40, 40, 0.7}), {0, 0, 0.1}, Rotation<3>::from_vector({0, 0, 0.4})};
        EXPECT_NEAR(volume_in_rod<3>(slab.placed(), {0.2, 0, 0}, 5 * along, 0.5), pi * 0.25 * 0.7 / std::cos(tilt),
                    1e-9);
        const Solid<2> strip{box<2>({40, 0.7}), {0, 0.1}};
        EXPECT_NEAR(volume_in_rod<2>(strip.placed(), {0.2, 0}, 5 * Vec<2>(along[0], along[2]), 0.5),
                    0.7 / std::cos(tilt), 1e-12);
    }
    const Solid<3> room{box<3>({10, 10, 10}), {1, 0, 0}, Rotation<3>::from_vector({0.2, 0.3, 0.4})};
    EXPECT_NEAR(volume_in_rod<3>(room.placed(), {1, 0, 0}, {0.3, 0.4, 0}, 0.2), pi * 0.04 + ball_volume<3>(0.2), 1e-9);
    EXPECT_NEAR(volume_in_rod<3>(room.placed(), {1, 0, 0}, {0, 0, 0}, 0.2), ball_volume<3>(0.2), 1e-15);
    EXPECT_EQ(volume_in_rod<3>(room.placed(), {1, 0, 0}, {0.3, 0.4, 0}, 0), 0);
    const Solid<2> plane{box<2>({10, 10})};
    EXPECT_NEAR(volume_in_rod<2>(plane.placed(), {1, 0}, {0.3, 0.4}, 0.2), 0.4 + ball_volume<2>(0.2), 1e-14);
}

TEST(Intersection, InsideAndOutsideOfADrumAddUpToTheWhole)
{
    NEEDS_QHULL();
    Random random(11);
    int both = 0;
    for (int repeat = 0; repeat < 60; ++repeat) {
        const Solid<3> solid = random_grain<3>(random, 14);
        const Vec<3> axis = random_vector<3>(random).normalized();
        const double radius = repeat % 2 ? random.uniform(0.3, 1) : random.uniform(5, 20);
        const Vec<3> across = axis.cross(random_vector<3>(random)).normalized();
        const Vec<3> centre = solid.position + (radius + random.uniform(-0.5, 0.5)) * across;
        const double outside = volume_outside_cylinder(solid.placed(), centre, axis, radius);
        const double inside = volume_in_rod<3>(solid.placed(), centre, 50 * axis, radius);
        both += outside > 0 && inside > 0;
        EXPECT_NEAR(outside + inside, solid.volume(), 1e-9) << radius; // 1e-11 for every slice between corners
    }
    EXPECT_GT(both, 40);
}

TEST(Intersection, OfABoxWithADrumAroundItIsFourCorners)
{
    const Vec<3> half(0.9, 1.1, 2);
    const double radius = 1.2;
    const double slice = 4 * half[0] * half[1] - ball_in_box<2>({0, 0}, radius, -half.head<2>(), half.head<2>());
    const auto turn = Rotation<3>::from_vector({0.7, -0.4, 1.1});
    const Solid<3> tower{box<3>(2 * half), {1, 2, 3}, turn};
    EXPECT_NEAR(volume_outside_cylinder(tower.placed(), {1, 2, 3}, turn * Vec<3>(0, 0, 1), radius), slice * 2 * half[2],
                1e-12);
    EXPECT_EQ(volume_outside_cylinder(tower.placed(), {1, 2, 3}, turn * Vec<3>(0, 0, 1), 1.5), 0);
    // across the axis: slices of changing width, with kinks where the circle meets the edges
    const double along_x = volume_outside_cylinder(tower.placed(), {1, 2, 3}, turn * Vec<3>(1, 0, 0), radius);
    const double exact = 2 * half[0] * (4 * half[1] * half[2] - ball_in_box<2>({0, 0}, radius, {-1.1, -2}, {1.1, 2}));
    EXPECT_NEAR(along_x, exact, 1e-12);
}

} // namespace
} // namespace talus
