// The exact stage against a brute-force reference in long double, on the same turned vertices.
#include "shapes/convex_pairs.hpp"
#include "shapes/reference_separation.hpp"
#include "talus/math/random_rotation.hpp"
#include "talus/shapes/manifold.hpp"
#include "talus/shapes/tied_axes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace talus {
namespace {

constexpr double far_enough = 100; // [m] every pair is closer

// What `separate` claims: the first claim that does not hold, or nothing.
template <int D>
std::string flaw_of(const Convex<D>& a, const Convex<D>& b)
{
    const double size = std::min(a.reach(), b.reach()), rounding = a.rounding + b.rounding;
    const double exact = 1e-9 * size;
    const ReferenceSeparation<D> reference = reference_separation<D>(a, b);
    double distance = double(reference.distance) - rounding;
    Separation<D> s;
    if (!separate<D>(a, b, far_enough, {}, s)) return "too far";
    if (s.tied) { // the middle of several axes: the overlap along it
        if (!(s.distance <= distance + exact && s.distance >= -shallow * size - rounding)) {
            return fmt::format("{} along the middle of axes with {}", s.distance, distance);
        }
        distance = double(reference_separation_along<D>(a, b, s.direction.template cast<long double>())) - rounding;
    }
    if (!(std::abs(s.distance - distance) <= exact)) return fmt::format("{}, reference {}", s.distance, distance);
    if (!(std::abs(s.direction.norm() - 1) <= 1e-15)) return fmt::format("direction of length {}", s.direction.norm());
    // what its own direction shows; one between two points is known to 2e-16 of both sizes ⁄ distance (≥ 1e-10 of them)
    const auto along = [&](const Vec<D>& direction) {
        return double(reference_separation_along<D>(a, b, LongVec<D>(direction.template cast<long double>()))) -
               rounding;
    };
    const bool thin = a.model->thin && b.model->thin && reference.overlaps;
    if (!thin && !(std::abs(along(s.direction) - distance) <= 5e-6 * size)) {
        return fmt::format("{} along its direction, reference {}", along(s.direction), distance);
    }

    Separation<D> mirrored;
    separate<D>(b, a, far_enough, {}, mirrored);
    if (!(std::abs(mirrored.distance - s.distance) <= exact)) return fmt::format("{} mirrored", mirrored.distance);
    const bool opposite = (mirrored.direction + s.direction).norm() <= 1e-6;
    if (!opposite && !thin && along(-mirrored.direction) < distance - 5e-6 * size) return "mirrored along another axis";

    Separation<D> again;
    separate<D>(a, b, far_enough, {.previous = &s.direction}, again);
    if (!(std::abs(again.distance - distance) <= axis_slack * size)) return fmt::format("{} held", again.distance);
    return {};
}

// 10⁵ pairs of polyhedra with 8 to 40 vertices, and as many of polygons with 3 to 12.
class Separations : public testing::TestWithParam<Arrangement> {};
INSTANTIATE_TEST_SUITE_P(All, Separations, testing::ValuesIn(all_arrangements),
                         [](const auto& instance) { return test_name_of(instance.param); });

template <int D>
void expect_as_reference(Arrangement arrangement)
{
    const ConvexPairs<D> pairs;
    int flaws = 0;
    for (int k = 0; k < pairs_per_arrangement; ++k) {
        const auto pair = pairs.pair(k, arrangement);
        const std::string flaw = flaw_of<D>(pair.a.view(), pair.b.view());
        if (!flaw.empty() && ++flaws < 10)
            ADD_FAILURE() << "pair " << k << ", " << name_of(pair.nearness) << ": " << flaw;
    }
    EXPECT_EQ(flaws, 0);
}
TEST_P(Separations, OfPolyhedraAreThoseOfTheReference) { expect_as_reference<3>(GetParam()); }
TEST_P(Separations, OfPolygonsAreThoseOfTheReference) { expect_as_reference<2>(GetParam()); }

template <int D>
void expect_round_sets_as_reference(int count)
{
    const RoundPairs<D> pairs;
    int flaws = 0;
    for (int k = 0; k < count; ++k) {
        const auto pair = pairs.pair(k);
        const std::string flaw = flaw_of<D>(pair.a.view(), pair.b.view());
        if (!flaw.empty() && ++flaws < 10) ADD_FAILURE() << "pair " << k << ": " << flaw;
    }
    EXPECT_EQ(flaws, 0);
}
TEST(SeparationOfRoundAndThinSets, IsThatOfTheReference)
{
    expect_round_sets_as_reference<2>(30000);
    expect_round_sets_as_reference<3>(30000);
}

TEST(Separation, AgreesWithItselfOnWhatIsFar)
{
    const ConvexPairs<3> pairs;
    for (int k = 0; k < 6000; ++k) {
        const auto pair = pairs.pair(k, Arrangement::random);
        const Convex<3> a = pair.a.view(), b = pair.b.view();
        Separation<3> full, near;
        separate<3>(a, b, far_enough, {}, full);
        for (const double alert : {0.5 * full.distance, 0.9 * full.distance, 1.1 * full.distance}) {
            if (full.distance < 1e-6 * pair.size) continue;
            const bool close = separate<3>(a, b, alert, {}, near);
            EXPECT_EQ(close, full.distance <= alert);
            if (close) continue;
            // the direction that showed it is a witness
            EXPECT_GT(reference_separation_along<3>(a, b, LongVec<3>(near.direction.cast<long double>())), alert);
            EXPECT_TRUE(is_parted<3>(a, b, alert, near.direction));
        }
    }
}

// Finite and of unit direction, with a manifold that is finite too.
template <int D>
std::string oddity_of(const Convex<D>& a, const Convex<D>& b)
{
    Separation<D> s;
    const double alert = 0.05 * std::min(a.reach(), b.reach());
    for (const double within : {alert, far_enough}) {
        if (!separate<D>(a, b, within, {}, s)) continue;
        if (!std::isfinite(s.distance) || !(std::abs(s.direction.norm() - 1) < 1e-12)) return "separation";
        const auto m = manifold_of<D>(a, b, s, {.alert = within});
        if (m.count < 1) return "no point";
        for (int k = 0; k < m.count; ++k) {
            if (!m.points[k].point.allFinite() || !std::isfinite(m.points[k].gap)) return "manifold";
        }
    }
    return {};
}

std::vector<ConvexModel<3>> awkward_solids()
{
    Random random(5);
    std::vector<ConvexModel<3>> solids;
    const auto stretched = [&](int points, const Vec<3>& stretch) {
        std::vector<Vec<3>> cloud;
        for (int k = 0; k < points; ++k) cloud.push_back(random_direction<3>(random).cwiseProduct(stretch));
        return hull_of<3>(cloud);
    };
    for (const double flat : {1e-2, 1e-4, 1e-6}) solids.push_back(model_of(stretched(20, {1, 1, flat}))); // slivers
    for (const double thin : {1e-2, 1e-3}) solids.push_back(model_of(stretched(12, {1, thin, thin})));    // needles
    solids.push_back(model_of(box<3>({1, 1, 1e-3})));
    solids.push_back(model_of(box<3>({1, 1e-3, 1e-3})));
    std::vector<Vec<3>> coplanar; // a grid on each side of a cube
    for (int i = 0; i < 27; ++i) coplanar.emplace_back(i % 3 * 0.5, i / 3 % 3 * 0.5, i / 9 * 0.5);
    solids.push_back(model_of(hull_of<3>(coplanar)));
    for (Vec<3>& p : coplanar) p += 1e-9 * random_direction<3>(random); // almost coplanar
    solids.push_back(model_of(hull_of<3>(coplanar)));
    solids.push_back(model_of(stretched(30, {1e-3, 1e-3, 1e-3}))); // 1:1000
    solids.push_back(model_of(stretched(30, {1, 1, 1})));
    solids.push_back(model_of_segment<3>({1, 0, 0}));
    solids.push_back(model_of_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
    solids.push_back(model_of_triangle({0, 0, 0}, {1, 0, 0}, {0.5, 1e-4, 0}));
    solids.push_back(model_of_point<3>());
    return solids;
}

TEST(Separation, IsFiniteForAwkwardSolids)
{
    const auto solids = awkward_solids();
    Random random(6);
    int odd = 0;
    for (std::size_t i = 0; i < solids.size(); ++i) {
        for (std::size_t j = 0; j < solids.size(); ++j) {
            for (int k = 0; k < 200; ++k) {
                const Rotation<3> turn = k % 4 < 2 ? Rotation<3>() : random_rotation<3>(random);
                const Rotation<3> other = k % 2 == 0 ? turn : random_rotation<3>(random);
                Vec<3> offset = Vec<3>::Zero(); // identical positions
                if (k >= 40)
                    offset = random_direction<3>(random) * random.uniform() * (solids[i].outer + solids[j].outer);
                const auto a = lone(solids[i], Vec<3>(Vec<3>::Zero()), turn), b = lone(solids[j], offset, other);
                const std::string oddity = oddity_of<3>(a.view(), b.view());
                if (oddity.empty() || ++odd > 10) continue;
                ADD_FAILURE() << "solids " << i << " and " << j << ", " << k << ": " << oddity;
            }
        }
    }
    EXPECT_EQ(odd, 0);
}

TEST(Separation, IsThatOfTheReferenceForSliversNeedlesAndAThousandthOfTheSize)
{
    const auto solids = awkward_solids();
    Random random(7);
    double worst = 0; // of the sum of the sizes
    for (std::size_t i = 0; i < solids.size(); ++i) {
        for (std::size_t j = 0; j < solids.size(); ++j) {
            if (solids[i].thin && solids[j].thin) continue;
            for (int k = 0; k < 60; ++k) {
                const double reach = solids[i].outer + solids[j].outer;
                const Vec<3> offset = random_direction<3>(random) * random.uniform() * reach;
                const auto a = lone(solids[i], Vec<3>(Vec<3>::Zero()), random_rotation<3>(random));
                const auto b = lone(solids[j], offset, random_rotation<3>(random));
                Separation<3> s;
                separate<3>(a.view(), b.view(), far_enough, {}, s);
                const double error = s.distance - double(reference_separation<3>(a.view(), b.view()).distance);
                worst = std::max(worst, std::abs(error) / reach);
            }
        }
    }
    // vertices that are coplanar to 1e-10 of the size are one face, whose normal is that of no three of them
    EXPECT_LT(worst, 1e-9);
}

} // namespace
} // namespace talus
