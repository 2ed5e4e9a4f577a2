// A program's own detector, solver, driver, shape and generator (docs/how-to-add.md), used by a scene like all others.
#include "registries/added.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace talus {
namespace {

class Registries : public testing::Test {
  protected:
    static void SetUpTestSuite()
    {
        checked(io::parse_scene(scene<2>(), "test.toml")); // that a scene was read before is no matter
        detector_kinds().push_back(strips_detector());
        solver_kinds().push_back(smooth_solver());
        driver_kinds().push_back(wind_driver());
        body_shape_kinds().push_back(wedge_shape());
        generator_kinds().push_back(ring_generator());
    }

    // x along the floor, z up
    template <int D>
    static std::string at(double x, double z)
    {
        return D == 2 ? fmt::format("[{}, {}]", x, z) : fmt::format("[{}, 0, {}]", x, z);
    }
    template <int D>
    static std::string scene()
    {
        return fmt::format("[scene]\ndimension = {}\ndt = \"1 ms\"\nduration = 1\n[materials.stone]\ndensity = 1000\n"
                           "[[bodies]]\nshape = \"half_space\"\nnormal = {}\nmaterial = \"stone\"\nmotion = \"fixed\"\n"
                           "[[drivers]]\ntype = \"gravity\"\n",
                           D, at<D>(0, 1));
    }
    template <int D>
    static std::string with_one_of_each()
    {
        return scene<D>() +
               fmt::format("[[bodies]]\nshape = \"wedge\"\nsize = {}\nposition = {}\nmaterial = \"stone\"\n"
                           "[[generators]]\ntype = \"ring\"\nname = \"ring\"\ncentre = {}\ndistance = \"20 cm\"\n"
                           "radius = \"2 cm\"\ncount = 8\nmaterial = \"stone\"\n"
                           "[[drivers]]\ntype = \"wind\"\nforce = {}\n"
                           "[solver]\nname = \"smooth\"\nrelaxation = 1.2\nsweeps = 200\n"
                           "[detection]\nmethod = \"strips\"\naxis = 1\n",
                           D == 2 ? "[0.2, 0.1]" : "[0.2, 0.3, 0.1]", at<D>(0, 0.05), at<D>(0, 1), at<D>(2, 0));
    }
};

std::string contents_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <int D>
void expect_each_does_its_work(const std::string& toml)
{
    Simulation<D> simulation = simulation_of<D>(toml);
    const BodyTable<D>& bodies = simulation.bodies;
    // shape: half of the box, at its centre of mass
    const double wedge = 1000 * 0.5 * 0.2 * 0.1 * (D == 2 ? 1 : 0.3);
    EXPECT_NEAR(bodies.mass[1], wedge, 1e-12 * wedge);
    EXPECT_NEAR(bodies.position[1][0], -0.2 / 6, 1e-15);
    EXPECT_NEAR(bodies.position[1][D - 1], 0.05 - 0.1 / 6, 1e-15);
    // generator: eight balls around the centre, one group
    ASSERT_EQ(bodies.size(), 10u);
    for (std::size_t i = 2; i < 10; ++i) {
        EXPECT_NEAR(std::hypot(bodies.position[i][0], bodies.position[i][D - 1] - 1), 0.2, 1e-15);
    }
    ASSERT_EQ(simulation.groups.size(), 1u);
    EXPECT_EQ(simulation.groups[0].name, "ring");
    EXPECT_EQ(simulation.groups[0].count, 8);
    // detector: named by what it says, and the same contacts as the reference
    EXPECT_EQ(simulation.contact_dynamics().detector->remark(), "strips across axis 1");
    ContactTable<D> seen, reference;
    seen.detect(bodies, simulation.shapes, *simulation.contact_dynamics().detector, 0.3);
    reference.detect(bodies, simulation.shapes, *make_detector<D>("all_pairs"), 0.3);
    EXPECT_GT(seen.size(), 8u);
    EXPECT_EQ(seen.candidate, reference.candidate);
    EXPECT_EQ(seen.antagonist, reference.antagonist);

    for (int step = 0; step < 20; ++step) EXPECT_EQ(simulation.step().solve.solver, "smooth");
    const double time = simulation.clock.time();
    // driver: the wind blows on all; solver: the friction of 0.5 would hold the wedge, and there is none
    EXPECT_NEAR(bodies.velocity[1][0], 2 / wedge * time, 1e-9);
    EXPECT_NEAR(bodies.velocity[1][D - 1], 0, 1e-9);
    EXPECT_NEAR(bodies.velocity[9][0], 2 / bodies.mass[9] * time, 1e-12);
    EXPECT_NEAR(bodies.velocity[9][D - 1], -9.81 * time, 1e-12);
}

TEST_F(Registries, AKindOfAProgramWorksLikeTheOthersIn2d) { expect_each_does_its_work<2>(with_one_of_each<2>()); }

TEST_F(Registries, AKindOfAProgramWorksLikeTheOthersIn3d) { expect_each_does_its_work<3>(with_one_of_each<3>()); }

TEST_F(Registries, AnUnknownNameListsTheAddedOne)
{
    for (const auto& [more, added] : {std::pair{"[[bodies]]\nmaterial = \"stone\"\nshape = \"x\"\n", "wedge"},
                                      {"[[generators]]\nmaterial = \"stone\"\ntype = \"x\"\n", "ring"},
                                      {"[[drivers]]\ntype = \"x\"\n", "wind"},
                                      {"[solver]\nname = \"x\"\n", "smooth"},
                                      {"[detection]\nmethod = \"x\"\n", "strips"}}) {
        const std::string refused = refusal<2>(scene<2>() + more);
        EXPECT_TRUE(has(refused, added)) << refused;
    }
    EXPECT_TRUE(has(refusal_of([] { make_detector<2>("x"); }), "\"strips\""));
    SolverOptions options;
    options.name = "x";
    EXPECT_TRUE(has(refusal_of([&] { make_solver<3>(options, false); }), "\"smooth\""));
}

TEST_F(Registries, KeysOfAnAddedKindAreCheckedLikeTheOthers)
{
    const std::string bad = refusal<2>(scene<2>() + "[[drivers]]\ntype = \"wind\"\n"
                                                    "[solver]\nname = \"smooth\"\nrelaxation = 2\n"
                                                    "[detection]\nmethod = \"strips\"\naxis = 2\n");
    EXPECT_TRUE(has(bad, "drivers[1].force: missing")) << bad;
    EXPECT_TRUE(has(bad, "solver.relaxation = 2: is out of range")) << bad;
    EXPECT_TRUE(has(bad, "detection.axis = 2: is out of range")) << bad;
    const std::string other = refusal<2>(scene<2>() + "[solver]\nrelaxation = 1.5\n[detection]\naxis = 1\n");
    EXPECT_TRUE(has(other, "solver.relaxation = 1.5: has no effect with name = \"auto\", only with \"smooth\""))
        << other;
    EXPECT_TRUE(has(other, "detection.axis = 1: has no effect with method = \"auto\", only with \"strips\"")) << other;
}

TEST_F(Registries, AnAddedSolverThatKnowsNoRollingFrictionIsRefusedByName)
{
    const std::string refused =
        refusal<2>(scene<2>() + "[contact]\nrolling_friction = \"1 mm\"\n[solver]\nname = \"smooth\"\n");
    EXPECT_TRUE(has(refused, "solver.name = \"smooth\" does not carry rolling friction")) << refused;
}

TEST_F(Registries, TheReferenceDocumentsAddedKinds)
{
    const std::string reference = scene::reference_markdown(scene_schema());
    for (const char* text :
         {"type = \"wind\"", "shape = \"wedge\"", "type = \"ring\"", "contacts without friction (smooth)",
          "balls that overlap along one axis (strips)", "| `relaxation` |", "| `axis` |"}) {
        EXPECT_TRUE(has(reference, text)) << text;
    }
}

TEST(HowToAdd, PrintsTheDriverThatIsCompiledHere)
{
    const std::filesystem::path root = std::filesystem::path(TALUS_SCENES).parent_path();
    const std::string wind = contents_of(root / "tests/registries/wind.cpp");
    ASSERT_FALSE(wind.empty());
    EXPECT_TRUE(has(contents_of(root / "docs/how-to-add.md"), "```cpp\n" + wind + "```\n"));
}

} // namespace
} // namespace talus
