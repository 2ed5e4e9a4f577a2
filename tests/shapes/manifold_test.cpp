#include "shapes/convex_pairs.hpp"
#include "shapes/reference_separation.hpp"
#include "talus/math/random_rotation.hpp"
#include "talus/shapes/manifold.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace talus {
namespace {

template <int D>
std::vector<std::uint64_t> features_of(const Manifold<D>& manifold)
{
    std::vector<std::uint64_t> features;
    for (int k = 0; k < manifold.count; ++k) features.push_back(manifold.points[k].feature);
    return features;
}

template <int D>
const ManifoldPoint<D>* find_feature(const Manifold<D>& manifold, std::uint32_t feature)
{
    for (int k = 0; k < manifold.count; ++k) {
        if (manifold.points[k].feature == feature) return &manifold.points[k];
    }
    return nullptr;
}

// What a manifold claims of itself: the first claim that does not hold, or nothing.
template <int D>
std::string flaw_of(const Convex<D>& a, const Convex<D>& b, const Separation<D>& s, const Manifold<D>& m,
                    const ManifoldOptions& options)
{
    const double size = std::min(a.reach(), b.reach());
    const double least_possible = s.distance - 1e-6 * size; // a direction is known to rounding ⁄ distance, ≥ 1e-10
    if (m.count < 1 || m.count > options.most) return fmt::format("{} points", m.count);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[k].gap);
    if (!(std::abs(least - s.distance) <= 1e-6 * size)) return fmt::format("gap {}, distance {}", least, s.distance);
    for (int k = 0; k < m.count; ++k) {
        const auto& [point, gap, feature] = m.points[k];
        if (!point.allFinite() || !(gap <= options.alert)) return fmt::format("gap {} of point {}", gap, k);
        if (gap < least_possible) return fmt::format("gap {} below the distance {}", gap, s.distance);
        const double off_a = double(reference_height<D>(a, Vec<D>(point - 0.5 * gap * s.direction)));
        const double off_b =
            double(reference_height<D>(b, Vec<D>(point + 0.5 * gap * s.direction - b.centre + a.centre)));
        // corners count as inside the other outline within 1e-9 of the size, those that tie within what lets axes tie
        const double outside = s.tied ? 2 * axis_slack : 1e-8;
        if (std::max(off_a, off_b) > outside * size) return fmt::format("point {} is {}, {} outside", k, off_a, off_b);
        // a rounded side that is not quite level is less high than its line and its rounding
        const bool exact = a.rounding + b.rounding == 0 || gap == least;
        if (exact && std::min(off_a, off_b) < -1e-8 * size)
            return fmt::format("point {} is {}, {} inside", k, off_a, off_b);
    }
    const auto features = features_of(m);
    if (std::set(features.begin(), features.end()).size() != features.size()) return "a feature appears twice";
    return {};
}

template <int D>
std::string flaw_of(const Convex<D>& a, const Convex<D>& b, int most)
{
    const ManifoldOptions options{.alert = 0.06 * std::min(a.reach(), b.reach()), .most = most};
    Separation<D> s;
    if (!separate<D>(a, b, options.alert, {}, s)) return "not close";
    return flaw_of<D>(a, b, s, manifold_of<D>(a, b, s, options), options);
}

template <int D>
void expect_definition(Arrangement arrangement, int count)
{
    const ConvexPairs<D> pairs;
    int flaws = 0;
    for (int k = 0; k < count; ++k) {
        const auto pair = pairs.pair(k, arrangement);
        const std::string flaw = flaw_of<D>(pair.a.view(), pair.b.view(), k % 2 == 0 ? most_points : 3);
        if (!flaw.empty() && ++flaws < 10)
            ADD_FAILURE() << "pair " << k << ", " << name_of(pair.nearness) << ": " << flaw;
    }
    EXPECT_EQ(flaws, 0);
}

class Manifolds : public testing::TestWithParam<Arrangement> {};
INSTANTIATE_TEST_SUITE_P(All, Manifolds, testing::ValuesIn(all_arrangements),
                         [](const auto& instance) { return test_name_of(instance.param); });

TEST_P(Manifolds, OfPolyhedraKeepTheirDefinition) { expect_definition<3>(GetParam(), pairs_per_arrangement); }
TEST_P(Manifolds, OfPolygonsKeepTheirDefinition) { expect_definition<2>(GetParam(), pairs_per_arrangement); }

struct Persistence {
    int features = 0, kept = 0, strayed = 0;
};

// b moves by 1e-6 of the size and turns by 1e-6; the last direction and the last features are given.
template <int D>
Persistence nudge(const ConvexPair<D>& pair, Random& random)
{
    const Convex<D> a = pair.a.view(), b = pair.b.view();
    ManifoldOptions options{.alert = 0.06 * pair.size};
    Separation<D> before, after;
    EXPECT_TRUE(separate<D>(a, b, options.alert, {}, before));
    const auto first = manifold_of<D>(a, b, before, options);
    Ang<D> turn;
    for (int i = 0; i < angular<D>; ++i) turn[i] = random.uniform(-1, 1);
    const LoneConvex<D> nudged =
        pair.nudged_b(1e-6 * pair.size * random_direction<D>(random), Ang<D>(1e-6 * turn.normalized()));
    EXPECT_TRUE(separate<D>(a, nudged.view(), options.alert, {.previous = &before.direction}, after));
    const auto features = features_of(first);
    options.previous = features;
    const auto second = manifold_of<D>(a, nudged.view(), after, options);

    // where a corner touches a corner the normal may swing far, and parallel edges cross anywhere
    const bool swings = (after.direction - before.direction).norm() > 1e-4;
    const bool parallel_edges = pair.arrangement == Arrangement::edges;
    Persistence result;
    for (int i = 0; i < first.count; ++i) {
        ++result.features;
        const auto* same = find_feature(second, first.points[i].feature);
        if (!same) continue;
        ++result.kept;
        const bool crossing = first.points[i].feature >= edge_pair(0, 0);
        if (swings || (parallel_edges && crossing)) continue;
        result.strayed += (same->point - first.points[i].point).norm() > 1e-4 * pair.size;
    }
    return result;
}

template <int D>
void expect_persistence(Arrangement arrangement)
{
    const ConvexPairs<D> pairs;
    Persistence all;
    for (int k = 0; k < 5000; ++k) {
        const auto pair = pairs.pair(k, arrangement);
        Random random(k);
        const Persistence here = nudge<D>(pair, random);
        all.strayed += here.strayed;
        if (pair.nearness == Nearness::deep) continue; // two axes may be as good as each other
        all.features += here.features;
        all.kept += here.kept;
    }
    EXPECT_EQ(all.strayed, 0);
    if (arrangement == Arrangement::stacked || arrangement == Arrangement::faces) {
        EXPECT_GE(all.kept, 0.99 * all.features) << "of " << all.features;
    }
}
TEST_P(Manifolds, OfPolyhedraPersistWhileTheyMoveALittle) { expect_persistence<3>(GetParam()); }
TEST_P(Manifolds, OfPolygonsPersistWhileTheyMoveALittle) { expect_persistence<2>(GetParam()); }

// V32: two cubes of edge 1 that meet along z, the upper one at `gap` above the lower one.
struct Cubes {
    Separation<3> separation;
    Manifold<3> manifold;
};
Cubes meet(const Rotation<3>& lower, const Rotation<3>& upper, const Vec<2>& shift, double gap)
{
    static const ConvexModel<3> cube = model_of(box<3>({1, 1, 1}));
    const auto top = [](const Rotation<3>& turn) { return 0.5 * turn.matrix().row(2).cwiseAbs().sum(); };
    const LoneConvex<3> a(cube, Vec<3>::Zero(), lower);
    const LoneConvex<3> b(cube, Vec<3>(shift[0], shift[1], top(lower) + top(upper) + gap), upper);
    Cubes cubes;
    const ManifoldOptions options{.alert = 0.02};
    EXPECT_TRUE(separate<3>(a.view(), b.view(), options.alert, {}, cubes.separation));
    cubes.manifold = manifold_of<3>(a.view(), b.view(), cubes.separation, options);
    EXPECT_EQ(flaw_of<3>(a.view(), b.view(), cubes.separation, cubes.manifold, options), "");
    EXPECT_NEAR(cubes.separation.distance, gap, 1e-15); // the heights are sums of three roundings
    return cubes;
}
const Rotation<3> flat;
const Rotation<3> on_edge_along_x = Rotation<3>::from_vector({M_PI / 4, 0, 0});
const Rotation<3> on_edge_along_y = Rotation<3>::from_vector({0, M_PI / 4, 0});
const Rotation<3> on_corner = Rotation<3>::from_vector(std::acos(1 / std::sqrt(3.)) * Vec<3>(1, -1, 0).normalized());
constexpr std::array gaps = {-0.01, -1e-6, 0.0, 1e-6, 0.01};

TEST(ManifoldOfCubes, FaceOnFaceHasFourPoints)
{
    for (const double gap : gaps) {
        for (const Vec<2>& shift : {Vec<2>(0, 0), Vec<2>(0.5, 0), Vec<2>(0.25, -0.125)}) {
            const Cubes cubes = meet(flat, flat, shift, gap);
            EXPECT_EQ(cubes.separation.direction, Vec<3>::UnitZ()) << gap;
            ASSERT_EQ(cubes.manifold.count, 4) << gap;
            for (int k = 0; k < 4; ++k) EXPECT_NEAR(cubes.manifold.points[k].gap, gap, 1e-15);
        }
    }
}

TEST(ManifoldOfCubes, EightCornersOfTurnedFacesBecomeFourFarApart)
{
    const Cubes cubes = meet(flat, Rotation<3>::from_vector({0, 0, M_PI / 4}), {0, 0}, -0.01);
    ASSERT_EQ(cubes.manifold.count, 4);
    Vec<3> sum = Vec<3>::Zero();
    for (int k = 0; k < 4; ++k) {
        sum += cubes.manifold.points[k].point;
        for (int j = 0; j < k; ++j) { // the sides of the octagon are 0.414: no two neighbours on both sides
            EXPECT_GT((cubes.manifold.points[k].point - cubes.manifold.points[j].point).norm(), 0.41);
        }
    }
    EXPECT_LT(sum.head<2>().norm() / 4, 0.1); // it stands: the centre is well inside
}

TEST(ManifoldOfCubes, EdgeOnFaceHasTwoPointsVertexOnFaceAndEdgeAcrossEdgeOne)
{
    for (const double gap : gaps) {
        const Cubes edge = meet(flat, on_edge_along_x, {0, 0.1}, gap), vertex = meet(flat, on_corner, {0.1, 0.2}, gap);
        const Cubes edges = meet(on_edge_along_x, on_edge_along_y, {0.1, 0.2}, gap);
        EXPECT_EQ(edge.manifold.count, 2) << gap;
        EXPECT_EQ(vertex.manifold.count, 1) << gap;
        EXPECT_EQ(edges.manifold.count, 1) << gap;
        for (const Cubes* cubes : {&edge, &vertex, &edges}) {
            // a turned edge is level to rounding, and a distance of 1e-6 shows its direction to rounding ⁄ 1e-6
            const bool tiny = gap == 1e-6 && cubes == &vertex;
            EXPECT_LT((cubes->separation.direction - Vec<3>::UnitZ()).norm(), tiny ? 1e-9 : 3e-16) << gap;
        }
    }
}

TEST(ManifoldOnWall, HasTheVerticesThatAreClose)
{
    const ConvexModel<3> cube = model_of(box<3>({1, 1, 1}));
    const auto count = [&](const Rotation<3>& turn, int most) {
        const LoneConvex<3> a(cube, Vec<3>(7, 8, 9), turn);
        const double bottom = -0.5 * turn.matrix().row(2).cwiseAbs().sum();
        const auto m = manifold_on_wall<3>(a.view(), Vec<3>::UnitZ(), bottom - 0.01, {.alert = 0.02, .most = most});
        for (int k = 0; k < m.count; ++k) {
            EXPECT_NEAR(m.points[k].gap, 0.01, 1e-15);
            EXPECT_NEAR(m.points[k].point[2], bottom - 0.005, 1e-15); // midway
        }
        return m.count;
    };
    EXPECT_EQ(count(flat, 4), 4);
    EXPECT_EQ(count(flat, 3), 3);
    EXPECT_EQ(count(on_edge_along_x, 4), 2);
    EXPECT_EQ(count(on_corner, 4), 1);

    const ConvexModel<2> rod = model_of_segment<2>({0.5, 0});
    const LoneConvex<2> lying(rod, Vec<2>(3, 4), Rotation<2>(), 0.1);
    const auto m = manifold_on_wall<2>(lying.view(), Vec<2>::UnitY(), -0.1, {.alert = 0.01});
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(m.points[0].gap, 0, 1e-16);
}

// Rods and disks in the plane, rods, balls and triangles in space.
template <int D>
void expect_definition_of_round_sets(int count)
{
    const RoundPairs<D> pairs;
    int flaws = 0;
    for (int k = 0; k < count; ++k) {
        const auto pair = pairs.pair(k);
        Separation<D> s;
        const ManifoldOptions options{.alert = 0.06 * pair.size};
        if (!separate<D>(pair.a.view(), pair.b.view(), options.alert, {}, s)) continue;
        const auto m = manifold_of<D>(pair.a.view(), pair.b.view(), s, options);
        const std::string flaw = flaw_of<D>(pair.a.view(), pair.b.view(), s, m, options);
        if (!flaw.empty() && ++flaws < 10) ADD_FAILURE() << "pair " << k << ": " << flaw;
    }
    EXPECT_EQ(flaws, 0);
}
TEST(ManifoldOfRoundAndThinSets, KeepsItsDefinition)
{
    expect_definition_of_round_sets<2>(20000);
    expect_definition_of_round_sets<3>(20000);
}

} // namespace
} // namespace talus
