// STL and OBJ: what is written reads back, both kinds of STL are read, and every mistake is told by its line.
#include "talus/base/error.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/sampling/library_grain.hpp"
#include "talus/sampling/random_grain.hpp"
#include "talus/shapes/mesh_checks.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace talus::io {
namespace {

namespace fs = std::filesystem;

class MeshFile : public testing::Test {
  protected:
    MeshFile() : folder_(fs::temp_directory_path() / ("talus.mesh_file." + std::to_string(getpid())))
    {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~MeshFile() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    std::string refusal(const std::string& name, const std::string& bytes) const
    {
        try {
            read_meshes(write(name, bytes));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    fs::path folder_;
};

const std::string tetrahedron = "# a corner\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nusemtl grey\n"
                                "o corner\nf 1 3 2\nf 1/1 2/2/2 4//3\nf 2 3 4\nf -4 -1 -2\n";

template <int D>
std::vector<Polytope<D>> some_grains()
{
    Random random(4);
    std::vector<Polytope<D>> grains;
    for (int k = 0; k < 5; ++k) grains.push_back(random_grain<D>({6, 9, {0.6, 1}, {0.6, 1}, 0.5}, 0.03, random));
    return grains;
}

template <int D>
void expect_read_back(const fs::path& file)
{
    const auto grains = some_grains<D>();
    std::vector<NamedSurface> surfaces;
    for (const Polytope<D>& grain : grains)
        surfaces.push_back(surface_of("g" + std::to_string(surfaces.size()), grain));
    write_surfaces(file, surfaces, {"seed 4"});
    const std::vector<NamedMesh> read = read_meshes(file);
    ASSERT_EQ(read.size(), 5u);
    for (int k = 0; k < 5; ++k) {
        EXPECT_EQ(read[k].name, "g" + std::to_string(k));
        EXPECT_TRUE(grain_faults<D>(read[k]).empty());
        const Polytope<D> again = library_grain<D>(read[k]);
        ASSERT_EQ(again.vertices.size(), grains[k].vertices.size());
        EXPECT_EQ(again.face_count(), grains[k].face_count());
        EXPECT_NEAR(mass_properties(again).volume, mass_properties(grains[k]).volume, 1e-15);
    }
}

TEST_F(MeshFile, ALibraryReadsBackTheSame)
{
    expect_read_back<3>(folder_ / "a.obj");
    expect_read_back<3>(folder_ / "a.stl");
    expect_read_back<2>(folder_ / "b.obj");
    std::ifstream in(folder_ / "a.obj");
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "# seed 4");
}

TEST_F(MeshFile, ObjNumbersReadBackToTheLastBit)
{
    const auto grain = some_grains<3>()[0];
    write_surfaces(folder_ / "a.obj", {surface_of("g", grain)}, {});
    EXPECT_EQ(read_meshes(folder_ / "a.obj")[0].mesh.vertices, grain.vertices);
}

TEST_F(MeshFile, OneObjectIsABinaryStl)
{
    const auto grain = some_grains<3>()[0];
    write_surfaces(folder_ / "one.stl", {surface_of("g", grain)}, {});
    const std::vector<NamedMesh> read = read_meshes(folder_ / "one.stl");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(fs::file_size(folder_ / "one.stl"), 84 + 50 * read[0].mesh.triangles.size());
    EXPECT_EQ(read[0].mesh.vertices.size(), grain.vertices.size()) << "equal vertices are one";
    EXPECT_NEAR(mesh_volume(read[0].mesh), mass_properties(grain).volume, 1e-6 * mass_properties(grain).volume);
    EXPECT_TRUE(mesh_faults(read[0].mesh).empty());
}

TEST_F(MeshFile, ObjFacesMayNameTheirVerticesInEveryWay)
{
    const std::vector<NamedMesh> read = read_meshes(write("t.obj", tetrahedron), 0.001);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].name, "corner");
    EXPECT_TRUE(mesh_faults(read[0].mesh).empty());
    EXPECT_NEAR(mesh_volume(read[0].mesh), 1e-9 / 6, 1e-21) << "in millimetres";
}

TEST_F(MeshFile, AFolderIsALibrary)
{
    write("b.obj", tetrahedron);
    write("a.OBJ", tetrahedron);
    write("notes.txt", "nothing");
    const std::vector<NamedMesh> read = read_meshes(folder_);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].name, "a/corner");
    EXPECT_EQ(read[1].name, "b/corner");
}

TEST_F(MeshFile, MistakesInObjAreToldByLine)
{
    const std::string text = refusal("bad.obj", "v 0 0 zero\nv 1 0\nv 0 nan 0\nf 1 2 9\nf 1 2\nf 1 x 2\n");
    for (const char* part : {"bad.obj:1:1: \"zero\" is no finite number", "bad.obj:2:1: a vertex has 3 coordinates",
                             "bad.obj:3:1: \"nan\" is no finite number", "bad.obj:4:1: vertex 9: there are 3 before",
                             "bad.obj:5:1: a face has at least 3 vertices", "bad.obj:6:1: \"x\" names no vertex"}) {
        EXPECT_TRUE(has(text, part)) << text;
    }
    EXPECT_TRUE(has(refusal("empty.obj", ""), "has no faces"));
    EXPECT_TRUE(has(refusal("twice.obj", tetrahedron + "o corner\nf 1 2 3\n"), "a second object is called \"corner\""));
}

TEST_F(MeshFile, MistakesInStlAreTold)
{
    const std::string facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    EXPECT_EQ(refusal("good.stl", "solid a\n" + facet + "endsolid a\n"), "");
    EXPECT_TRUE(has(refusal("cut.stl", "solid a\n" + facet), "ends within a solid"));
    EXPECT_TRUE(has(refusal("word.stl", "solid a\n" + facet + "nonsense\nendsolid\n"),
                    "word.stl:9:1: \"nonsense\" is no word"));
    EXPECT_TRUE(
        has(refusal("number.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e\n"), "number.stl:4:1: "));
    EXPECT_TRUE(has(refusal("two.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"
                                       "endfacet\nendsolid\n"),
                    "a facet has 3 vertices, this one has 2"));
    EXPECT_TRUE(has(refusal("none.stl", "solid a\nendsolid a\n"), "has no faces"));
    EXPECT_TRUE(has(refusal("short.stl", std::string(50, 'x')), "is no STL"));
    EXPECT_TRUE(has(refusal("long.stl", std::string(200, '\1')), "speaks of 16843009 faces"));
}

TEST_F(MeshFile, OtherFilesAreRefusedByName)
{
    EXPECT_TRUE(has(refusal("a.ply", "x"), "a.ply: the name of a mesh ends with .stl or .obj"));
    EXPECT_THROW(read_meshes(folder_ / "nothing.obj"), InputError);
    EXPECT_THROW(read_meshes(folder_), InputError) << "a folder without meshes: a.ply is none";
    EXPECT_THROW(write_surfaces(folder_ / "a.txt", {}, {}), InputError);
}

TEST_F(MeshFile, PolygonsThatAreNoneAreRefused)
{
    const auto fault = [&](const std::string& corners, const std::string& face) {
        const auto faults = grain_faults<2>(read_meshes(write("p.obj", corners + "f " + face + "\n"))[0]);
        return faults.empty() ? std::string() : faults[0];
    };
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    EXPECT_EQ(fault(square, "1 2 3 4"), "");
    EXPECT_TRUE(has(fault(square, "4 3 2 1"), "inverted"));
    EXPECT_TRUE(has(fault(square, "1 2 4 3"), "self-intersecting")) << "a bow tie";
    EXPECT_TRUE(has(fault("v 0 0 0\nv 1 0 0\nv 2 0 0\n", "1 2 3"), "zero area"));
    EXPECT_TRUE(has(fault("v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 -1 0\nv 0 3 0\n", "1 2 3 4 5"), "self-intersecting"));
    EXPECT_TRUE(has(fault("v 0 0 0\nv 1 0 0\nv 0.1 0.1 0\nv 0 1 0\n", "1 2 3 4"), "not convex"));
    EXPECT_TRUE(has(fault("v 0 0 0\nv 100 0 0\nv 0 100 0\n", "1 2 3"), "absurd"));
    EXPECT_TRUE(has(fault("v 0 0 0\nv 1 0 0\nv 0 1 1\n", "1 2 3"), "is no polygon"));
}

} // namespace
} // namespace talus::io
