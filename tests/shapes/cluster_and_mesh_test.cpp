// Bodies of several convex parts, walls of triangles, and polytopes in bowls and drums.
#include "talus/shapes/collide.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace talus;

namespace {

template <int D>
std::vector<ContactPoint<D>> meet(const ShapeTable<D>& shapes, std::int32_t candidate, const Vec<D>& at,
                                  const Rotation<D>& turn, std::int32_t antagonist,
                                  const Vec<D>& wall_at = Vec<D>::Zero(), double alert = 1e-3)
{
    const std::vector<std::int32_t> shape = {candidate, antagonist};
    const std::vector<Vec<D>> position = {at, wall_at};
    const std::vector<Rotation<D>> orientation = {turn, Rotation<D>()};
    ConvexBodies<D> convex;
    convex.place(shapes, shape, position, orientation);
    const ExactStage<D> stage{shapes, convex, alert};
    std::vector<ContactPoint<D>> points;
    Vec<D> witness = Vec<D>::Zero();
    stage.collide({0, {shapes[candidate], position[0], orientation[0]}},
                  {1, {shapes[antagonist], position[1], orientation[1]}}, {}, witness, points);
    return points;
}

Polytope<2> shifted(Polytope<2> polytope, const Vec<2>& by)
{
    std::vector<Vec<2>> points = polytope.vertices;
    for (Vec<2>& p : points) p += by;
    return convex_hull<2>(points);
}

// A sheet of 2 × n × n triangles over the square [0, 1]², with the height h(x, y).
template <class Height>
TriangleMesh sheet(int n, Height&& h)
{
    TriangleMesh mesh;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            const double x = double(i) / n, y = double(j) / n;
            mesh.vertices.push_back({x, y, h(x, y)});
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const std::int32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
    }
    return mesh;
}

} // namespace

TEST(Cluster, TouchesWithTheRightPartAndNotWithItsHull)
{
    // a U of three bars, 1 m wide inside; a disk of radius 0.4 in the opening touches nothing but the bottom
    ShapeTable<2> shapes;
    const auto u = shapes.add_cluster(
        {box<2>({1.2, 0.1}), shifted(box<2>({0.1, 1}), {-0.55, 0.55}), shifted(box<2>({0.1, 1}), {0.55, 0.55})});
    const auto disk = shapes.add_ball(0.4);
    EXPECT_TRUE(meet<2>(shapes, disk, {0, 0.6}, {}, u).empty()); // inside the hull, touching nothing
    const auto resting = meet<2>(shapes, disk, {0, 0.45}, {}, u);
    ASSERT_EQ(resting.size(), 1u);
    EXPECT_NEAR(resting[0].gap, 0, 1e-15);
    EXPECT_NEAR((resting[0].normal - Vec<2>(0, 1)).norm(), 0, 1e-15);
    const auto corner = meet<2>(shapes, disk, {0.1, 0.45}, {}, u); // bottom and right bar
    ASSERT_EQ(corner.size(), 2u);
    EXPECT_NE(corner[0].feature >> 24, corner[1].feature >> 24); // two parts
}

TEST(Cluster, StandsOnItsLegs)
{
    ShapeTable<2> shapes;
    const auto table =
        shapes.add_cluster({shifted(box<2>({2, 0.1}), {0, 1}), shifted(box<2>({0.1, 0.95}), {-0.9, 0.475}),
                            shifted(box<2>({0.1, 0.95}), {0.9, 0.475})});
    const auto floor = shapes.add_half_space({0, 1});
    const auto points = meet<2>(shapes, table, {0, 0}, {}, floor);
    ASSERT_EQ(points.size(), 4u); // two corners of each leg
    for (const auto& point : points) EXPECT_NEAR(point.gap, 0, 1e-15);
}

TEST(Mesh, ABoxLiesOnAFlatSheetAsOnAPlane)
{
    ShapeTable<3> shapes;
    const auto wall = shapes.add_mesh(sheet(7, [](double, double) { return 0.0; }));
    const auto block = shapes.add_polytope(box<3>({0.3, 0.2, 0.1}));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(0.3, 0.7), angle(-3, 3);
    for (int trial = 0; trial < 200; ++trial) {
        const double x = place(random), y = place(random);
        for (const double sunk : {0.0, 1e-4, 1e-2}) {
            const auto points =
                meet<3>(shapes, block, {x, y, 0.05 - sunk}, Rotation<3>::from_vector({0, 0, angle(random)}), wall);
            ASSERT_GE(points.size(), 4u);
            Vec<3> lower = Vec<3>::Constant(1e9), upper = -lower;
            for (const auto& point : points) { // seams do not show: every normal is that of the plane
                EXPECT_NEAR((point.normal - Vec<3>(0, 0, 1)).norm(), 0, 1e-9);
                EXPECT_NEAR(point.gap, -sunk, 1e-12);
                lower = lower.cwiseMin(point.point);
                upper = upper.cwiseMax(point.point);
            }
            EXPECT_GT((upper - lower).head<2>().minCoeff(), 0.15); // they span the block's face
        }
    }
}

TEST(Mesh, ASphereRollsOverTheSeamsOfASheetWithoutABump)
{
    ShapeTable<3> shapes;
    const auto wall = shapes.add_mesh(sheet(9, [](double, double) { return 0.0; }));
    const auto sphere = shapes.add_ball(0.2);
    for (int k = 0; k <= 100; ++k) {
        const auto points = meet<3>(shapes, sphere, {0.3 + 0.004 * k, 0.37 + 0.002 * k, 0.2 - 1e-4}, {}, wall);
        ASSERT_EQ(points.size(), 1u) << k;
        EXPECT_NEAR(points[0].gap, -1e-4, 1e-12);
        EXPECT_NEAR((points[0].normal - Vec<3>(0, 0, 1)).norm(), 0, 1e-9);
    }
}

TEST(Mesh, ARidgeIsMetAlongNormalsBetweenItsTwoSides)
{
    ShapeTable<3> shapes;
    const auto roof = shapes.add_mesh(sheet(2, [](double x, double) { return 0.5 - std::abs(x - 0.5); })); // 45°
    const auto sphere = shapes.add_ball(0.1);
    const auto on_top = meet<3>(shapes, sphere, {0.5, 0.45, 0.6}, {}, roof);
    ASSERT_EQ(on_top.size(), 1u); // the two sides find the same point: once
    EXPECT_NEAR((on_top[0].normal - Vec<3>(0, 0, 1)).norm(), 0, 1e-9);
    const double s = std::sqrt(0.5);
    const auto beside = meet<3>(shapes, sphere, {0.25 - 0.1 * s, 0.45, 0.25 + 0.1 * s}, {}, roof);
    ASSERT_EQ(beside.size(), 1u);
    EXPECT_NEAR((beside[0].normal - Vec<3>(-s, 0, s)).norm(), 0, 1e-9);
}

TEST(Mesh, AValleyIsMetByItsTwoSides)
{
    ShapeTable<3> shapes;
    const auto gutter = shapes.add_mesh(sheet(2, [](double x, double) { return std::abs(x - 0.5); }));
    const auto sphere = shapes.add_ball(0.1);
    const auto points = meet<3>(shapes, sphere, {0.5, 0.45, 0.1 * std::sqrt(2.0)}, {}, gutter);
    ASSERT_EQ(points.size(), 2u);
    for (const auto& point : points) {
        EXPECT_NEAR(point.gap, 0, 1e-12);
        EXPECT_NEAR(std::abs(point.normal[0]), std::sqrt(0.5), 1e-9);
    }
}

TEST(Hollow, APolygonStandsInADrumOnItsCorners)
{
    ShapeTable<2> shapes;
    const auto drum = shapes.add_hollow_ball(1);
    const auto square = shapes.add_polytope(box<2>({0.8, 0.8}));
    const double height = std::sqrt(1 - 0.16) - 0.4; // both lower corners on the circle
    const auto points = meet<2>(shapes, square, {0, -height}, {}, drum);
    ASSERT_EQ(points.size(), 2u);
    for (const auto& point : points) {
        EXPECT_NEAR(point.gap, 0, 1e-12);
        EXPECT_NEAR((point.normal + point.point).norm(), 0, 1e-12); // towards the centre
    }
}

TEST(MeshTree, DistanceIsThatOfTheNearestTriangle)
{
    const TriangleMesh mesh = sheet(12, [](double x, double y) { return 0.2 * std::sin(7 * x) * std::cos(5 * y); });
    const MeshTree tree(mesh);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-0.5, 1.5);
    std::vector<std::int32_t> near;
    for (int trial = 0; trial < 500; ++trial) {
        const Vec<3> p(place(random), place(random), place(random) - 0.5);
        double least = 1e9; // by the exact stage's own distance
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const ConvexModel<3> model = model_of_triangle(
                tree.corner(std::int32_t(t), 0), tree.corner(std::int32_t(t), 1), tree.corner(std::int32_t(t), 2));
            const Convex<3> triangle = placed(model, model.centre);
            const Convex<3> point = placed(model_of_point<3>(), p);
            Separation<3> separation;
            separate(point, triangle, 10.0, {}, separation);
            least = std::min(least, std::abs(separation.distance));
        }
        EXPECT_NEAR(tree.distance(p), least, 1e-12);
        tree.near(p, least + 1e-9, near);
        EXPECT_FALSE(near.empty());
    }
}
