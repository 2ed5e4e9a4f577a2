// Generators of polygons and polyhedra: drawn in the scene or from a library, shared shapes, and every wrong
// combination of keys refused by name.
#include "scenes_in_tests.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/sampling/library_summary.hpp"

#include <set>

namespace talus {
namespace {

template <int D>
std::string polytopes(const std::string& type, const std::string& keys)
{
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.stone]\ndensity = 2700\n" +
           "[[generators]]\nname = \"grains\"\ntype = \"" + type + "\"\nmaterial = \"stone\"\n" +
           (D == 2 ? "shape = \"polygon\"\nlower = [0, 0]\nupper = [1, 1]\n"
                   : "shape = \"polyhedron\"\nlower = [0, 0, 0]\nupper = [1, 1, 1]\n") +
           keys;
}

template <int D>
void expect_polytopes_apart(const std::string& type, const std::string& keys, std::size_t count, std::size_t variety)
{
    const auto simulation = simulation_of<D>(polytopes<D>(type, keys));
    const auto& bodies = simulation.bodies;
    ASSERT_EQ(bodies.size(), count) << type;
    std::set<std::int32_t> used(bodies.shape.begin(), bodies.shape.end());
    EXPECT_EQ(used.size(), variety) << type;
    for (std::size_t i = 0; i < count; ++i) {
        const Shape<D>& shape = simulation.shapes[bodies.shape[i]];
        ASSERT_EQ(shape.kind, ShapeKind::polytope);
        const MassProperties<D> properties = mass_properties(simulation.shapes, bodies.shape[i]);
        EXPECT_DOUBLE_EQ(bodies.mass[i], 2700 * properties.volume);
        EXPECT_EQ(bodies.inertia[i], Ang<D>(2700 * properties.inertia));
        for (std::size_t j = 0; j < i; ++j) {
            const double apart = shape.radius + simulation.shapes[bodies.shape[j]].radius;
            EXPECT_GE((bodies.position[i] - bodies.position[j]).norm(), apart * (1 - 1e-9)) << type;
        }
    }
    EXPECT_NE(bodies.orientation[0].matrix(), bodies.orientation[1].matrix());
}

TEST(PolytopeGrains, EveryGeneratorPlacesThemWithoutOverlap)
{
    for (const char* type : {"lattice", "random", "deposit"}) {
        expect_polytopes_apart<2>(type, "size = [0.02, 0.03]\ncount = 60\n", 60, 60);
        expect_polytopes_apart<3>(type, "size = [0.04, 0.08]\ncount = 60\nvertices = 8\n", 60, 60);
        expect_polytopes_apart<3>(type, "size = 0.06\ncount = 60\nvariety = 5\n", 60, 5);
    }
}

TEST(PolytopeGrains, AreOfTheSizeAndVerticesAskedFor)
{
    const auto simulation =
        simulation_of<3>(polytopes<3>("random", "sieve = [[0.025, 0], [0.04, 0.5], [0.05, 1]]\ncount = 50\n"
                                                "vertices = [9, 11]\nelongation = 0.7\nflatness = 0.8\n"));
    for (const Polytope<3>& grain : simulation.shapes.polytopes) {
        const GrainMeasures measures = measure_grain(grain);
        EXPECT_GE(measures.sieve_size, 0.0245);
        EXPECT_LE(measures.sieve_size, 0.051);
        EXPECT_NEAR(measures.elongation, 0.7, 0.02);
        EXPECT_NEAR(measures.flatness, 0.8, 0.02);
        EXPECT_GE(grain.vertices.size(), 9u);
        EXPECT_LE(grain.vertices.size(), 11u);
    }
}

TEST(PolytopeGrains, AFeederFeedsThemAndGoesOnFromWhatItSaved)
{
    const std::string scene = polytopes<3>("feeder", "size = [0.02, 0.04]\nrate = 400\ncount = 40\nvariety = 10\n");
    auto whole = simulation_of<3>(scene), second = simulation_of<3>(scene);
    advance(whole, 0.05);
    second.bodies = whole.bodies; // as a checkpoint carries it
    second.shapes = whole.shapes;
    second.clock = whole.clock;
    for (std::size_t d = 0; d < whole.drivers.size(); ++d) second.drivers[d]->restore(whole.drivers[d]->save());
    advance(whole, 0.15);
    advance(second, 0.15);
    EXPECT_EQ(whole.bodies.size(), 40u);
    EXPECT_EQ(whole.shapes.size(), 10u) << "a fed grain brings no shape of its own";
    EXPECT_EQ(whole.state_hash(), second.state_hash());
}

// a library in memory
class TwoGrains final : public ShapeFiles {
  public:
    std::vector<NamedMesh> read(const scene::Value& path, double) const override
    {
        if (path.text() != "two.obj") throw InputError({mistake(path, "no such file")});
        return {brick("small", 0.02), brick("large", 0.04)};
    }
    static NamedMesh brick(const std::string& name, double size)
    {
        const Polytope<3> solid = box<3>({2 * size, size, 0.5 * size});
        NamedMesh object{name, {solid.vertices, {}}, {}};
        for (std::size_t f = 0; f < solid.face_count(); ++f) {
            const auto face = solid.face(f);
            object.mesh.triangles.push_back({face[0], face[1], face[2]});
            object.mesh.triangles.push_back({face[0], face[2], face[3]});
        }
        return object;
    }
};

Simulation<3> with_library(const std::string& keys, const ShapeFiles& files)
{
    return assemble<3>(checked(io::parse_scene(polytopes<3>("random", keys), "test.toml")), files);
}

TEST(PolytopeGrains, OfALibraryAreTakenAtRandomAsTheyAre)
{
    const auto simulation = with_library("library = \"two.obj\"\ncount = 100\n", TwoGrains());
    ASSERT_EQ(simulation.shapes.size(), 2u);
    std::size_t large = 0;
    for (const std::int32_t shape : simulation.bodies.shape) large += shape == 1;
    EXPECT_GT(large, 30u); // 50 ± 4 standard deviations
    EXPECT_LT(large, 70u);
    EXPECT_NEAR(mass_properties(simulation.shapes, 1).volume, 0.08 * 0.04 * 0.02, 1e-12);
}

TEST(PolytopeGrains, OfALibraryThatIsNotSoundAreRefusedByName)
{
    class Broken final : public ShapeFiles {
      public:
        std::vector<NamedMesh> read(const scene::Value&, double) const override
        {
            NamedMesh open = TwoGrains::brick("open_one", 0.02), huge = TwoGrains::brick("huge_one", 20);
            open.mesh.triangles.pop_back();
            return {TwoGrains::brick("sound", 0.02), open, huge};
        }
    };
    try {
        with_library("library = \"any.obj\"\ncount = 10\n", Broken());
        FAIL();
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(has(text, "generators[0].library = \"any.obj\"")) << text;
        EXPECT_TRUE(has(text, "open_one: open: 3 edges belong to only one face")) << text;
        EXPECT_TRUE(has(text, "huge_one: its largest dimension is 40 m")) << text;
        EXPECT_FALSE(has(text, "sound:")) << text;
    }
}

TEST(PolytopeGrains, FilesAreRefusedByNameWhereNobodyReadsThem)
{
    const std::string text = refusal<3>(polytopes<3>("random", "library = \"two.obj\"\ncount = 10\n"));
    EXPECT_TRUE(has(text, "generators[0].library = \"two.obj\"")) << text;
}

TEST(PolytopeGrains, WrongCombinationsOfKeysAreRefusedByName)
{
    const auto expect = [](const std::string& scene, const std::string& part) {
        const std::string text = refusal<2>(scene);
        EXPECT_TRUE(has(text, part)) << text;
    };
    const std::string some = "count = 5\n";
    expect(polytopes<2>("random", some),
           "generators[0].size: missing; give the sieve size of the grains, a sieve curve, or");
    expect(polytopes<2>("random", some + "radius = 0.1\n"), "generators[0].radius: is a key of disks and spheres");
    expect(polytopes<2>("random", some + "size = 0.1\nsieve = [[0.1, 0], [0.2, 1]]\n"), "give either size or sieve");
    expect(polytopes<2>("random", some + "size = 0.1\nflatness = 0.5\n"), "generators[0].flatness: exists only in 3D");
    expect(polytopes<2>("random", some + "sieve = [[0.1, 0], [0.2, 1]]\ndistribution = \"volume\"\n"),
           "generators[0].distribution: the sieve curve is the distribution");
    expect(polytopes<2>("random", some + "library = \"a.obj\"\nsize = 0.1\n"),
           "generators[0].size: describes grains drawn");
    expect(polytopes<2>("random", some + "library = \"a.obj\"\nvariety = 3\n"),
           "generators[0].variety: describes grains");
    expect(polytopes<2>("random", some + "size = 0.1\nvertices = 5.5\n"),
           "generators[0].vertices = 5.5: must be a whole");
    expect(polytopes<2>("random", some + "size = 0.1\nvertices = 2\n"), "generators[0].vertices = 2: is out of range");
    expect(polytopes<2>("random", some + "size = 0.1\nvertices = 3\nelongation = 1\n"), "no convex polygon was found");
    expect(polytopes<2>("random", some + "size = 0.1\nangularity = 1.5\n"), "generators[0].angularity = 1.5");
    expect(polytopes<2>("random", some + "shape = \"disk\"\n"), "test.toml"); // a key given twice
    std::string disks = polytopes<2>("random", some + "size = 0.1\nvertices = 5\n");
    disks.replace(disks.find("polygon"), 7, "disk");
    expect(disks, "generators[0].size: is a key of polygons and polyhedra, not of a disk");
    expect(disks, "generators[0].vertices: is a key of polygons");
    expect(disks, "generators[0].radius: missing");
    const std::string space = refusal<3>(polytopes<3>("random", some + "size = 0.1\nvertices = [3, 5]\n"));
    EXPECT_TRUE(has(space, "a polyhedron has at least 4 vertices")) << space;
}

TEST(PolytopeGrains, ASieveCurveThatIsNoneIsRefusedByName)
{
    const auto expect = [](const std::string& curve, const std::string& part) {
        const std::string text = refusal<2>(polytopes<2>("random", "count = 5\nsieve = " + curve + "\n"));
        EXPECT_TRUE(has(text, part)) << text;
    };
    expect("[[0.1, 0], [0.05, 1]]", "generators[0].sieve[1][0] = 0.05: must exceed 0.1");
    expect("[[0.1, 0], [0.2, 0.5], [0.3, 0.4], [0.4, 1]]", "must be at least 0.5, the share before it");
    expect("[[0.1, 0.1], [0.2, 1]]", "the first share must be 0");
    expect("[[0.1, 0], [0.2, 0.9]]", "the last share must be 1");
    expect("[[0.1, 0], [0.2, 1.5]]", "generators[0].sieve[1][1] = 1.5: is out of range");
    expect("[[0.1, 0]]", "has 1 entry");
    expect("[0.1, 0.2]", "generators[0].sieve[0] = 0.1: must be a list of at least 2 pairs");
    expect("[[0.1, 0], [\"2 kg\", 1]]", "the unit does not fit");
    EXPECT_EQ(refusal<2>(polytopes<2>("random", "count = 5\nsieve = [[\"1 cm\", 0], [\"20 mm\", \"100 %\"]]\n")), "");
}

} // namespace
} // namespace talus
