// The contact law on single impacts with closed answers, and grains at rest on the walls that curve or end.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

using namespace talus;

namespace {

// a disk or sphere and one wall, no gravity unless `drivers` brings it
template <int D>
Simulation<D> grain_and_wall(const std::string& contact, const std::string& grain, const std::string& wall,
                             const std::string& drivers = "")
{
    return simulation_of<D>(
        piece::start({.dimension = D, .materials = "steel = { preset = \"steel\" }", .contact = contact}) +
        piece::body(D == 2 ? "disk" : "sphere", "radius = 0.1\n" + grain, "steel") +
        "[[bodies]]\nname = \"wall\"\nmaterial = \"steel\"\nmotion = \"fixed\"\n" + wall + "\n" + drivers +
        "\n[solver]\ntolerance = 1e-12\n");
}

} // namespace

TEST(TangentialRestitution, ReversesTheSlipOfAStickingImpact)
{
    // friction large enough to stick: v_n⁺ = −e_n v_n⁻ and, at the contact point, v_t⁺ = −e_t v_t⁻. The contact point
    // lies midway between the surfaces, so an overlap shortens the lever: this height closes 1e-9 m deep at the middle
    // of a step
    auto simulation =
        grain_and_wall<2>("friction = 10\nrestitution = 0.5\ntangential_restitution = 0.3",
                          "position = [0, 0.200499999]\nvelocity = [1, -1]", "shape = \"half_space\"\nnormal = [0, 1]");
    advance(simulation, 0.3);
    const double slip = simulation.bodies.velocity[0][0] + 0.1 * simulation.bodies.spin[0][0];
    EXPECT_NEAR(simulation.bodies.velocity[0][1], 0.5, 1e-12);
    const double lever = 1e-8; // 8.7 rad/s × half the overlap, rounded up
    EXPECT_NEAR(slip, -0.3, lever);
    // a tangential impulse J at the rim: Δv = J/m, R Δω = 2 J/m for a disk
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 1 - 1.3 / 3, lever);
}

TEST(TangentialRestitution, IsLimitedByFriction)
{
    // it slides: the friction impulse is μ m (1 + e_n) |v_n⁻|, whatever e_t
    auto simulation =
        grain_and_wall<2>("friction = 0.1\nrestitution = 0.5\ntangential_restitution = 0.3",
                          "position = [0, 0.2]\nvelocity = [1, -1]", "shape = \"half_space\"\nnormal = [0, 1]");
    advance(simulation, 0.3);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 1 - 0.1 * 1.5, 1e-12);
}

TEST(MovingWall, ElasticWallDoublesItsSpeedOnAGrainAtRest)
{
    auto simulation = grain_and_wall<3>("friction = 0\nrestitution = 1", "position = [0, 0, 0.2]",
                                        "shape = \"half_space\"\nnormal = [0, 0, 1]",
                                        "[[drivers]]\ntype = \"velocity\"\nbody = \"wall\"\nvelocity = [0, 0, 0.5]");
    advance(simulation, 0.4);
    EXPECT_NEAR(simulation.bodies.velocity[0][2], 1.0, 1e-12);
}

TEST(Drum, CarriesTheWeightOfASphereAtItsLowestPoint)
{
    auto simulation = grain_and_wall<3>("friction = 0.3", "position = [0.7, 0, -0.9]",
                                        "shape = \"hollow_cylinder\"\nradius = 1\naxis = [1, 0, 0]",
                                        "[[drivers]]\ntype = \"gravity\"");
    const Vec<3> start = simulation.bodies.position[0];
    advance(simulation, 0.5);
    EXPECT_LT((simulation.bodies.position[0] - start).norm(), 1e-12);
    EXPECT_NEAR(simulation.bodies.reaction[0][2] / (simulation.bodies.mass[0] * 9.81), 1, 1e-12);
}

TEST(Segment, LetsADiskRollOffItsEnd)
{
    auto simulation =
        grain_and_wall<2>("friction = 0.5", "position = [0, 0.1]\nvelocity = [0.5, 0]\nspin = -5",
                          "shape = \"segment\"\nfrom = [-1, 0]\nto = [0.1, 0]", "[[drivers]]\ntype = \"gravity\"");
    advance(simulation, 0.15); // rolls, the contact point at rest
    EXPECT_NEAR(simulation.bodies.position[0][1], 0.1, 1e-12);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 0.5, 1e-10);
    advance(simulation, 0.8); // then falls past the end
    EXPECT_LT(simulation.bodies.position[0][1], -0.3);
    EXPECT_GT(simulation.bodies.position[0][0], 0.2);
}
