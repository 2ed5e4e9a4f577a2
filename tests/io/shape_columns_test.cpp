// Shapes through a file and back, and files whose indices lead nowhere.
#include "made_up_run.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/run_columns.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace talus::io {
namespace {

template <int D>
ShapeTable<D> shapes_of_every_kind()
{
    ShapeTable<D> shapes;
    shapes.add_ball(0.5);
    shapes.add_half_space(Vec<D>::Unit(0));
    shapes.add_segment(Vec<D>::Unit(1), 0.1);
    shapes.add_hollow_ball(3);
    shapes.add_polytope(box<D>(Vec<D>::Constant(0.3)));
    shapes.add_cluster({box<D>(Vec<D>::Constant(0.1)), box<D>(Vec<D>::Constant(0.2))});
    shapes.add_cluster({box<D>(Vec<D>::Constant(0.4))});
    if constexpr (D == 3) {
        shapes.add_hollow_cylinder(2, {0, 1, 0});
        shapes.add_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 1, 3}}});
        shapes.add_mesh({{{0, 0, 0}, {1.0 / 3, 0, 0}, {0, 1, 0}}, {{2, 1, 0}}});
    }
    return shapes;
}

template <int D>
ShapeTable<D> through_a_file(const std::filesystem::path& path, const ShapeTable<D>& shapes)
{
    Hdf5Writer file(path);
    write_shapes(file, shapes);
    file.commit();
    return read_shapes<D>(Hdf5Reader(path));
}

template <int D>
void expect_round_trip()
{
    const Scratch scratch;
    const ShapeTable<D> before = shapes_of_every_kind<D>(), after = through_a_file<D>(scratch / "shapes.h5", before);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after.shapes[i].kind, before.shapes[i].kind);
        EXPECT_EQ(after.shapes[i].detail, before.shapes[i].detail);
        EXPECT_EQ(after.shapes[i].radius, before.shapes[i].radius);
    }
    ASSERT_EQ(after.polytopes.size(), 4u);
    EXPECT_TRUE(same_bits(after.polytopes[2].vertices, before.polytopes[2].vertices));
    EXPECT_TRUE(same_bits(after.clusters, before.clusters));
    ASSERT_EQ(after.meshes.size(), before.meshes.size());
    for (std::size_t m = 0; m < before.meshes.size(); ++m) {
        EXPECT_TRUE(same_bits(after.meshes[m].vertices, before.meshes[m].vertices));
        EXPECT_TRUE(same_bits(after.meshes[m].triangles, before.meshes[m].triangles));
    }
}
TEST(ShapeColumns, EveryKindComesBackBitForBit)
{
    expect_round_trip<2>();
    expect_round_trip<3>();
}

TEST(ShapeColumns, IndicesThatLeadNowhereAreNamed)
{
    const Scratch scratch;
    const auto refusal = [&](const std::function<void(ShapeTable<3>&)>& spoil) -> std::string {
        ShapeTable<3> shapes = shapes_of_every_kind<3>();
        spoil(shapes);
        try {
            through_a_file<3>(scratch / "spoilt.h5", shapes);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    const auto expect = [&](const char* part, const std::function<void(ShapeTable<3>&)>& spoil) {
        const std::string reason = refusal(spoil);
        EXPECT_NE(reason.find(part), std::string::npos) << reason;
    };
    EXPECT_EQ(refusal([](auto&) {}), "accepted");
    expect("cluster 1 has parts that are not there", [](auto& shapes) { shapes.clusters[1].count = 2; });
    expect("cluster 0 has parts that are not there", [](auto& shapes) { shapes.clusters[0].first = -1; });
    expect("a triangle of mesh 1 has a vertex", [](auto& shapes) { shapes.meshes[1].triangles[0][2] = 3; });
    expect("shape 8 is a mesh that is not there", [](auto& shapes) { shapes.shapes[8].detail = 2; });
    expect("shape 1 is a half_space that is not there", [](auto& shapes) { shapes.shapes[1].detail = -1; });
    expect("faces of polytope 2", [](auto& shapes) { shapes.polytopes[2].face_vertices[5] = 8; });
    expect("faces of polytope 3", [](auto& shapes) { shapes.polytopes[3].edges[0].faces[1] = 6; });
    expect("unknown kind", [](auto& shapes) { shapes.shapes[0].kind = ShapeKind(shape_kinds); });
}

TEST(ShapeColumns, FileWithoutClustersAndMeshesIsRead) // as format version 1 wrote it
{
    const Scratch scratch;
    {
        Hdf5Writer file(scratch / "old.h5");
        file.column("shapes/kind", std::vector<std::uint8_t>{0});
        file.column("shapes/detail", std::vector<std::int32_t>{0});
        file.column("shapes/radius", std::vector<double>{0.25});
        file.column("shapes/half_spaces/normal", std::vector<Vec<3>>{});
        file.column("shapes/segments/half", std::vector<Vec<3>>{});
        file.column("shapes/hollow_cylinders/axis", std::vector<Vec<3>>{});
        const auto empty = [&](const char* name, Scalar scalar, int width) {
            file.table(std::string("shapes/polytopes/") + name, scalar, nullptr, 0, width);
            file.column(std::string("shapes/polytopes/") + name + "_start", std::vector<std::int64_t>{0});
        };
        empty("vertices", Scalar::f64, 3);
        empty("face_offsets", Scalar::i32, 0);
        empty("face_vertices", Scalar::i32, 0);
        empty("planes", Scalar::f64, 4);
        empty("edges", Scalar::i32, 4);
        file.commit();
    }
    const ShapeTable<3> shapes = read_shapes<3>(Hdf5Reader(scratch / "old.h5"));
    ASSERT_EQ(shapes.size(), 1u);
    EXPECT_EQ(shapes[0].radius, 0.25);
    EXPECT_TRUE(shapes.clusters.empty() && shapes.meshes.empty());
}

} // namespace
} // namespace talus::io
