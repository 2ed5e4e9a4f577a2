#include "talus/base/random.hpp"
#include "talus/math/ball_overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace talus {
namespace {

// Simpson's rule on a smooth function, far finer than any tolerance here
double integrate(double begin, double end, const std::function<double(double)>& f, int steps = 2000)
{
    const double h = (end - begin) / steps;
    double sum = f(begin) + f(end);
    for (int i = 1; i < steps; ++i) sum += (i % 2 ? 4 : 2) * f(begin + i * h);
    return sum * h / 3;
}

// share of a box [-1, 1]^D of random points, for what is simple to say of a point; five standard deviations are 0.0056
template <int D>
double counted(const std::function<bool(const Vec<D>&)>& inside)
{
    Random random(1);
    const int samples = 200000;
    int hits = 0;
    for (int k = 0; k < samples; ++k) {
        Vec<D> x;
        for (int axis = 0; axis < D; ++axis) x[axis] = random.uniform(-1, 1);
        hits += inside(x);
    }
    return std::pow(2.0, D) * hits / samples;
}
template <int D>
constexpr double counting_error = D == 2 ? 0.0224 : 0.0448;

// lens of two balls by slices across the line of centres, written so that a tiny depth loses nothing
template <int D>
double lens_by_slices(double a, double b, double depth)
{
    // half height of the lens: from the cap of ball a
    const double distance = a + b - depth;
    const double height = depth * (b + distance - a) / (2 * distance);
    const double rim = std::sqrt(height * (2 * a - height));
    const auto thickness = [&](double y) {
        const auto sag = [y](double r) { return y * y / (r + std::sqrt(r * r - y * y)); };
        return std::max(0.0, depth - sag(a) - sag(b));
    };
    return integrate(0, M_PI / 2, [&](double t) {
        const double y = rim * std::sin(t), dy = rim * std::cos(t);
        return (D == 2 ? 2.0 : 2 * M_PI * y) * thickness(y) * dy;
    });
}

template <int D>
void expect_lens()
{
    EXPECT_EQ(overlap_of_balls<D>(1, 2, 3), 0);
    EXPECT_EQ(overlap_of_balls<D>(1, 2, 5), 0);
    EXPECT_EQ(overlap_of_balls<D>(1, 2, 0.5), ball_volume<D>(1));
    EXPECT_EQ(overlap_of_balls<D>(2, 1, 0), ball_volume<D>(1));
    EXPECT_EQ(overlap_of_balls<D>(1, 1, 0), ball_volume<D>(1));
    for (const double depth : {1e-12, 1e-8, 1e-5, 1e-3, 0.1, 0.5}) {
        for (const double b : {1.0, 2.0, 20.0}) {
            const double distance = 1 + b - depth, kept = 1 + b - distance; // the depth that the distance stands for
            const double expected = lens_by_slices<D>(1, b, kept);
            EXPECT_NEAR(overlap_of_balls<D>(1, b, distance), expected, 1e-10 * expected) << depth << " " << b;
            EXPECT_EQ(overlap_of_balls<D>(1, b, distance), overlap_of_balls<D>(b, 1, distance));
        }
    }
    // continuous where the smaller ball goes under
    EXPECT_NEAR(overlap_of_balls<D>(1, 3, 2 + 1e-12), ball_volume<D>(1), 1e-11);
}
TEST(BallOverlap, LensOfTwoBalls)
{
    expect_lens<2>();
    expect_lens<3>();
    // the textbook form of the 3D lens
    const double a = 0.7, b = 1.1, d = 1.3, depth = a + b - d;
    EXPECT_NEAR(overlap_of_balls<3>(a, b, d),
                M_PI * depth * depth * (d * d + 2 * d * (a + b) - 3 * (a - b) * (a - b)) / (12 * d), 1e-14);
    // and that of the 2D one for equal disks
    EXPECT_NEAR(overlap_of_balls<2>(1, 1, 1), 2 * std::acos(0.5) - 0.5 * std::sqrt(3.0), 1e-14);
}

TEST(BallOverlap, RoundingOfTheSumOfRadiiDoesNotSpoilATinyLens)
{
    const double a = 0.1, b = 0.37; // a + b is not a double
    const double distance = 0.47 - 4.7e-9;
    const long double depth = (long double)a + (long double)b - (long double)distance, d = distance;
    const double expected =
        double(acosl(-1.0L) * depth * depth *
               (d * d + 2 * d * ((long double)a + b) - 3 * ((long double)a - b) * ((long double)a - b)) / (12 * d));
    EXPECT_NEAR(overlap_of_balls<3>(a, b, distance), expected, 1e-14 * expected);
}

TEST(BallOverlap, CapBelowAPlane)
{
    EXPECT_EQ(ball_below_plane<2>(1, 1), 0);
    EXPECT_EQ(ball_below_plane<3>(1, 2), 0);
    EXPECT_NEAR(ball_below_plane<2>(2, 0), 2 * M_PI, 1e-14);
    EXPECT_NEAR(ball_below_plane<3>(2, 0), 0.5 * ball_volume<3>(2), 1e-14);
    EXPECT_NEAR(ball_below_plane<2>(1, -1), M_PI, 1e-14);
    EXPECT_NEAR(ball_below_plane<3>(1, -5), ball_volume<3>(1), 1e-14);
    EXPECT_NEAR(ball_below_plane<2>(1, 0.5), std::acos(0.5) - 0.5 * std::sqrt(0.75), 1e-15);
    EXPECT_NEAR(ball_below_plane<3>(1, 0.5), M_PI * 0.25 * 2.5 / 3, 1e-15);
    for (const double height : {0.999, 0.3, -0.2, -0.95}) {
        EXPECT_NEAR(ball_below_plane<2>(1, height) + ball_below_plane<2>(1, -height), M_PI, 1e-14);
    }
    // of a shallow cap in 2D, 4/3 √(2r) h^(3/2) to first order in h/r
    const double h = 1 - (1 - 1e-10);
    EXPECT_NEAR(ball_below_plane<2>(1, 1 - 1e-10) / (4.0 / 3 * std::sqrt(2.0) * std::pow(h, 1.5)), 1, 1e-10);
}

template <int D>
Vec<D> all(double value)
{
    return Vec<D>(Vec<D>::Constant(value));
}

template <int D>
void expect_simple_boxes()
{
    const double whole = ball_volume<D>(1);
    EXPECT_EQ((ball_in_box<D>(all<D>(0), 1, all<D>(-2), all<D>(2))), whole);
    EXPECT_EQ((ball_in_box<D>(all<D>(0), 1, all<D>(1), all<D>(2))), 0);
    EXPECT_EQ((ball_in_box<D>(all<D>(0), 1, all<D>(0.9), all<D>(2))), 0) << "beside the corner";
    EXPECT_EQ((ball_in_box<D>(all<D>(0), 1, all<D>(1), all<D>(-1))), 0) << "an empty box";
    EXPECT_NEAR((ball_in_box<D>(all<D>(0), 1, all<D>(0), all<D>(2))), whole / std::pow(2, D), 1e-15);
    Vec<D> lower = all<D>(-2);
    lower[0] = 0.25;
    EXPECT_NEAR((ball_in_box<D>(all<D>(0), 1, lower, all<D>(2))), ball_below_plane<D>(1, 0.25), 1e-15);
    EXPECT_NEAR((ball_in_box<D>(all<D>(0), 1, all<D>(-0.1), all<D>(0.1))), std::pow(0.2, D), 1e-14)
        << "box in the ball";
}
TEST(BallInBox, InsideOutsideAndSymmetricCuts)
{
    expect_simple_boxes<2>();
    expect_simple_boxes<3>();
}

// Boxes that tile space: the pieces of a ball add up to the ball, wherever the cuts fall.
template <int D>
void expect_tiles()
{
    Random random(3);
    for (int repeat = 0; repeat < 300; ++repeat) {
        std::array<std::array<double, 4>, D> cuts;
        for (auto& cut : cuts) {
            cut = {-2, random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1), 2};
            if (repeat % 3 == 0) cut[2] = -cut[1];
            std::sort(cut.begin(), cut.end());
        }
        double sum = 0;
        for (int tile = 0; tile < std::pow(3, D); ++tile) {
            Vec<D> lower, upper;
            for (int axis = 0, rest = tile; axis < D; ++axis, rest /= 3) {
                lower[axis] = cuts[axis][rest % 3];
                upper[axis] = cuts[axis][rest % 3 + 1];
            }
            sum += ball_in_box<D>(all<D>(0), 1, lower, upper);
        }
        EXPECT_NEAR(sum, ball_volume<D>(1), 1e-13);
    }
}
TEST(BallInBox, PiecesAddUp)
{
    expect_tiles<2>();
    expect_tiles<3>();
}

TEST(BallInBox, EqualsTheIntegralOfSlices)
{
    Random random(5);
    for (int repeat = 0; repeat < 100; ++repeat) {
        Vec<3> lower, upper, centre;
        for (int axis = 0; axis < 3; ++axis) {
            centre[axis] = random.uniform(-5, 5);
            const double a = random.uniform(-1.2, 1.2), b = random.uniform(-1.2, 1.2);
            lower[axis] = centre[axis] + std::min(a, b);
            upper[axis] = centre[axis] + std::max(a, b);
        }
        const Vec<3> below = lower - centre, above = upper - centre;
        const auto length = [&](int axis, double half) {
            return std::max(0.0, std::min(half, above[axis]) - std::max(-half, below[axis]));
        };
        const auto area = [&](double z) { // by columns, independent of the closed forms
            const double disk = std::sqrt(std::max(0.0, 1 - z * z));
            return ball_in_box<2>({0, 0}, disk, below.head<2>(), above.head<2>());
        };
        const double bottom = std::max(below[2], -1.0), top = std::min(above[2], 1.0);
        const double expected = bottom < top ? integrate(bottom, top, area, 4000) : 0;
        EXPECT_NEAR(ball_in_box<3>(centre, 1, lower, upper), expected, 2e-6); // kinks limit Simpson's rule
        const double left = std::max(below[0], -1.0), right = std::min(above[0], 1.0);
        const double flat =
            left < right
                ? integrate(
                      left, right, [&](double x) { return length(1, std::sqrt(std::max(0.0, 1 - x * x))); }, 20000)
                : 0;
        EXPECT_NEAR(ball_in_box<2>({0, 0}, 1, below.head<2>(), above.head<2>()), flat, 2e-6);
    }
}

TEST(BallInBox, ScalesAndMovesWithTheBall)
{
    // an edge of the box touches the sphere: 0.3² + 0.4² = 0.5², where acos would lose half of the digits
    const Vec<3> centre(0.1, -0.2, 0.3), lower(-0.4, -0.7, 0.05), upper(0.5, 0.1, 0.9), shift(3, 4, 5);
    const double here = ball_in_box<3>(centre, 0.5, lower, upper);
    EXPECT_NEAR(ball_in_box<3>(centre + shift, 0.5, lower + shift, upper + shift), here, 1e-14);
    EXPECT_NEAR(ball_in_box<3>(1e-3 * centre, 0.5e-3, 1e-3 * lower, 1e-3 * upper), 1e-9 * here, 1e-23);
}

template <int D>
void expect_bowl()
{
    EXPECT_EQ(ball_outside_bowl<D>(1, 5, 4), 0);
    EXPECT_EQ(ball_outside_bowl<D>(1, 5, 0), 0);
    EXPECT_EQ(ball_outside_bowl<D>(1, 5, 6), ball_volume<D>(1));
    EXPECT_NEAR(ball_outside_bowl<D>(2, 1, 0.5), ball_volume<D>(2) - ball_volume<D>(1), 1e-14);
    for (const double distance : {4.1, 4.5, 5.0, 5.7}) {
        EXPECT_NEAR(ball_outside_bowl<D>(1, 5, distance), ball_volume<D>(1) - overlap_of_balls<D>(1, 5, distance),
                    1e-12);
    }
    // a huge bowl is a plane
    EXPECT_NEAR(ball_outside_bowl<D>(1, 1e9, 1e9 - 0.75) / ball_below_plane<D>(1, 0.75), 1, 1e-7);
}
TEST(BallOverlap, PartOutsideABowl)
{
    expect_bowl<2>();
    expect_bowl<3>();
    // π δ² rR/(R − r) to first order in δ: no cancellation
    const double depth = 5.0 - 4.0 - (1.0 - 1e-8);
    EXPECT_NEAR(ball_outside_bowl<3>(1, 5, 4 + 1e-8) / (M_PI * depth * depth * 5 / 4), 1, 1e-7);
}

TEST(BallOverlap, SphereAcrossADrumOrACylinder)
{
    EXPECT_EQ(ball_outside_drum(1, 5, 4), 0);
    EXPECT_EQ(ball_in_cylinder(1, 2, 3), 0);
    EXPECT_NEAR(ball_outside_drum(1, 5, 6), ball_volume<3>(1), 1e-12);
    EXPECT_NEAR(ball_in_cylinder(1, 5, 0), ball_volume<3>(1), 1e-12);
    // a bored sphere: the rest has the height of the hole, 4/3 π (r² − R²)^(3/2)
    EXPECT_NEAR(ball_outside_drum(1, 0.6, 0), ball_volume<3>(0.8), 1e-10);
    EXPECT_NEAR(ball_in_cylinder(1, 0.6, 0), ball_volume<3>(1) - ball_volume<3>(0.8), 1e-10);
    // a huge drum is a plane
    EXPECT_NEAR(ball_outside_drum(1, 1e9, 1e9 - 0.75) / ball_below_plane<3>(1, 0.75), 1, 1e-7);
    // Viviani's solid: 2/3 r³ (π − 4/3)
    EXPECT_NEAR(ball_in_cylinder(1, 0.5, 0.5), 2.0 / 3 * (M_PI - 4.0 / 3), 1e-10);

    struct Case {
        double drum, distance;
    };
    for (const Case c : {Case{5, 4.3}, Case{2, 1.9}, Case{0.7, 0.2}, Case{0.5, 0.8}, Case{0.3, 0.5}, Case{3, 3.4}}) {
        const double inside =
            counted<3>([&](const Vec<3>& x) { return x.norm() <= 1 && std::hypot(x[0] - c.distance, x[1]) <= c.drum; });
        EXPECT_NEAR(ball_in_cylinder(1, c.drum, c.distance), inside, counting_error<3>) << c.drum;
        EXPECT_NEAR(ball_outside_drum(1, c.drum, c.distance), ball_volume<3>(1) - inside, counting_error<3>) << c.drum;
        // slices by brute force
        const double slices =
            2 * integrate(
                    0, M_PI / 2,
                    [&](double t) { return overlap_of_balls<2>(std::cos(t), c.drum, c.distance) * std::cos(t); },
                    200000);
        EXPECT_NEAR(ball_in_cylinder(1, c.drum, c.distance), slices, 1e-9) << c.drum << " " << c.distance;
    }
}

TEST(BallOverlap, RodIsAStripIn2DAndACylinderIn3D)
{
    EXPECT_NEAR(ball_in_rod<2>(1, 0.25, 0), M_PI - 2 * ball_below_plane<2>(1, 0.25), 1e-14);
    EXPECT_NEAR(ball_in_rod<2>(1, 5, 5.5), ball_below_plane<2>(1, 0.5), 1e-14);
    EXPECT_EQ(ball_in_rod<3>(1, 0.4, 1.1), ball_in_cylinder(1, 0.4, 1.1));
}

} // namespace
} // namespace talus
