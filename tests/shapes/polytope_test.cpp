#include "shapes/random_sets.hpp"

#include <algorithm>
#include <numbers>
#include <set>
#include <string>

namespace talus {
namespace {

using std::numbers::pi;

template <int D>
Polytope<D> hull(const std::vector<Vec<D>>& points, double flatness = 1e-10)
{
    return convex_hull<D>(std::span<const Vec<D>>(points), flatness);
}

template <int D>
std::string refusal(const std::vector<Vec<D>>& points)
{
    try {
        hull<D>(points);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

Rotation<2> random_rotation(Random& random, Rotation<2>) { return Rotation<2>(random.uniform(-pi, pi)); }
Rotation<3> random_rotation(Random& random, Rotation<3>)
{
    Eigen::Vector4d q;
    for (int k = 0; k < 4; ++k) q[k] = random.uniform(-1, 1);
    q.normalize();
    return {q[0], q[1], q[2], q[3]};
}

template <int D>
std::vector<Vec<D>> random_cloud(Random& random, int count)
{
    std::vector<Vec<D>> points;
    for (int k = 0; k < count; ++k) points.push_back(random_vector<D>(random));
    return points;
}

// points on the unit ball: all of them are vertices
template <int D>
std::vector<Vec<D>> random_shell(Random& random, int count)
{
    std::vector<Vec<D>> points;
    while (int(points.size()) < count) {
        const Vec<D> v = random_vector<D>(random);
        if (v.norm() > 0.1 && v.norm() < 1) points.push_back(v.normalized());
    }
    return points;
}

template <int D>
std::vector<Vec<D>> moved(const std::vector<Vec<D>>& points, const Rotation<D>& turn, const Vec<D>& shift)
{
    std::vector<Vec<D>> result;
    for (const Vec<D>& p : points) result.push_back(turn * p + shift);
    return result;
}

template <int D>
double size_of(const Polytope<D>& solid)
{
    const Bounds<D> b = solid.bounds();
    return (b.upper - b.lower).maxCoeff();
}

// Closed, outward, convex; faces of distinct planes.
template <int D>
void expect_sound(const Polytope<D>& solid, double tolerance)
{
    ASSERT_EQ(solid.face_offsets.size(), solid.face_count() + 1);
    for (std::size_t f = 0; f < solid.face_count(); ++f) {
        const Plane<D>& plane = solid.planes[f];
        EXPECT_NEAR(plane.normal.norm(), 1, 1e-14);
        for (const Vec<D>& v : solid.vertices) EXPECT_LE(plane.normal.dot(v), plane.offset + tolerance);
        for (const std::int32_t v : solid.face(f)) {
            EXPECT_NEAR(plane.normal.dot(solid.vertices[v]), plane.offset, tolerance);
        }
    }
    const int V = int(solid.vertices.size()), F = int(solid.face_count()), E = int(solid.edges.size());
    if (D == 2) {
        EXPECT_EQ(V, F);
        for (std::size_t f = 0; f < solid.face_count(); ++f) {
            EXPECT_EQ(solid.face(f)[1], solid.face((f + 1) % solid.face_count())[0]);
        }
        return;
    }
    EXPECT_EQ(V - E + F, 2);
    std::set<std::array<std::int32_t, 2>> seen;
    for (const PolytopeEdge& edge : solid.edges) {
        EXPECT_LT(edge.vertices[0], edge.vertices[1]);
        EXPECT_TRUE(seen.insert(edge.vertices).second);
        for (int side = 0; side < 2; ++side) {
            const auto face = solid.face(edge.faces[side]);
            const auto from = std::find(face.begin(), face.end(), edge.vertices[side]);
            ASSERT_NE(from, face.end());
            const auto next = std::next(from) == face.end() ? face.begin() : std::next(from);
            EXPECT_EQ(*next, edge.vertices[1 - side]);
        }
    }
}

template <int D>
bool same(const Polytope<D>& a, const Polytope<D>& b)
{
    return a.vertices == b.vertices && a.face_offsets == b.face_offsets && a.face_vertices == b.face_vertices;
}

TEST(Polytope, BoxHasTheTextbookMassAndInertia)
{
    const Polytope<3> brick = box<3>({1, 2, 3});
    expect_sound(brick, 1e-15);
    EXPECT_EQ(brick.vertices.size(), 8u);
    EXPECT_EQ(brick.edges.size(), 12u);
    const MassProperties<3> p = mass_properties(brick);
    EXPECT_NEAR(p.volume, 6, 1e-14);
    EXPECT_NEAR(p.centre.norm(), 0, 1e-15);
    EXPECT_TRUE(p.inertia.isApprox(Ang<3>(6.0 / 12 * 13, 6.0 / 12 * 10, 6.0 / 12 * 5), 1e-14));
    EXPECT_EQ(p.axes.matrix(), Mat<3>::Identity()) << "axes that are principal already are kept";

    const Polytope<2> plate = box<2>({2, 3});
    expect_sound(plate, 1e-15);
    EXPECT_NEAR(mass_properties(plate).volume, 6, 1e-14);
    EXPECT_NEAR(mass_properties(plate).inertia[0], 6.0 / 12 * 13, 1e-14);
    EXPECT_THROW(box<2>({1, 0}), InputError);
    EXPECT_THROW(box<3>({1, 1, -1}), InputError);
}

TEST(Polytope, CubeIsExactlyIsotropicHoweverItIsTurned)
{
    NEEDS_QHULL();
    Random random(7);
    for (int k = 0; k < 100; ++k) {
        const auto corners =
            moved<3>(box<3>({1, 1, 1}).vertices, random_rotation(random, Rotation<3>()), random_vector<3>(random, 3));
        const MassProperties<3> p = mass_properties(hull<3>(corners));
        EXPECT_TRUE(is_isotropic(p.inertia)) << p.inertia.transpose();
        EXPECT_NEAR(p.inertia[0], 1.0 / 6, 1e-13);
    }
}

TEST(Polytope, RegularTetrahedronAndOctahedron)
{
    NEEDS_QHULL();
    const Polytope<3> tetrahedron = hull<3>({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}); // edge 2√2
    expect_sound(tetrahedron, 1e-15);
    const MassProperties<3> t = mass_properties(tetrahedron);
    EXPECT_NEAR(t.volume, 8.0 / 3, 1e-14);
    EXPECT_NEAR(t.inertia[0], t.volume * 8.0 / 20, 1e-14); // m a²/20
    EXPECT_TRUE(is_isotropic(t.inertia));

    const Polytope<3> octahedron =
        hull<3>({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}); // edge √2
    expect_sound(octahedron, 1e-15);
    const MassProperties<3> o = mass_properties(octahedron);
    EXPECT_NEAR(o.volume, 4.0 / 3, 1e-14);
    EXPECT_NEAR(o.inertia[0], o.volume * 2.0 / 10, 1e-14); // m a²/10
    EXPECT_TRUE(is_isotropic(o.inertia));
}

TEST(Polytope, RegularHexagonAndItsPrism)
{
    std::vector<Vec<2>> ring;
    for (int k = 0; k < 6; ++k) ring.emplace_back(std::cos(k * pi / 3), std::sin(k * pi / 3)); // side 1
    const Polytope<2> hexagon = hull<2>(ring);
    expect_sound(hexagon, 1e-15);
    const double area = 1.5 * std::sqrt(3.0), polar = area * 5.0 / 12;
    EXPECT_NEAR(mass_properties(hexagon).volume, area, 1e-14);
    EXPECT_NEAR(mass_properties(hexagon).inertia[0], polar, 1e-14);

    NEEDS_QHULL();
    const double height = 2;
    std::vector<Vec<3>> corners;
    for (const Vec<2>& v : ring) {
        corners.emplace_back(v[0], v[1], 0);
        corners.emplace_back(v[0], v[1], height);
    }
    Random random(3);
    const Rotation<3> turn = random_rotation(random, Rotation<3>());
    const Polytope<3> prism = hull<3>(moved<3>(corners, turn, {1, 2, 3}));
    expect_sound(prism, 1e-14);
    EXPECT_EQ(prism.face_count(), 8u) << "coplanar triangles merge";
    EXPECT_EQ(prism.vertices.size(), 12u);
    const MassProperties<3> p = mass_properties(prism);
    const double mass = area * height;
    const double along = polar * height, across = 0.5 * along + mass * height * height / 12;
    EXPECT_NEAR(p.volume, mass, 1e-13);
    EXPECT_NEAR(p.inertia[0], std::min(along, across), 1e-13);
    EXPECT_NEAR(p.inertia[2], std::max(along, across), 1e-13);
    EXPECT_EQ(p.inertia[1], p.inertia[2]) << "equal moments are made equal";
    EXPECT_NEAR(std::abs((p.axes * Vec<3>(1, 0, 0)).dot(turn * Vec<3>(0, 0, 1))), 1, 1e-13);
}

template <int D>
void expect_invariance(std::uint64_t seed)
{
    Random random(seed);
    for (int k = 0; k < 50; ++k) {
        const auto cloud = random_cloud<D>(random, 20);
        const Rotation<D> turn = random_rotation(random, Rotation<D>());
        const Vec<D> shift = random_vector<D>(random, 10);
        const MassProperties<D> p = mass_properties(hull<D>(cloud));
        const MassProperties<D> q = mass_properties(hull<D>(moved<D>(cloud, turn, shift)));
        EXPECT_NEAR(q.volume, p.volume, 1e-13 * p.volume);
        EXPECT_TRUE(q.centre.isApprox(turn * p.centre + shift, 1e-13));
        Ang<D> before = p.inertia, after = q.inertia;
        std::sort(before.data(), before.data() + angular<D>);
        std::sort(after.data(), after.data() + angular<D>);
        EXPECT_TRUE(after.isApprox(before, 1e-12));
    }
}
TEST(Polytope, MassDoesNotDependOnPlaceOrTurn)
{
    expect_invariance<2>(1);
    NEEDS_QHULL();
    expect_invariance<3>(2);
}

TEST(Polytope, PrincipalAxesGiveBackTheInertiaTensor)
{
    NEEDS_QHULL();
    Random random(5);
    for (int k = 0; k < 50; ++k) {
        const Polytope<3> given = hull<3>(random_cloud<3>(random, 15));
        const MassProperties<3> p = mass_properties(given);
        EXPECT_NEAR(p.axes.matrix().determinant(), 1, 1e-14);
        EXPECT_LE(p.inertia[0], p.inertia[1]);
        EXPECT_LE(p.inertia[1], p.inertia[2]);
        const Polytope<3> body = centred(given, p);
        expect_sound(body, 1e-14);
        const MassProperties<3> q = mass_properties(body);
        EXPECT_NEAR(q.centre.norm(), 0, 1e-15);
        EXPECT_EQ(q.axes.matrix(), Mat<3>::Identity()) << "in the body frame nothing is left to turn";
        EXPECT_TRUE(q.inertia.isApprox(p.inertia, 1e-13));
        for (std::size_t v = 0; v < body.vertices.size(); ++v) {
            EXPECT_TRUE((p.axes * body.vertices[v] + p.centre).isApprox(given.vertices[v], 1e-14));
        }
    }
}

TEST(Polytope, MassAddsUpWhenABoxIsCutInTwo)
{
    NEEDS_QHULL();
    const Polytope<3> whole = box<3>({2, 1, 1});
    std::vector<Vec<3>> left, right; // cut by the plane x = 0.2 + 0.3 y + 0.1 z
    for (const Vec<3>& v : whole.vertices) {
        (v[0] < 0 ? left : right).push_back(v);
        const Vec<3> cut(0.2 + 0.3 * v[1] + 0.1 * v[2], v[1], v[2]);
        left.push_back(cut);
        right.push_back(cut);
    }
    const MassProperties<3> w = mass_properties(whole), a = mass_properties(hull<3>(left)),
                            b = mass_properties(hull<3>(right));
    EXPECT_NEAR(a.volume + b.volume, w.volume, 1e-14);
    EXPECT_NEAR((a.volume * a.centre + b.volume * b.centre).norm(), 0, 1e-14);
    Mat<3> total = Mat<3>::Zero();
    for (const auto* part : {&a, &b}) {
        total +=
            inertia_in_world(part->axes, part->inertia) +
            part->volume * (part->centre.squaredNorm() * Mat<3>::Identity() - part->centre * part->centre.transpose());
    }
    EXPECT_TRUE(total.isApprox(inertia_in_world(w.axes, w.inertia), 1e-13));
}

template <int D>
void expect_monte_carlo(std::uint64_t seed)
{
    Random random(seed);
    const Polytope<D> solid = hull<D>(random_cloud<D>(random, 12));
    const MassProperties<D> p = mass_properties(solid);
    const int samples = 200000;
    int inside = 0;
    Vec<D> sum = Vec<D>::Zero();
    double polar = 0;
    for (int k = 0; k < samples; ++k) {
        const Vec<D> x = random_vector<D>(random);
        const bool in = std::all_of(solid.planes.begin(), solid.planes.end(),
                                    [&](const Plane<D>& f) { return f.normal.dot(x) <= f.offset; });
        if (!in) continue;
        ++inside;
        sum += x;
        polar += (x - p.centre).squaredNorm();
    }
    const double cube = std::pow(2.0, D);
    // five standard deviations of the sample means
    EXPECT_NEAR(inside * cube / samples, p.volume, 5 * cube * 0.5 / std::sqrt(double(samples)));
    EXPECT_NEAR((sum / inside - p.centre).norm(), 0, 5 / std::sqrt(double(inside)));
    // ∫ r² is the polar moment in 2D, half the trace of the inertia in 3D
    EXPECT_NEAR(polar / inside, p.inertia.sum() / p.volume / (D == 2 ? 1 : 2), 5 / std::sqrt(double(inside)));
}
TEST(Polytope, MassAgreesWithCountedRandomPoints)
{
    expect_monte_carlo<2>(11);
    NEEDS_QHULL();
    expect_monte_carlo<3>(12);
}

template <int D>
void expect_sound_hulls(std::uint64_t seed)
{
    Random random(seed);
    for (int k = 0; k < 300; ++k) {
        const int count = D + 1 + int(random.bits() % 60);
        const auto cloud = k % 2 ? random_cloud<D>(random, count) : random_shell<D>(random, count);
        const Polytope<D> solid = hull<D>(cloud);
        expect_sound(solid, 1e-9); // ten times the flatness
        if (k % 2 == 0) {
            EXPECT_EQ(int(solid.vertices.size()), count);
        }
        for (const Vec<D>& p : cloud) {
            for (const Plane<D>& f : solid.planes) EXPECT_LE(f.normal.dot(p), f.offset + 1e-9);
        }
        EXPECT_TRUE(same(hull<D>(solid.vertices), solid)) << "the hull of a hull is itself";
    }
}
TEST(ConvexHull, IsClosedOutwardConvexAndIdempotent)
{
    expect_sound_hulls<2>(21);
    NEEDS_QHULL();
    expect_sound_hulls<3>(22);
}

TEST(ConvexHull, SupportBoundsAndRadiusEqualBruteForce)
{
    NEEDS_QHULL();
    Random random(31);
    const auto cloud = random_cloud<3>(random, 60);
    const Polytope<3> solid = hull<3>(cloud);
    for (int k = 0; k < 200; ++k) {
        const Vec<3> direction = random_vector<3>(random);
        double reach = -1e9;
        for (const Vec<3>& p : cloud) reach = std::max(reach, direction.dot(p));
        EXPECT_EQ(direction.dot(solid.support(direction)), reach);
        const Rotation<3> turn = random_rotation(random, Rotation<3>());
        const Bounds<3> bounds = solid.bounds(turn);
        for (int axis = 0; axis < 3; ++axis) {
            const Vec<3> back = turn.inverse() * Vec<3>(Vec<3>::Unit(axis));
            EXPECT_NEAR(bounds.upper[axis], back.dot(solid.support(back)), 1e-14);
            EXPECT_NEAR(bounds.lower[axis], back.dot(solid.support(-back)), 1e-14);
        }
    }
    double radius = 0;
    for (const Vec<3>& p : cloud) radius = std::max(radius, p.norm());
    EXPECT_DOUBLE_EQ(solid.bounding_radius(), radius);
}

// A grid of points on and in a box: every face has points inside it and on its edges.
template <int D>
void expect_box_from_grid(std::uint64_t seed)
{
    Random random(seed);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const Rotation<D> turn = random_rotation(random, Rotation<D>());
        const Vec<D> shift = random_vector<D>(random, repeat % 2 ? 100 : 0.01);
        const double scale = std::pow(10.0, random.uniform(-6, 3));
        std::vector<Vec<D>> grid;
        const int total = D == 2 ? 16 : 64;
        for (int k = 0; k < total; ++k) {
            Vec<D> p;
            for (int axis = 0, rest = k; axis < D; ++axis, rest /= 4) p[axis] = (rest % 4) * (axis + 1.0);
            grid.push_back(scale * (turn * p + shift));
            if (k % 5 == 0) grid.push_back(grid.back());
        }
        const Polytope<D> solid = hull<D>(grid);
        EXPECT_EQ(solid.vertices.size(), D == 2 ? 4u : 8u);
        EXPECT_EQ(solid.face_count(), D == 2 ? 4u : 6u);
        expect_sound(solid, 1e-9 * size_of(solid));
    }
}
TEST(ConvexHull, PointsWithinFacesAndEdgesAreNoVertices)
{
    expect_box_from_grid<2>(41);
    NEEDS_QHULL();
    expect_box_from_grid<3>(42);
}

// Almost coplanar, almost coincident, almost collinear: a sound solid or a refusal, never anything else.
TEST(ConvexHull, SurvivesPerturbationsOfEverySize)
{
    NEEDS_QHULL();
    Random random(51);
    int refused = 0;
    for (int k = 0; k < 400; ++k) {
        const double noise = std::pow(10.0, random.uniform(-17, -6));
        std::vector<Vec<3>> points;
        for (int j = 0; j < 64; ++j) {
            Vec<3> p(j % 4, j / 4 % 4, j / 16);
            if (k % 3 == 0) p[2] *= noise * 30; // a thin plate
            points.push_back(p + random_vector<3>(random, noise));
        }
        try {
            const Polytope<3> solid = hull<3>(points);
            expect_sound(solid, 3e-9);
            const MassProperties<3> p = mass_properties(solid);
            EXPECT_TRUE(p.inertia.allFinite());
            EXPECT_GT(p.volume, 0);
        } catch (const InputError&) {
            ++refused;
            EXPECT_EQ(k % 3, 0) << "only plates may be too thin";
        }
    }
    EXPECT_GT(refused, 0);
}

TEST(ConvexHull, DegenerateInputIsRefusedWithTheReason)
{
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const double nan = std::nan("");
    EXPECT_TRUE(has(refusal<2>({}), "no points"));
    EXPECT_TRUE(has(refusal<2>({{0, 0}, {1, 1}, {0, nan}}), "point 3 is not finite"));
    EXPECT_TRUE(has(refusal<2>({{0, 0}, {1, 1}, {1, 1}, {0, 0}}), "only 2 distinct points, 3 are needed"));
    EXPECT_TRUE(has(refusal<2>({{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {0.7, 0.7}}), "on one line"));
    EXPECT_TRUE(has(refusal<2>({{0, 0}, {1e300, 0}, {0, 1e300}}), "out of range"));
    EXPECT_TRUE(has(refusal<2>({{0, 0}, {1, 0}, {0.5, 1e-12}}), "on one line"));
    EXPECT_TRUE(has(refusal<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "only 3 distinct points, 4 are needed"));
    EXPECT_TRUE(has(refusal<3>({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {-1, -2, -3}}), "on one line"));
    EXPECT_TRUE(has(refusal<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.4, 0}}), "in one plane"));
    EXPECT_TRUE(has(refusal<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}), "point 4 is not finite"));
    EXPECT_TRUE(has(refusal<3>({{5, 5, 5}, {5, 5, 5}}), "only 1 distinct point,"));
    EXPECT_TRUE(has(refusal<3>({{5, 5, 5}, {5, 5, 5}}), "polyhedron"));
    EXPECT_TRUE(has(refusal<2>({{5, 5}, {5, 5}}), "polygon"));
}

TEST(ConvexHull, FlatnessMergesTheNoisyFacesOfAScannedMesh)
{
    NEEDS_QHULL();
    Random random(61);
    std::vector<Vec<3>> corners;
    for (const Vec<3>& v : box<3>({0.04, 0.05, 0.06}).vertices) corners.push_back(v.cast<float>().cast<double>());
    for (Vec<3>& v : corners) v += random_vector<3>(random, 1e-9); // the rounding of a float
    EXPECT_GT(hull<3>(corners).face_count(), 6u);
    EXPECT_EQ(hull<3>(corners, 1e-6).face_count(), 6u);
}

} // namespace
} // namespace talus
