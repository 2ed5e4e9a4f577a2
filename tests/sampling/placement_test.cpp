// Lattices and random places: the number asked for, no overlaps, radii as distributed, and a refusal where it is full.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

template <int D>
std::string grains(const std::string& type, const std::string& keys)
{
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.sand]\ndensity = 2600\n" +
           "[[generators]]\nname = \"grains\"\ntype = \"" + type + "\"\nmaterial = \"sand\"\n" +
           (D == 2 ? "lower = [0, -1]\nupper = [1, 0]\n" : "lower = [0, -1, 2]\nupper = [1, 0, 3]\n") + keys;
}

template <int D>
void expect_apart_and_within(const Simulation<D>& simulation, double smallest, double largest)
{
    const auto& bodies = simulation.bodies;
    Vec<D> lower = Vec<D>::Zero();
    lower[1] = -1;
    if constexpr (D == 3) lower[2] = 2;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double radius = bounding_radius(simulation.shapes, bodies.shape[i]);
        EXPECT_GE(radius, smallest);
        EXPECT_LE(radius, largest);
        EXPECT_GE((bodies.position[i] - lower).minCoeff(), radius * (1 - 1e-12));
        EXPECT_LE((bodies.position[i] - lower).maxCoeff(), 1 - radius * (1 - 1e-12));
        for (std::size_t j = 0; j < i; ++j) {
            const double apart = radius + bounding_radius(simulation.shapes, bodies.shape[j]);
            EXPECT_GE((bodies.position[i] - bodies.position[j]).norm(), apart * (1 - 1e-12));
        }
    }
}

TEST(Lattice, AsManyAsAskedForApartAndWithinTheBox)
{
    const auto flat = simulation_of<2>(grains<2>("lattice", "radius = [0.01, 0.02]\njitter = 0.49\ncount = 300\n"));
    EXPECT_EQ(flat.bodies.size(), 300u);
    expect_apart_and_within(flat, 0.01, 0.02);
    const auto space = simulation_of<3>(grains<3>("lattice", "radius = [0.03, 0.05]\njitter = 0.49\ncount = 500\n"));
    EXPECT_EQ(space.bodies.size(), 500u);
    expect_apart_and_within(space, 0.03, 0.05);
}

TEST(Lattice, WithoutANumberFillsTheBox)
{
    EXPECT_EQ(simulation_of<2>(grains<2>("lattice", "radius = 0.05\nspacing = 0.1\n")).bodies.size(), 100u);
    EXPECT_EQ(simulation_of<3>(grains<3>("lattice", "radius = 0.05\nspacing = 0.1\n")).bodies.size(), 1000u);
}

TEST(Lattice, RefusesWhatDoesNotFit)
{
    EXPECT_TRUE(has(refusal<2>(grains<2>("lattice", "radius = 0.05\nspacing = 0.1\ncount = 101\n")),
                    "generators[0].count = 101: the box holds 100 grains"));
    EXPECT_TRUE(has(refusal<2>(grains<2>("lattice", "radius = 0.05\nspacing = 0.09\n")), "generators[0].spacing"));
    EXPECT_TRUE(has(refusal<2>(grains<2>("lattice", "radius = 0.6\n")), "the box holds 0 grains"));
}

TEST(RandomPlaces, AsManyAsAskedForApartAndWithinTheBox)
{
    const auto flat = simulation_of<2>(grains<2>("random", "radius = [0.01, 0.02]\ncount = 400\n"));
    EXPECT_EQ(flat.bodies.size(), 400u);
    expect_apart_and_within(flat, 0.01, 0.02);
    const auto space = simulation_of<3>(grains<3>("random", "radius = [0.02, 0.06]\ncount = 300\n"));
    EXPECT_EQ(space.bodies.size(), 300u);
    expect_apart_and_within(space, 0.02, 0.06);
}

TEST(RandomPlaces, RefuseWhatDoesNotFit)
{
    EXPECT_TRUE(has(refusal<2>(grains<2>("random", "radius = 0.1\ncount = 60\n")), "generators[0].count = 60: only "));
    EXPECT_TRUE(has(refusal<3>(grains<3>("random", "radius = 0.6\ncount = 1\n")), "only 0 grains found a free place"));
}

TEST(RandomPlaces, AreTheSameForTheSameSeed)
{
    const std::string scene = grains<3>("random", "radius = [0.01, 0.02]\ncount = 50\n");
    EXPECT_EQ(simulation_of<3>(scene).state_hash(), simulation_of<3>(scene).state_hash());
    EXPECT_NE(simulation_of<3>(scene).state_hash(), simulation_of<3>(scene, {"scene.seed=9"}).state_hash());
}

// Share of the solid in four classes of radius between the smallest and twice that.
template <int D>
std::vector<double> solid_by_size(const std::string& distribution)
{
    const std::string radii = D == 2 ? "radius = [0.0025, 0.005]\n" : "radius = [0.015, 0.03]\n";
    const double smallest = D == 2 ? 0.0025 : 0.015;
    const auto simulation =
        simulation_of<D>(grains<D>("lattice", radii + "distribution = \"" + distribution + "\"\ncount = 3000\n"));
    std::vector<double> solid(4, 0.0);
    double all = 0;
    for (const std::int32_t shape : simulation.bodies.shape) {
        const double radius = bounding_radius(simulation.shapes, shape);
        const auto size = std::min<std::size_t>(3, std::size_t(4 * (radius / smallest - 1)));
        solid[size] += std::pow(radius, D);
        all += std::pow(radius, D);
    }
    for (double& share : solid) share /= all;
    return solid;
}

// 3000 grains, at least 350 in a class: a class is known to about 5 %, three times that is chance no more
TEST(Distribution, ByVolumeEverySizeHasTheSameSolid)
{
    for (const double share : solid_by_size<2>("volume")) EXPECT_NEAR(share, 0.25, 0.25 * 0.15);
    for (const double share : solid_by_size<3>("volume")) EXPECT_NEAR(share, 0.25, 0.25 * 0.15);
}

TEST(Distribution, ByNumberLargeGrainsHaveMostOfTheSolid)
{
    // ∫r^D over the last quarter of [1, 2] over that of all: 0.377 in 2D, 0.441 in 3D
    EXPECT_NEAR(solid_by_size<2>("uniform")[3], 0.377, 0.05);
    EXPECT_NEAR(solid_by_size<3>("uniform")[3], 0.441, 0.05);
}

} // namespace
} // namespace talus
