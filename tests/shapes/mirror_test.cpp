// V38: what the exact stage says of a mirrored pair is the mirror image of what it says of the pair, and the order of
// the two sets does not matter.
#include "shapes/convex_pairs.hpp"
#include "talus/shapes/manifold.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace talus {
namespace {

// Through the origin.
template <int D>
struct Mirror {
    Vec<D> normal;
    Vec<D> image(const Vec<D>& x) const { return x - 2 * normal.dot(x) * normal; }
};

// The mirror image of a set, relative to the image of its centre.
template <int D>
ConvexModel<D> image_of(const Convex<D>& set, const Mirror<D>& mirror)
{
    std::vector<Vec<D>> vertices;
    for (int v = 0; v < set.model->vertices; ++v) vertices.push_back(mirror.image(set.vertex(v)));
    if constexpr (D == 2) return model_of(hull_of<2>(vertices));
    std::vector<std::int32_t> offsets{0}, loops;
    for (int f = 0; f < set.model->faces; ++f) {
        const auto corners = set.model->corners(f);
        loops.insert(loops.end(), corners.rbegin(), corners.rend()); // a mirror turns left into right
        offsets.push_back(std::int32_t(loops.size()));
    }
    return model_of(polytope_of_faces<D>(std::move(vertices), std::move(offsets), std::move(loops)));
}

// Contact of two sets: everything in the world.
template <int D>
struct Touch {
    Separation<D> separation;
    std::vector<Vec<D>> points;
    std::vector<double> gaps;
};
template <int D>
Touch<D> touch(const Convex<D>& a, const Convex<D>& b, double alert, const Vec<D>* previous = nullptr)
{
    Touch<D> result;
    EXPECT_TRUE(separate<D>(a, b, alert, {.previous = previous}, result.separation));
    const auto manifold = manifold_of<D>(a, b, result.separation, {.alert = alert});
    for (int k = 0; k < manifold.count; ++k) {
        result.points.push_back(a.centre + manifold.points[k].point);
        result.gaps.push_back(manifold.points[k].gap);
    }
    return result;
}

template <int D>
double shortest_edge(const Convex<D>& set)
{
    double shortest = set.reach();
    for (int v = 0; v < set.model->vertices; ++v) {
        for (int w = 0; w < v; ++w) shortest = std::min(shortest, (set.vertex(v) - set.vertex(w)).norm());
    }
    return shortest;
}

// The normals of an image are made of its vertices: exact to rounding over the length of an edge.
template <int D>
double exact_normal(const Convex<D>& a, const Convex<D>& b)
{
    return std::max({1e-12, 1e-15 * a.reach() / shortest_edge(a), 1e-15 * b.reach() / shortest_edge(b)});
}

enum class Meeting { corners, edges, faces };

// A direction along which the set ends with a corner, an edge or a face.
template <int D>
Vec<D> outward(const Convex<D>& set, Meeting meeting, Random& random)
{
    const auto draw = [&](int count) { return int(random.uniform() * count); };
    if (meeting == Meeting::faces) return set.normal(draw(set.model->faces));
    if constexpr (D == 3) {
        if (meeting == Meeting::edges) {
            const ConvexEdge& edge = set.model->edges[draw(int(set.model->edges.size()))];
            const double share = random.uniform();
            const Vec<3> along = (set.vertex(edge.to) - set.vertex(edge.from)).normalized();
            const Vec<3> between = share * set.normal(edge.left) + (1 - share) * set.normal(edge.right);
            return (between - along.dot(between) * along).normalized();
        }
    }
    return random_direction<D>(random);
}

// A set and its mirror image, overlapping by `depth`.
template <int D>
std::string flaw_of_mirrored_pair(const Convex<D>& solid, const Mirror<D>& mirror, double depth, const Vec<D>& aside)
{
    double top = -std::numeric_limits<double>::infinity();
    for (int v = 0; v < solid.model->vertices; ++v) top = std::max(top, mirror.normal.dot(solid.vertex(v)));
    Convex<D> a = solid;
    a.centre = (0.5 * depth - top) * mirror.normal + aside;
    const ConvexModel<D> image = image_of(a, mirror);
    const LoneConvex<D> other(image, mirror.image(a.centre), Rotation<D>());
    const double size = a.reach(), exact = 1e-12 * size;
    const double exact_to = exact_normal<D>(a, a);
    // new, the other way round, and as it was before and a little earlier
    const Vec<D> m = mirror.normal, back = -m;
    for (const bool swapped : {false, true}) {
        for (const bool known : {false, true}) {
            const Vec<D>& direction = swapped ? back : m;
            const Touch<D> t = swapped ? touch<D>(other.view(), a, 0.01 * size, known ? &direction : nullptr)
                                       : touch<D>(a, other.view(), 0.01 * size, known ? &direction : nullptr);
            const double off = (t.separation.direction - direction).norm();
            if (!(off <= exact_to)) return fmt::format("normal off by {}", off);
            if (!(std::abs(t.separation.distance + depth) <= exact)) return fmt::format("{}", t.separation.distance);
            if (t.points.empty()) return "no point";
            const double least = *std::min_element(t.gaps.begin(), t.gaps.end());
            if (!(std::abs(least + depth) <= exact)) return fmt::format("gap {}", least);
            for (const Vec<D>& point : t.points) {
                if (!(std::abs(point.dot(m)) <= exact)) return fmt::format("a point {} off the mirror", point.dot(m));
            }
        }
    }
    return {};
}

template <int D>
void expect_symmetry(Meeting meeting)
{
    const ConvexPairs<D> pairs;
    Random random(38);
    int flaws = 0;
    for (int k = 0; k < 3000; ++k) {
        const auto pair = pairs.pair(k, k % 3 == 0 ? Arrangement::stacked : Arrangement::random); // a third are boxes
        const Convex<D> solid = pair.a.view();
        const Mirror<D> mirror{outward<D>(solid, meeting, random)};
        const double depth = k % 10 == 0 ? 0 : solid.reach() * std::pow(10, random.uniform(-12, -3));
        const Vec<D> aside = random_direction<D>(random) * random.uniform();
        const std::string flaw =
            flaw_of_mirrored_pair<D>(solid, mirror, depth, aside - aside.dot(mirror.normal) * mirror.normal);
        if (!flaw.empty() && ++flaws < 10) ADD_FAILURE() << "pair " << k << ", depth " << depth << ": " << flaw;
    }
    EXPECT_EQ(flaws, 0);
}

TEST(V38MirroredPairs, OfPolygonsMeetAlongTheNormalOfTheMirror)
{
    expect_symmetry<2>(Meeting::corners);
    expect_symmetry<2>(Meeting::faces);
}
TEST(V38MirroredPairs, OfPolyhedraMeetAlongTheNormalOfTheMirror)
{
    expect_symmetry<3>(Meeting::corners);
    expect_symmetry<3>(Meeting::edges);
    expect_symmetry<3>(Meeting::faces);
}

// Any pair: what differs between two contacts that should be the same, or nothing.
template <int D>
std::string difference(const Touch<D>& one, const Touch<D>& other, double size, double exact_normal)
{
    const double off = (one.separation.direction - other.separation.direction).norm();
    if (!(off <= exact_normal)) return fmt::format("normals differ by {}", off);
    const double apart = std::abs(one.separation.distance - other.separation.distance);
    if (!(apart <= 1e-12 * size)) return fmt::format("distances differ by {}", apart);
    // Open points beside a corner that just touches come and go by rounding. Corners closer than 1e-5 to each other are
    // one, and either stands for both.
    const auto has_points_of = [&](const Touch<D>& here, const Touch<D>& there) {
        for (std::size_t k = 0; k < there.points.size(); ++k) {
            const auto is_same = [&](const Vec<D>& point) { return (point - there.points[k]).norm() <= 2e-5 * size; };
            if (there.gaps[k] > 1e-12 * size || std::any_of(here.points.begin(), here.points.end(), is_same)) continue;
            return false;
        }
        return true;
    };
    if (!has_points_of(one, other) || !has_points_of(other, one)) return "other points";
    return {};
}

template <int D>
void expect_equivariance()
{
    const ConvexPairs<D> pairs;
    Random random(380);
    int flaws = 0;
    for (int k = 1; k < 9000; k += 3) { // those that touch
        const auto pair = pairs.pair(k, Arrangement::random);
        const Convex<D> a = pair.a.view(), b = pair.b.view();
        const double alert = 0.01 * pair.size;
        const Touch<D> first = touch<D>(a, b, alert);
        if (first.separation.has_closest) continue; // apart: a direction is known to rounding ⁄ distance
        const Mirror<D> mirror{random_direction<D>(random)};
        const ConvexModel<D> image_a = image_of(a, mirror), image_b = image_of(b, mirror);
        const LoneConvex<D> c(image_a, mirror.image(a.centre), Rotation<D>());
        const LoneConvex<D> d(image_b, mirror.image(b.centre), Rotation<D>());
        Touch<D> swapped = touch<D>(b, a, alert), image = touch<D>(c.view(), d.view(), alert);
        swapped.separation.direction *= -1;
        image.separation.direction = mirror.image(image.separation.direction);
        for (Vec<D>& point : image.points) point = mirror.image(point);
        const double exact = exact_normal(a, b);
        const std::string of_order = difference<D>(first, swapped, pair.size, exact);
        const std::string of_mirror = difference<D>(first, image, pair.size, exact);
        if (!of_order.empty() && ++flaws < 10) ADD_FAILURE() << "pair " << k << " in the other order: " << of_order;
        if (!of_mirror.empty() && ++flaws < 10) ADD_FAILURE() << "pair " << k << " in a mirror: " << of_mirror;
    }
    EXPECT_EQ(flaws, 0);
}
TEST(TouchingPairs, OfPolygonsLookTheSameInAMirrorAndInEitherOrder) { expect_equivariance<2>(); }
TEST(TouchingPairs, OfPolyhedraLookTheSameInAMirrorAndInEitherOrder) { expect_equivariance<3>(); }

} // namespace
} // namespace talus
