// Manifolds in the plane: the edges that look at each other, projected on the tangent, share an interval.
#include "talus/shapes/manifold_candidates.hpp"
#include "talus/shapes/projection.hpp"

namespace talus {

namespace {

struct Side {
    // ends by growing x
    std::array<double, 2> x, height;
    std::array<std::int32_t, 2> vertex;
    double height_at(double at) const
    {
        const double length = x[1] - x[0];
        return length > 0 ? height[0] + (height[1] - height[0]) * std::clamp((at - x[0]) / length, 0.0, 1.0)
                          : height[0];
    }
};

// the side of `set` that looks along `d`; heights are along `up`, places along `t`
Side side_towards(const Convex<2>& set, const Vec<2>& shift, const Vec<2>& d, const Vec<2>& up, const Vec<2>& t,
                  double size, double tolerance)
{
    const int face = face_towards<2>(set, d, size, tolerance);
    std::array<std::int32_t, 2> ends{0, 0};
    if (face >= 0) ends = {set.model->corners(face)[0], set.model->corners(face)[1]};
    Side side;
    for (int k = 0; k < 2; ++k) {
        const Vec<2> p = set.vertex(ends[k]) + shift;
        side.x[k] = p.dot(t);
        side.height[k] = p.dot(up);
        side.vertex[k] = ends[k];
    }
    if (side.x[0] > side.x[1]) {
        std::swap(side.x[0], side.x[1]);
        std::swap(side.height[0], side.height[1]);
        std::swap(side.vertex[0], side.vertex[1]);
    }
    return side;
}

} // namespace

template <>
Manifold<2> manifold_of(const Convex<2>& a, const Convex<2>& b, const Separation<2>& s, const ManifoldOptions& options)
{
    const Vec<2>& d = s.direction;
    const Vec<2> t(-d[1], d[0]), offset = b.centre - a.centre;
    const double size = std::min(a.reach(), b.reach());
    Candidates<2> candidates(size, options);
    if (a.model->vertices > 1 && b.model->vertices > 1) {
        const Side of_a = side_towards(a, Vec<2>::Zero(), d, d, t, size, options.alert);
        const Side of_b = side_towards(b, offset, -d, d, t, size, options.alert);
        const auto add = [&](double x, std::uint32_t feature) {
            const double low = of_a.height_at(x) + a.rounding, high = of_b.height_at(x) - b.rounding;
            candidates.add(x, 0, {x * t + 0.5 * (low + high) * d, high - low, feature});
        };
        const double low = std::max(of_a.x[0], of_b.x[0]), high = std::min(of_a.x[1], of_b.x[1]);
        // the vertex that ends the interval; of two at one place the one of the last step
        const auto feature = [&](int end, double x) {
            const std::uint32_t of_first = vertex_of_a(of_a.vertex[end]), of_second = vertex_of_b(of_b.vertex[end]);
            const bool same = std::abs(of_a.x[end] - of_b.x[end]) <= Candidates<2>::same * size;
            if (same && candidates.was_kept(of_first) != candidates.was_kept(of_second)) {
                return candidates.was_kept(of_first) ? of_first : of_second;
            }
            return x == of_a.x[end] ? of_first : of_second;
        };
        // two vertices that touch are above each other but for rounding, or for what lets axes tie
        if (low <= high + (s.tied ? 2 * axis_slack : 1e-9) * size) {
            add(low, feature(0, low));
            add(high, feature(1, high));
        }
    }
    if (!options.only_over_each_other &&
        (candidates.count() == 0 || candidates.least_gap() > s.distance + 1e-6 * size)) {
        const ManifoldPoint<2> closest = single_point<2>(a, b, s);
        candidates.add(closest.point.dot(t), 0, closest);
    }
    return candidates.reduced();
}

template <>
Manifold<2> manifold_on_wall(const Convex<2>& a, const Vec<2>& normal, double height, const ManifoldOptions& options)
{
    // the side that looks at the wall; a wall has no ends
    const Vec<2> t(-normal[1], normal[0]);
    Candidates<2> candidates(a.reach(), options);
    for (int v = 0; v < a.model->vertices; ++v) {
        const Vec<2> p = a.vertex(v);
        const double gap = p.dot(normal) - height - a.rounding;
        candidates.add(p.dot(t), 0, {p - (a.rounding + 0.5 * gap) * normal, gap, vertex_of_a(v)});
    }
    return candidates.reduced();
}

} // namespace talus
