#include "talus/sampling/random_grain.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

Vec<2> random_direction(Random& random, const Vec<2>&)
{
    const double angle = random.uniform(0, 2 * M_PI);
    return {std::cos(angle), std::sin(angle)};
}

Vec<3> random_direction(Random& random, const Vec<3>&)
{
    const double height = random.uniform(-1, 1), angle = random.uniform(0, 2 * M_PI);
    const double reach = std::sqrt(1 - height * height);
    return {reach * std::cos(angle), reach * std::sin(angle), height};
}

// Mean distance of n points on the unit sphere, about.
template <int D>
double mean_spacing(int points)
{
    return D == 2 ? 2 * M_PI / points : std::sqrt(4 * M_PI / points);
}

// Points on the unit sphere, no two of them close together: very short edges are of no use to anybody.
template <int D>
std::vector<Vec<D>> scattered(int count, Random& random)
{
    double apart = 0.3 * mean_spacing<D>(count);
    std::vector<Vec<D>> points;
    while (int(points.size()) < count) {
        const Vec<D> point = random_direction(random, Vec<D>());
        const bool close = std::any_of(points.begin(), points.end(), [&](const Vec<D>& other) {
            return (point - other).squaredNorm() < apart * apart;
        });
        if (!close) points.push_back(point);
        if (close) apart *= 0.999; // ends, however many points are asked for
    }
    return points;
}

// Moves points apart along the sphere, each by its neighbours' repulsion ∝ 1/distance².
template <int D>
void spread(std::vector<Vec<D>>& points, double share)
{
    const double spacing = mean_spacing<D>(int(points.size()));
    std::vector<Vec<D>> even = points;
    constexpr int rounds = 30;
    for (int round = 0; round < rounds; ++round) {
        std::vector<Vec<D>> pushed = even;
        for (std::size_t i = 0; i < even.size(); ++i) {
            Vec<D> push = Vec<D>::Zero();
            for (std::size_t k = 0; k < even.size(); ++k) {
                const Vec<D> from = even[i] - even[k];
                const double distance = from.norm();
                if (i != k && distance > 0) push += from / (distance * distance * distance);
            }
            push -= push.dot(even[i]) * even[i];
            push *= 0.1 * spacing * spacing * spacing;
            if (const double length = push.norm(); length > 0.3 * spacing) push *= 0.3 * spacing / length;
            pushed[i] = (even[i] + push).normalized();
        }
        even = std::move(pushed);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = (points[i] + share * (even[i] - points[i])).normalized();
    }
}

// An affine image keeps the vertices and faces of a hull.
template <int D>
Polytope<D> mapped(const Polytope<D>& grain, const Mat<D>& map)
{
    std::vector<Vec<D>> vertices = grain.vertices;
    for (Vec<D>& vertex : vertices) vertex = map * vertex;
    return polytope_of_faces<D>(std::move(vertices), grain.face_offsets, grain.face_vertices);
}

Vec<2> proportions(double elongation, double, const Vec<2>&) { return {1 / elongation, 1}; }
Vec<3> proportions(double elongation, double flatness, const Vec<3>&) { return {1 / elongation, 1, flatness}; }

// Stretches the grain along its box until the sides of the box (which turns with it) are `sides`; false: never so.
template <int D>
bool stretch_to(Polytope<D>& grain, const Vec<D>& sides)
{
    constexpr int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
        const GrainBox<D> box = grain_box(grain);
        const Vec<D> factor = sides.cwiseQuotient(box.size);
        if ((factor / factor[1]).cwiseAbs().maxCoeff() < 1 + shape_tolerance &&
            (factor / factor[1]).cwiseAbs().minCoeff() > 1 - shape_tolerance) {
            grain = mapped<D>(grain, Mat<D>(factor[1] * Mat<D>::Identity()));
            return true;
        }
        grain = mapped<D>(grain, Mat<D>(box.axes * factor.asDiagonal() * box.axes.transpose()));
    }
    return false;
}

// Angles between the normals of neighbouring faces: [rad] smallest and largest.
Interval turns(const Polytope<2>& grain)
{
    Interval turn{M_PI, 0};
    for (std::size_t f = 0; f < grain.face_count(); ++f) {
        const double cosine = grain.planes[f].normal.dot(grain.planes[(f + 1) % grain.face_count()].normal);
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
        turn = {std::min(turn.low, angle), std::max(turn.high, angle)};
    }
    return turn;
}

Interval turns(const Polytope<3>& grain)
{
    Interval turn{M_PI, 0};
    for (const PolytopeEdge& edge : grain.edges) {
        const double cosine = grain.planes[edge.faces[0]].normal.dot(grain.planes[edge.faces[1]].normal);
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
        turn = {std::min(turn.low, angle), std::max(turn.high, angle)};
    }
    return turn;
}

template <int D>
double shortest_edge(const Polytope<D>& grain)
{
    double square = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < grain.face_count(); ++f) {
        const auto face = grain.face(f);
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Vec<D> edge = grain.vertices[face[(k + 1) % face.size()]] - grain.vertices[face[k]];
            square = std::min(square, edge.squaredNorm());
        }
    }
    return std::sqrt(square);
}

// Faces that are almost one, edges that are almost points and blades make contacts ill-defined.
template <int D>
bool is_sound(const Polytope<D>& grain, double sieve_size)
{
    const double count = double(grain.vertices.size());
    const Interval turn = turns(grain);
    const double least_turn = std::min(1.0, 16 / count) * M_PI / 180, blade = 5 * M_PI / 180;
    return shortest_edge(grain) > 0.4 / count * sieve_size && turn.low > least_turn && turn.high < M_PI - blade;
}

} // namespace

double Interval::draw(Random& random) const
{
    if (low == high) return low;
    if (!mode) return random.uniform(low, high);
    // the inverse of the distribution function, which is a parabola on each side of the mode
    const double share = random.uniform(), width = high - low;
    return share * width < *mode - low ? low + std::sqrt(share * width * (*mode - low))
                                       : high - std::sqrt((1 - share) * width * (high - *mode));
}

int GrainRecipe::draw_vertices(Random& random) const
{
    const int span = most_vertices - least_vertices + 1;
    return least_vertices + std::min(int(random.uniform() * span), span - 1);
}

template <int D>
Polytope<D> random_grain(const GrainRecipe& recipe, double sieve_size, Random& random)
{
    constexpr int tries = 400;
    constexpr double evenest =
        0.9; // perfectly even points put four on one circle, and the hull at the mercy of rounding
    for (int attempt = 0; attempt < tries; ++attempt) {
        const int count = recipe.draw_vertices(random);
        const double elongation = recipe.elongation.draw(random), flatness = recipe.flatness.draw(random);
        std::vector<Vec<D>> points = scattered<D>(count, random);
        spread(points, evenest * (1 - recipe.angularity));
        const Vec<D> sides = proportions(elongation, flatness, Vec<D>());
        for (Vec<D>& point : points) point = 0.5 * sides.cwiseProduct(point);
        Polytope<D> grain;
        try {
            grain = convex_hull<D>(points, 1e-6);
        } catch (const InputError&) {
            if (attempt + 1 == tries) throw;
            continue; // all of them in one plane, almost
        }
        if (int(grain.vertices.size()) != count || !stretch_to<D>(grain, sides)) continue;
        if (!is_sound(grain, 1)) continue;
        grain = mapped<D>(grain, Mat<D>(sieve_size * Mat<D>::Identity()));
        return centred(grain, mass_properties(grain));
    }
    throw InputError(fmt::format(
        "no convex {} was found in {} tries with {} to {} vertices, an elongation of {:g} to {:g}"
        "{} and an angularity of {:g}: allow more vertices or a wider range",
        D == 2 ? "polygon" : "polyhedron", tries, recipe.least_vertices, recipe.most_vertices, recipe.elongation.low,
        recipe.elongation.high,
        D == 2 ? std::string() : fmt::format(", a flatness of {:g} to {:g}", recipe.flatness.low, recipe.flatness.high),
        recipe.angularity));
}

template Polytope<2> random_grain<2>(const GrainRecipe&, double, Random&);
template Polytope<3> random_grain<3>(const GrainRecipe&, double, Random&);

} // namespace talus
