// Random grains: as many vertices, as long, flat and large as asked for, sound, and the same for the same seed.
#include "talus/sampling/grain_shapes.hpp"
#include "talus/sampling/library_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

template <int D>
std::vector<Polytope<D>> made(const GrainRecipe& recipe, double size, int count, std::uint64_t seed = 1)
{
    Random random(seed);
    std::vector<Polytope<D>> grains;
    for (int k = 0; k < count; ++k) grains.push_back(random_grain<D>(recipe, size, random));
    return grains;
}

template <int D>
void expect_as_asked(const GrainRecipe& recipe)
{
    for (const Polytope<D>& grain : made<D>(recipe, 0.04, 30)) {
        EXPECT_GE(int(grain.vertices.size()), recipe.least_vertices);
        EXPECT_LE(int(grain.vertices.size()), recipe.most_vertices);
        const GrainMeasures measures = measure_grain(grain);
        // the box is fitted to shape_tolerance; turning into the body frame may choose another of two equal boxes
        const double slack = 2 * shape_tolerance;
        EXPECT_NEAR(measures.sieve_size, 0.04, 0.04 * slack);
        EXPECT_GE(measures.elongation, recipe.elongation.low * (1 - slack));
        EXPECT_LE(measures.elongation, recipe.elongation.high * (1 + slack));
        EXPECT_GE(measures.flatness, recipe.flatness.low * (1 - slack));
        EXPECT_LE(measures.flatness, recipe.flatness.high * (1 + slack));
        const MassProperties<D> properties = mass_properties(grain);
        EXPECT_LT(properties.centre.norm(), 1e-12) << "the body frame is at the centre of mass";
        EXPECT_GT(measures.sphericity, 0);
        EXPECT_LE(measures.sphericity, 1);
    }
}

TEST(RandomGrains, HaveTheVerticesAndProportionsAskedFor)
{
    for (const double angularity : {0.0, 0.5, 1.0}) {
        expect_as_asked<2>({3, 3, {0.4, 0.8}, {1, 1}, angularity});
        expect_as_asked<2>({5, 12, {0.5, 1}, {1, 1}, angularity});
        expect_as_asked<2>({40, 40, {0.3, 0.3}, {1, 1}, angularity});
        expect_as_asked<3>({4, 4, {0.5, 0.8}, {0.5, 0.8}, angularity});
        expect_as_asked<3>({8, 8, {0.9, 1}, {0.9, 1}, angularity});
        expect_as_asked<3>({10, 16, {0.6, 1}, {0.6, 1}, angularity});
        expect_as_asked<3>({12, 12, {0.2, 0.3}, {0.2, 0.3}, angularity});
        expect_as_asked<3>({40, 40, {0.6, 1}, {0.6, 1}, angularity});
    }
}

TEST(RandomGrains, HaveNoNeedleEdgesAndNoAlmostFlatEdges)
{
    for (const Polytope<3>& grain : made<3>({10, 16, {0.6, 1}, {0.6, 1}, 1}, 1, 200)) {
        for (const PolytopeEdge& edge : grain.edges) {
            EXPECT_GT((grain.vertices[edge.vertices[0]] - grain.vertices[edge.vertices[1]]).norm(), 0.02);
            const double cosine = grain.planes[edge.faces[0]].normal.dot(grain.planes[edge.faces[1]].normal);
            EXPECT_LT(cosine, std::cos(0.9 * M_PI / 180)) << "two faces that are almost one";
            EXPECT_GT(cosine, std::cos(176 * M_PI / 180)) << "a blade";
        }
    }
}

template <int D>
double mean_sphericity(double angularity)
{
    double sum = 0;
    for (const Polytope<D>& grain : made<D>({12, 12, {0.8, 1}, {0.8, 1}, angularity}, 1, 200)) {
        sum += measure_grain(grain).sphericity / 200;
    }
    return sum;
}

TEST(RandomGrains, AngularityMakesThemLessRound)
{
    EXPECT_GT(mean_sphericity<2>(0), mean_sphericity<2>(0.5) + 0.003);
    EXPECT_GT(mean_sphericity<2>(0.5), mean_sphericity<2>(1) + 0.003);
    EXPECT_GT(mean_sphericity<3>(0), mean_sphericity<3>(0.5) + 0.01);
    EXPECT_GT(mean_sphericity<3>(0.5), mean_sphericity<3>(1) + 0.01);
}

TEST(RandomGrains, AreTheSameForTheSameSeed)
{
    const GrainRecipe recipe{8, 14, {0.6, 1}, {0.6, 1}, 0.5};
    const auto first = made<3>(recipe, 0.03, 20, 5), again = made<3>(recipe, 0.03, 20, 5),
               other = made<3>(recipe, 0.03, 20, 6);
    for (int k = 0; k < 20; ++k) EXPECT_EQ(first[k].vertices, again[k].vertices);
    EXPECT_NE(first[0].vertices, other[0].vertices);
}

TEST(RandomGrains, RefuseWhatNoGrainCanBe)
{
    // the height of a triangle on its longest side is at most 0.87 of that side
    EXPECT_THROW(made<2>({3, 3, {1, 1}, {1, 1}, 0.5}, 1, 1), InputError);
}

TEST(GrainMeasures, OfABoxAreItsSides)
{
    const Polytope<3> brick = box<3>({3, 1, 2});
    std::vector<Vec<3>> turned;
    const Rotation<3> turn = Rotation<3>::from_vector({0.3, -1.1, 0.7});
    for (const Vec<3>& vertex : brick.vertices) turned.push_back(turn * vertex);
    const GrainMeasures measures = measure_grain(convex_hull<3>(turned));
    EXPECT_NEAR(measures.sieve_size, 2, 1e-9);
    EXPECT_NEAR(measures.elongation, 2.0 / 3, 1e-9);
    EXPECT_NEAR(measures.flatness, 0.5, 1e-9);
    EXPECT_NEAR(measures.volume, 6, 1e-9);
    EXPECT_NEAR(measures.sphericity, std::cbrt(36 * M_PI * 36) / 22, 1e-9);
    const GrainMeasures flat = measure_grain(box<2>({4, 3}));
    EXPECT_NEAR(flat.sieve_size, 3, 1e-12);
    EXPECT_NEAR(flat.elongation, 0.75, 1e-12);
    EXPECT_NEAR(flat.sphericity, 2 * std::sqrt(M_PI * 12) / 14, 1e-12);
}

// mass passing each mesh of a large sample drawn from a curve
template <int D>
void expect_curve(const std::vector<SievePoint>& curve)
{
    const auto sizes = SizeDistribution<D>::sieved(curve);
    Random random(3);
    std::vector<double> drawn(100000);
    double all = 0;
    for (double& d : drawn) all += std::pow(d = sizes.draw(random), D);
    for (const SievePoint& point : curve) {
        double below = 0;
        for (const double d : drawn) below += d <= point.size ? std::pow(d, D) : 0;
        EXPECT_NEAR(below / all, point.passing, 0.01) << "through " << point.size; // 3σ of 1e5 draws
    }
    for (const double d : drawn) {
        EXPECT_GE(d, curve.front().size * (1 - 1e-12));
        EXPECT_LE(d, curve.back().size);
    }
}

TEST(SieveCurve, IsThatOfTheMassOfTheGrains)
{
    expect_curve<2>({{0.025, 0}, {0.0315, 0.3}, {0.04, 0.7}, {0.05, 1}});
    expect_curve<3>({{0.025, 0}, {0.0315, 0.3}, {0.04, 0.7}, {0.05, 1}});
    expect_curve<3>({{0.01, 0}, {0.02, 0.5}, {0.03, 0.5}, {0.04, 1}}); // a gap in the grading
}

TEST(SieveCurve, OfALibraryIsThatAskedFor)
{
    const std::vector<SievePoint> curve{{0.025, 0}, {0.0315, 0.3}, {0.04, 0.7}, {0.05, 1}};
    Random random(1);
    const auto grains =
        random_grains<3>({8, 12, {0.7, 1}, {0.7, 1}, 0.5}, SizeDistribution<3>::sieved(curve), 300, random);
    const LibrarySummary summary = summary_of(grains);
    ASSERT_EQ(summary.grains.size(), 300u);
    // sizes are spread evenly over the curve; the volume of a grain of one size varies with its shape
    for (const SievePoint& point : curve) EXPECT_NEAR(summary.share_passing(1.01 * point.size), point.passing, 0.04);
    EXPECT_NEAR(summary.size_passing(0.5), std::sqrt(0.0315 * 0.04), 0.001);
}

TEST(SieveCurve, OpeningsAreTheUsualOnes)
{
    const std::vector<double> openings = sieve_openings(0.0251, 0.0499);
    ASSERT_EQ(openings.size(), 4u);
    EXPECT_DOUBLE_EQ(openings[0], 0.025);
    EXPECT_DOUBLE_EQ(openings[1], 0.0315);
    EXPECT_DOUBLE_EQ(openings[3], 0.05);
}

} // namespace
} // namespace talus
