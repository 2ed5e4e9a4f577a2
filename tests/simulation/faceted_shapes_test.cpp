// Bodies with shapes of several parts or from files: their mass, their frame, and every refusal by name.
#include "scenes_in_tests.hpp"
#include "talus/io/meshes/mesh_file.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace talus {
namespace {

namespace fs = std::filesystem;

template <int D>
std::string body(const std::string& keys)
{
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.stone]\ndensity = 1000\n[[bodies]]\nmaterial = \"stone\"\n" +
           keys;
}

class FacetedShapes : public testing::Test {
  protected:
    FacetedShapes() : folder_(fs::temp_directory_path() / ("talus.faceted_shapes." + std::to_string(getpid())))
    {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~FacetedShapes() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::vector<io::NamedSurface>& objects) const
    {
        io::write_surfaces(folder_ / name, objects, {});
    }
    template <int D>
    Simulation<D> simulation(const std::string& keys) const
    {
        const std::string scene = (folder_ / "scene.toml").string(); // a path is meant from where the scene lies
        return assemble<D>(checked(io::parse_scene(body<D>(keys), scene)), io::SceneShapeFiles());
    }
    template <int D>
    std::string refusal(const std::string& keys) const
    {
        try {
            simulation<D>(keys);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    fs::path folder_;
};

io::NamedSurface brick(const std::string& name, const Vec<3>& size, const Vec<3>& shift)
{
    io::NamedSurface surface = io::surface_of(name, box<3>(size));
    for (Vec<3>& vertex : surface.vertices) vertex += shift;
    return surface;
}

// two cubes of side 1 that touch: a brick 2 × 1 × 1
TEST_F(FacetedShapes, AClusterHasTheMassAndFrameOfItsParts)
{
    write("pair.obj", {brick("left", {1, 1, 1}, {-0.5, 0, 0}), brick("right", {1, 1, 1}, {0.5, 0, 0})});
    const auto pair = simulation<3>("shape = \"cluster\"\nfile = \"pair.obj\"\nposition = [1, 2, 3]\n");
    EXPECT_LT((pair.bodies.position[0] - Vec<3>(1, 2, 3)).norm(), 1e-12);
    EXPECT_NEAR(pair.bodies.mass[0], 2000, 1e-9);
    const Vec<3> expected = Vec<3>(1 + 1, 4 + 1, 4 + 1) * 2000 / 12;
    EXPECT_LT((pair.bodies.inertia[0] - expected).norm(), 1e-9);
    ASSERT_EQ(pair.shapes[0].kind, ShapeKind::cluster);
    EXPECT_EQ(pair.shapes.clusters[0].count, 2);
}

TEST_F(FacetedShapes, AClusterIsPutAtItsCentreOfMass)
{
    // an L of three unit squares: centre of mass at (5/6, 5/6)
    const auto l = simulation<2>("shape = \"cluster\"\nrotation = \"90 deg\"\nparts = [[[0,0],[2,0],[2,1],[0,1]],"
                                 "[[0,1],[1,1],[1,2],[0,2]]]\n");
    EXPECT_LT((l.bodies.position[0] - Vec<2>(-5.0 / 6, 5.0 / 6)).norm(), 1e-12);
    EXPECT_NEAR(l.bodies.mass[0], 3000, 1e-9);
    // by hand: 2 (4 + 1)/12 + 2 (1/36 + 1/9) of the long part, 2/12 + 1/9 + 4/9 of the square
    EXPECT_NEAR(l.bodies.inertia[0][0], 1000 * 11.0 / 6, 1e-6);
}

TEST_F(FacetedShapes, PartsThatOverlapNeedAMassOrAFixedBody)
{
    const std::string parts =
        "shape = \"cluster\"\nparts = [[[0,0],[2,0],[2,1],[0,1]],[[0,0.5],[1,0.5],[1,2],[0,2]]]\n";
    const std::string text = refusal<2>(parts);
    EXPECT_TRUE(has(text, "bodies[0].parts = ")) << text;
    EXPECT_TRUE(has(text, "parts 1 and 2 overlap by 33.3 % of the smaller")) << text;
    EXPECT_EQ(refusal<2>(parts + "mass = 5\n"), "");
    EXPECT_EQ(refusal<2>(parts + "motion = \"fixed\"\n"), "");
}

TEST_F(FacetedShapes, AClusterOfPartsThatAreNoneIsRefused)
{
    const std::string text = refusal<2>("shape = \"cluster\"\nparts = [[[0,0],[1,0],[2,0]],[[0,0],[1,0]]]\n");
    EXPECT_TRUE(has(text, "bodies[0].parts[0]")) << text;
    EXPECT_TRUE(has(text, "bodies[0].parts[1]")) << text;
    EXPECT_TRUE(has(refusal<2>("shape = \"cluster\"\nparts = [[[0,0],[1,0],[0,1,2]]]\n"), "bodies[0].parts[0][2]"));
    EXPECT_TRUE(has(refusal<2>("shape = \"cluster\"\nparts = [1, 2]\n"), "bodies[0].parts[0] = 1"));
    EXPECT_TRUE(has(refusal<2>("shape = \"cluster\"\n"), "bodies[0].parts: missing; give parts or a file"));
    EXPECT_TRUE(has(refusal<2>("shape = \"cluster\"\nparts = [[[0,0],[1,0],[0,1]]]\nfile = \"a.obj\"\n"),
                    "bodies[0].file: give either parts or a file"));
    io::NamedSurface l = io::surface_of("l", box<3>({1, 1, 1}));
    l.vertices[0] = {0.2, 0.2, 0.2}; // a corner pushed in
    write("l.obj", {l});
    EXPECT_TRUE(has(refusal<3>("shape = \"cluster\"\nfile = \"l.obj\"\n"), "l: not convex: it leaves out"));
}

TEST_F(FacetedShapes, APolyhedronIsTheHullOfAFile)
{
    write("cube.stl", {brick("cube", {40, 30, 20}, {100, 0, 0})});
    const auto cube = simulation<3>("shape = \"polyhedron\"\nfile = \"cube.stl\"\nunit = \"mm\"\n");
    EXPECT_NEAR(cube.bodies.mass[0], 1000 * 24e-6, 1e-9);
    EXPECT_LT((cube.bodies.position[0] - Vec<3>(0.1, 0, 0)).norm(), 1e-9);
    EXPECT_EQ(cube.shapes.polytopes[0].face_count(), 6u);
    EXPECT_TRUE(has(refusal<3>("shape = \"polyhedron\"\nfile = \"none.stl\"\n"), "none.stl: no such file or folder"));
    EXPECT_TRUE(has(refusal<3>("shape = \"polyhedron\"\n"), "bodies[0].vertices: missing; give vertices or a file"));
    EXPECT_TRUE(has(refusal<3>("shape = \"polyhedron\"\nunit = \"mm\"\nvertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\n"),
                    "bodies[0].unit = \"mm\": is the unit of a file"));
    write("far.stl", {brick("cube", {4000, 30, 20}, {0, 0, 0})});
    EXPECT_TRUE(has(refusal<3>("shape = \"polyhedron\"\nfile = \"far.stl\"\n"), "its largest dimension is 4000 m"));
}

TEST_F(FacetedShapes, AMeshIsAWallAboutTheCentreOfItsBox)
{
    io::NamedSurface open = brick("hopper", {2, 1, 1}, {3, 0, 0});
    open.faces.pop_back();
    write("hopper.obj", {open});
    const auto wall =
        simulation<3>("shape = \"mesh\"\nfile = \"hopper.obj\"\nposition = [0, 0, 1]\nmotion = \"fixed\"\n");
    EXPECT_EQ(wall.bodies.position[0], Vec<3>(3, 0, 1));
    ASSERT_EQ(wall.shapes[0].kind, ShapeKind::mesh);
    EXPECT_EQ(wall.shapes.meshes[0].triangles.size(), 10u);
    EXPECT_NEAR(wall.shapes[0].radius, std::sqrt(1 + 0.25 + 0.25), 1e-12);
    EXPECT_TRUE(has(refusal<3>("shape = \"mesh\"\nfile = \"hopper.obj\"\n"), "a mesh has no mass of its own"));
    EXPECT_TRUE(has(refusal<2>("shape = \"mesh\"\nfile = \"hopper.obj\"\nmotion = \"fixed\"\n"), "exists only in 3D"));
    EXPECT_TRUE(has(refusal<3>("shape = \"mesh\"\nmotion = \"fixed\"\n"), "bodies[0].file: missing"));
}

TEST_F(FacetedShapes, AMeshThatIsNotSoundIsRefusedByName)
{
    io::NamedSurface inverted = brick("a", {1, 1, 1}, {0, 0, 0});
    std::swap(inverted.faces[2][1], inverted.faces[2][3]);
    write("inverted.obj", {inverted});
    write("crossing.obj", {brick("a", {1, 1, 1}, {0, 0, 0}), brick("b", {1, 1, 1}, {0.5, 0.4, 0.3})});
    const auto refused = [&](const char* file) {
        return refusal<3>(std::string("shape = \"mesh\"\nmotion = \"fixed\"\nfile = \"") + file + "\"\n");
    };
    EXPECT_TRUE(has(refused("inverted.obj"), "bodies[0].file = \"inverted.obj\": inverted faces: 2 of 12"))
        << refused("inverted.obj");
    EXPECT_TRUE(has(refused("crossing.obj"), "self-intersecting")) << refused("crossing.obj");
}

} // namespace
} // namespace talus
