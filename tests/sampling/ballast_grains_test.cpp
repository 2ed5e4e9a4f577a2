// The ballast library: as many different grains as asked for, with the grading, the numbers of vertices and the
// distributions of elongation and flatness that its recipe states.
#include "talus/sampling/ballast_grains.hpp"
#include "talus/sampling/library_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace talus {
namespace {

double triangular_mean(const Interval& range) { return (range.low + *range.mode + range.high) / 3; }

double triangular_variance(const Interval& range)
{
    const double l = range.low, m = *range.mode, h = range.high;
    return (l * l + m * m + h * h - l * m - l * h - m * h) / 18;
}

// The fourth moment of every triangular distribution is 12/5 σ⁴: a variance of n draws errs by σ² sqrt((12/5 − 1)/n).
const double variance_error = std::sqrt(12.0 / 5 - 1);

void expect_triangular(const Interval& range)
{
    constexpr int count = 100000;
    Random random(11);
    std::vector<double> drawn(count);
    double mean = 0, variance = 0;
    int below_mode = 0;
    for (double& x : drawn) {
        x = range.draw(random);
        EXPECT_GE(x, range.low);
        EXPECT_LE(x, range.high);
        mean += x / count;
        below_mode += x < *range.mode;
    }
    for (const double x : drawn) variance += std::pow(x - mean, 2) / count;
    const double expected = triangular_variance(range);
    // three standard errors, of a share sqrt(p(1 − p)/n)
    EXPECT_NEAR(mean, triangular_mean(range), 3 * std::sqrt(expected / count));
    EXPECT_NEAR(variance, expected, 3 * variance_error * expected / std::sqrt(count));
    const double share = (*range.mode - range.low) / (range.high - range.low);
    EXPECT_NEAR(double(below_mode) / count, share, 3 * std::sqrt(share * (1 - share) / count));
}

TEST(Interval, WithAModeIsTriangular)
{
    expect_triangular({0.45, 0.97, 0.75});
    expect_triangular({0.4, 1, 0.4}); // falls from the low end on
    expect_triangular({0.4, 1, 1});   // rises up to the high end
}

TEST(Interval, WithoutAModeTakesTheNumbersItAlwaysTook)
{
    Random drawn(5), plain(5);
    for (int k = 0; k < 100; ++k) EXPECT_EQ((Interval{0.6, 1}.draw(drawn)), plain.uniform(0.6, 1));
    EXPECT_EQ((Interval{0.7, 0.7}.draw(drawn)), 0.7);
    EXPECT_EQ((Interval{0.7, 0.7, 0.7}.draw(drawn)), 0.7);
    EXPECT_EQ(drawn.state(), plain.state()) << "a constant takes no random number";
}

class Ballast : public testing::Test {
  protected:
    static void SetUpTestSuite()
    {
        grains = new std::vector<Polytope<3>>(ballast_grains({}));
        summary = new LibrarySummary(summary_of(*grains));
    }
    static void TearDownTestSuite()
    {
        delete grains;
        delete summary;
        grains = nullptr;
        summary = nullptr;
    }
    static inline std::vector<Polytope<3>>* grains = nullptr;
    static inline LibrarySummary* summary = nullptr;
};

TEST_F(Ballast, Has996GrainsOfDifferentShape)
{
    ASSERT_EQ(grains->size(), 996u);
    // neither is one of them another one scaled or turned: these numbers are the same for all sizes and positions of a
    // shape, and are rounded by far more than the measures err
    std::set<std::pair<std::int64_t, std::int64_t>> shapes;
    for (const GrainMeasures& grain : summary->grains) {
        shapes.insert(
            {std::llround(1e9 * grain.volume / std::pow(grain.sieve_size, 3)), std::llround(1e9 * grain.sphericity)});
    }
    EXPECT_EQ(shapes.size(), 996u);
}

TEST_F(Ballast, HasFrom12To40VerticesAllAsFrequent)
{
    EXPECT_EQ(summary->vertices.least, 12);
    EXPECT_EQ(summary->vertices.most, 40);
    const auto share = [](std::size_t low, std::size_t high) {
        return double(std::count_if(grains->begin(), grains->end(),
                                    [&](const Polytope<3>& grain) {
                                        return grain.vertices.size() >= low && grain.vertices.size() <= high;
                                    })) /
               double(grains->size());
    };
    const double expected = 5.0 / 29, error = std::sqrt(expected * (1 - expected) / double(grains->size()));
    EXPECT_NEAR(share(12, 16), expected, 3 * error);
    EXPECT_NEAR(share(36, 40), expected, 3 * error);
    const double mean_error =
        std::sqrt((29 * 29 - 1) / 12.0 / double(grains->size())); // of 29 equally frequent numbers
    EXPECT_NEAR(summary->vertices.mean, 26, 3 * mean_error);
}

TEST_F(Ballast, FollowsItsGrading)
{
    const std::vector<SievePoint> grading = ballast_grading();
    const double count = double(grains->size());
    // number of grains below each mesh for a mass share dm = dn d³, straight over ln d
    std::vector<double> number(grading.size(), 0);
    for (std::size_t k = 1; k < grading.size(); ++k) {
        const double from = grading[k - 1].size, to = grading[k].size;
        number[k] = number[k - 1] + (grading[k].passing - grading[k - 1].passing) / std::log(to / from) *
                                        (std::pow(from, -3) - std::pow(to, -3)) / 3;
    }
    double shape_mean = 0, shape_square = 0; // of volume / d³, which differs from grain to grain
    for (const GrainMeasures& grain : summary->grains) {
        const double shape = grain.volume / std::pow(grain.sieve_size, 3);
        shape_mean += shape / count;
        shape_square += shape * shape / count;
    }
    const double shape_variation = std::sqrt(shape_square / (shape_mean * shape_mean) - 1);
    for (std::size_t k = 0; k < grading.size(); ++k) {
        const double mesh = grading[k].size * (1 + 1e-9); // a grain of exactly this size passes, rounding or not
        double all = 0, below_squares = 0, above_squares = 0, below_count = 0;
        for (const GrainMeasures& grain : summary->grains) {
            const double cube = std::pow(grain.sieve_size, 3);
            all += cube;
            (grain.sieve_size <= mesh ? below_squares : above_squares) += cube * cube;
            below_count += grain.sieve_size <= mesh;
        }
        // One size is taken from each of 996 equal parts of the distribution: only the grain of the part that the
        // mesh cuts may be on the wrong side.
        EXPECT_NEAR(below_count, count * number[k] / number.back(), 1) << "through " << grading[k].size;
        // In mass that is d³/Σd³ for this one grain; to this come three standard errors of the sums over grains whose
        // volumes vary at the same size: var(S) = v² ((1 − S)² Σ_below d⁶ + S² Σ_above d⁶) / (Σd³)².
        const double share = grading[k].passing;
        const double error =
            shape_variation / all * std::sqrt(std::pow(1 - share, 2) * below_squares + share * share * above_squares);
        const double one_grain = share > 0 && share < 1 ? std::pow(mesh, 3) / all : 0;
        EXPECT_NEAR(summary->share_passing(mesh), share, one_grain + 3 * error + 1e-12) << "through " << mesh;
        EXPECT_LT(one_grain + 3 * error, 0.02) << "the tolerance would let another grading pass";
    }
}

TEST_F(Ballast, HasTheElongationAndFlatnessOfItsTriangles)
{
    const GrainRecipe recipe = ballast_recipe();
    const double count = double(grains->size());
    const auto expect_triangle = [&](const Spread& measured, double GrainMeasures::*ratio, const Interval& asked) {
        const double expected = triangular_variance(asked);
        double variance = 0;
        for (const GrainMeasures& grain : summary->grains) {
            variance += std::pow(grain.*ratio - measured.mean, 2) / count;
        }
        // three standard errors of 996 draws; that a grain may miss its proportions by 1 % is little beside them
        EXPECT_NEAR(measured.mean, triangular_mean(asked), 3 * std::sqrt(expected / count));
        EXPECT_NEAR(variance, expected, 3 * variance_error * expected / std::sqrt(count));
        EXPECT_GE(measured.least, asked.low * (1 - 2 * shape_tolerance));
        EXPECT_LE(measured.most, asked.high * (1 + 2 * shape_tolerance));
    };
    expect_triangle(summary->elongation, &GrainMeasures::elongation, recipe.elongation);
    expect_triangle(summary->flatness, &GrainMeasures::flatness, recipe.flatness);
}

TEST_F(Ballast, IsThatOfItsVersion)
{
    // recorded from version 1: where these change, so must the version; rounding changes far less than 1e-9
    EXPECT_EQ(ballast_version, 1);
    EXPECT_EQ(grains->front().vertices.size(), 36u);
    EXPECT_EQ(grains->back().vertices.size(), 20u);
    EXPECT_NEAR(summary->grains.front().volume, 5.16906325492e-05, 1e-9 * 5e-05);
    EXPECT_NEAR(summary->grains.back().volume, 7.19602210370e-05, 1e-9 * 7e-05);
}

TEST_F(Ballast, IsTheSameForTheSameSeedOnly)
{
    const auto first = ballast_grains({20, 5}), again = ballast_grains({20, 5}), other = ballast_grains({20, 6});
    ASSERT_EQ(first.size(), 20u);
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(first[k].vertices, again[k].vertices);
        EXPECT_NE(first[k].vertices, other[k].vertices);
    }
}

} // namespace
} // namespace talus
