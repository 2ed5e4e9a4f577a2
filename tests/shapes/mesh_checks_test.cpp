// Every fault of a mesh is found and named with its number and place; a repair mends what it says, and nothing else.
#include "talus/shapes/mesh_checks.hpp"
#include "talus/shapes/polytope.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

TriangleMesh brick(const Vec<3>& size = {1, 1, 1}, const Vec<3>& shift = Vec<3>::Zero())
{
    const Polytope<3> solid = box<3>(size);
    TriangleMesh mesh{solid.vertices, {}};
    for (Vec<3>& vertex : mesh.vertices) vertex += shift;
    for (std::size_t f = 0; f < solid.face_count(); ++f) {
        const auto face = solid.face(f);
        mesh.triangles.push_back({face[0], face[1], face[2]});
        mesh.triangles.push_back({face[0], face[2], face[3]});
    }
    return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& other)
{
    const auto first = std::int32_t(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (auto triangle : other.triangles) {
        for (std::int32_t& vertex : triangle) vertex += first;
        mesh.triangles.push_back(triangle);
    }
}

std::string faults(const TriangleMesh& mesh, const MeshNeeds& needs = {})
{
    std::string all;
    for (const std::string& fault : mesh_faults(mesh, needs)) all += fault + "\n";
    return all;
}

TEST(MeshChecks, ASoundSolidHasNoFaults)
{
    EXPECT_EQ(faults(brick()), "");
    EXPECT_NEAR(mesh_volume(brick({1, 2, 3}, {5, 5, 5})), 6, 1e-12);
    TriangleMesh two = brick();
    append(two, brick({1, 1, 1}, {2, 0, 0}));
    EXPECT_EQ(faults(two), "");
}

TEST(MeshChecks, AnOpenMeshIsNamedWithItsEdges)
{
    TriangleMesh mesh = brick();
    mesh.triangles.pop_back();
    EXPECT_TRUE(has(faults(mesh), "open: 3 edges belong to only one face, the first from (")) << faults(mesh);
    EXPECT_EQ(faults(mesh, {false}), "") << "a wall may be open";
}

TEST(MeshChecks, InvertedFacesAreNamed)
{
    TriangleMesh mesh = brick();
    std::swap(mesh.triangles[5][1], mesh.triangles[5][2]);
    EXPECT_TRUE(has(faults(mesh), "inverted faces: 1 of 12 is turned against the neighbours, the first at ("))
        << faults(mesh);
    EXPECT_TRUE(has(faults(mesh, {false}), "inverted faces")) << "a wall too has a front and a back";
    TriangleMesh inside_out = brick();
    for (auto& triangle : inside_out.triangles) std::swap(triangle[1], triangle[2]);
    EXPECT_TRUE(has(faults(inside_out), "all are turned inward")) << faults(inside_out);
}

TEST(MeshChecks, ASurfaceWithoutSidesIsNamed)
{
    TriangleMesh band; // of Möbius: five squares, closed with a half turn
    for (int k = 0; k < 5; ++k) {
        const double around = 2 * M_PI * k / 5, turn = M_PI * k / 5;
        for (const double side : {-0.3, 0.3}) {
            const double reach = 1 + side * std::cos(turn);
            band.vertices.emplace_back(reach * std::cos(around), reach * std::sin(around), side * std::sin(turn));
        }
    }
    for (int k = 0; k < 5; ++k) {
        const int a = 2 * k, b = 2 * k + 1, c = k == 4 ? 1 : 2 * k + 2, d = k == 4 ? 0 : 2 * k + 3;
        band.triangles.push_back({a, c, b});
        band.triangles.push_back({b, c, d});
    }
    EXPECT_TRUE(has(faults(band, {false}), "cannot all be turned one way")) << faults(band, {false});
}

TEST(MeshChecks, SelfIntersectionsAreNamedWithTheFirstPair)
{
    TriangleMesh mesh = brick();
    append(mesh, brick({1, 1, 1}, {0.5, 0.3, 0.2}));
    EXPECT_TRUE(has(faults(mesh), "self-intersecting: ")) << faults(mesh);
    EXPECT_TRUE(has(faults(mesh), " cross each other, the first at (")) << faults(mesh);
}

TEST(MeshChecks, FacesOnEachOtherInOnePlaneAreFound)
{
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 0}, {1.2, 0.2, 0}, {0.2, 1.2, 0}},
                      {{0, 1, 2}, {3, 4, 5}}};
    EXPECT_EQ(crossing_triangles(mesh).first, 1u);
    for (int v = 3; v < 6; ++v) mesh.vertices[v] += Vec<3>(2, 0, 0);
    EXPECT_EQ(crossing_triangles(mesh).first, 0u);
}

TEST(MeshChecks, NeighboursThatTouchDoNotCross)
{
    // a fine closed surface: every pair of neighbours shares an edge or a corner
    std::vector<Vec<3>> points;
    for (int k = 0; k < 400; ++k) { // an even spiral on a sphere
        const double height = 1 - (2 * k + 1) / 400.0, turn = 2.399963229728653 * k,
                     reach = std::sqrt(1 - height * height);
        points.emplace_back(reach * std::cos(turn), reach * std::sin(turn), height);
    }
    const Polytope<3> ball = convex_hull<3>(points);
    TriangleMesh mesh{ball.vertices, {}};
    for (std::size_t f = 0; f < ball.face_count(); ++f) {
        for (std::size_t k = 2; k < ball.face(f).size(); ++k) {
            mesh.triangles.push_back({ball.face(f)[0], ball.face(f)[k - 1], ball.face(f)[k]});
        }
    }
    EXPECT_EQ(faults(mesh), "");
}

TEST(MeshChecks, DegenerateFacesZeroVolumeAndEmptyMeshesAreNamed)
{
    TriangleMesh needle = brick();
    needle.triangles.push_back({0, 1, 1});
    EXPECT_TRUE(has(faults(needle), "degenerate: 1 face has no area, the first at (")) << faults(needle);
    const TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_TRUE(has(faults(sheet), "zero volume")) << faults(sheet);
    EXPECT_EQ(faults({}), "has no faces\n");
    TriangleMesh nan = brick();
    nan.vertices[3][1] = std::nan("");
    EXPECT_EQ(faults(nan), "vertex 4 is not finite\n");
    TriangleMesh fin = brick();
    fin.vertices.push_back({3, 3, 3});
    fin.triangles.push_back({fin.triangles[0][0], fin.triangles[0][1], 8});
    EXPECT_TRUE(has(faults(fin, {false}), "1 edge belongs to three faces or more")) << faults(fin, {false});
}

TEST(MeshChecks, AbsurdSizesAreNamedWithTheRemedy)
{
    EXPECT_TRUE(has(faults(brick({2000, 1, 1})), "its largest dimension is 2000 m, absurd"))
        << faults(brick({2000, 1, 1}));
    EXPECT_TRUE(has(faults(brick({50, 40, 30}), {true, 10}), "--unit mm"));
    EXPECT_TRUE(has(faults(brick({1e-7, 1e-7, 1e-7})), "absurd"));
}

TEST(MeshRepair, MendsTurnsDoublesAndNeedlesAndSaysSo)
{
    TriangleMesh mesh;
    for (const auto& triangle : brick().triangles) { // loose triangles, a little off
        for (const std::int32_t vertex : triangle) {
            mesh.vertices.push_back(brick().vertices[vertex] * (1 + 1e-8 * double(mesh.vertices.size() % 3)));
        }
        const auto last = std::int32_t(mesh.vertices.size());
        mesh.triangles.push_back({last - 3, last - 2, last - 1});
    }
    mesh.triangles.push_back({0, 1, 1});
    std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
    EXPECT_TRUE(has(faults(mesh), "open"));
    const std::vector<std::string> done = repair(mesh);
    ASSERT_EQ(done.size(), 3u);
    EXPECT_EQ(done[0], "28 vertices were merged with another at the same place");
    EXPECT_EQ(done[1], "1 face was dropped: without area");
    EXPECT_EQ(done[2], "1 face was turned round");
    EXPECT_EQ(faults(mesh), "");
    EXPECT_NEAR(mesh_volume(mesh), 1, 1e-6);
}

TEST(MeshRepair, TurnsAnInsideOutSolidAndLeavesASoundOneAlone)
{
    TriangleMesh mesh = brick();
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    ASSERT_EQ(repair(mesh).size(), 1u);
    EXPECT_EQ(faults(mesh), "");
    EXPECT_TRUE(repair(mesh).empty());
}

TEST(MeshRepair, ClosesNoHoles)
{
    TriangleMesh mesh = brick();
    mesh.triangles.pop_back();
    repair(mesh);
    EXPECT_TRUE(has(faults(mesh), "open: 3 edges"));
}

} // namespace
} // namespace talus
