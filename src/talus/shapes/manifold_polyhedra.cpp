// Manifolds in space: the two faces that look at each other, projected along the normal, are convex polygons; the
// corners of their common region are vertices of one inside the other and crossings of their sides.
#include "talus/shapes/manifold_candidates.hpp"
#include "talus/shapes/projection.hpp"

namespace talus {

namespace {

// A face, or a rod, seen along the normal: counter-clockwise with the normal as height.
struct Outline {
    int corners = 0, sides = 0;
    std::array<double, most_corners> x, y, height;
    std::array<std::int32_t, most_corners> vertex, edge; // the edge from this corner to the next
    double slope_x = 0, slope_y = 0, level = 0;          // of its plane
    double lowest = 0, highest = 0;

    double height_at(double at_x, double at_y) const // inside the outline
    {
        return std::clamp(level + slope_x * at_x + slope_y * at_y, lowest, highest);
    }
};

TALUS_INLINE Outline outline_of(const Convex<3>& set, const Vec<3>& shift, const Vec<3>& towards, const Mat<3>& frame,
                                double size, double tolerance)
{
    Outline outline;
    const int face = face_towards<3>(set, towards, size, tolerance);
    const Vec<3> up = frame.col(0), t = frame.col(1), s = frame.col(2);
    const auto add = [&](std::int32_t v, std::int32_t edge) __attribute__((always_inline))
    {
        const Vec<3> p = set.vertex(v) + shift;
        const int k = outline.corners++;
        outline.x[k] = p.dot(t);
        outline.y[k] = p.dot(s);
        outline.height[k] = p.dot(up);
        outline.vertex[k] = v;
        outline.edge[k] = edge;
        outline.lowest = k == 0 ? outline.height[k] : std::min(outline.lowest, outline.height[k]);
        outline.highest = k == 0 ? outline.height[k] : std::max(outline.highest, outline.height[k]);
    };
    if (face < 0) { // a rod
        add(0, 0);
        add(1, 0);
        outline.sides = 1;
        return outline;
    }
    const auto corners = set.model->corners(face);
    const auto side = set.model->sides(face);
    const int n = int(corners.size());
    const bool reversed = towards.dot(up) < 0; // its outside looks down: seen from above it runs clockwise
    for (int k = 0; k < n; ++k) {
        reversed ? add(corners[n - 1 - k], side[(2 * n - 2 - k) % n]) : add(corners[k], side[k]);
    }
    outline.sides = n;
    const Vec<3> normal = set.normal(face);
    const double rise = normal.dot(up);
    outline.slope_x = -normal.dot(t) / rise;
    outline.slope_y = -normal.dot(s) / rise;
    outline.level = outline.height[0] - outline.slope_x * outline.x[0] - outline.slope_y * outline.y[0];
    return outline;
}

// Signed area between each side of one outline and each corner of the other: > 0 to the left.
struct Sides {
    std::array<std::array<double, most_corners>, most_corners> area; // [corner][side]
    std::array<double, most_corners> slack;                          // per side: what counts as on it
};

TALUS_INLINE void measure_sides(const Outline& corners, const Outline& sides, double tolerance, Sides& result)
{
    for (int j = 0; j < sides.sides; ++j) {
        const int next = j + 1 == sides.corners ? 0 : j + 1;
        const double ux = sides.x[next] - sides.x[j], uy = sides.y[next] - sides.y[j];
        result.slack[j] = tolerance * (std::abs(ux) + std::abs(uy));
        for (int i = 0; i < corners.corners; ++i) {
            result.area[i][j] = ux * (corners.y[i] - sides.y[j]) - uy * (corners.x[i] - sides.x[j]);
        }
    }
}

// `times`: so much more slack
TALUS_INLINE bool is_inside(const Sides& sides, const Outline& outline, int corner, double times = 1)
{
    if (outline.corners < 3) return false;
    for (int j = 0; j < outline.sides; ++j) {
        if (sides.area[corner][j] < -times * sides.slack[j]) return false;
    }
    return true;
}

// `tolerance`: what counts as inside an outline
TALUS_WIDE void cut(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const Vec<3>& d, double alert,
                    double size, double tolerance, Candidates<3>& candidates)
{
    const Mat<3> frame = frame_of(d); // columns d, t, s with t × s = d
    const Outline of_a = outline_of(a, Vec<3>::Zero(), d, frame, size, alert);
    const Outline of_b = outline_of(b, offset, -d, frame, size, alert);
    Sides a_by_b, b_by_a;
    measure_sides(of_a, of_b, tolerance, a_by_b);
    measure_sides(of_b, of_a, tolerance, b_by_a);
    const auto add = [&](double x, double y, double height_a, double height_b, std::uint32_t feature) {
        const double low = height_a + a.rounding, high = height_b - b.rounding;
        if (high - low > alert) return;
        const Vec<3> point = x * frame.col(1) + y * frame.col(2) + 0.5 * (low + high) * d;
        candidates.add(x, y, {point, high - low, feature});
    };
    // a vertex of the last step does not give way at once to the crossings beside it
    const double patience = Candidates<3>::same * size / tolerance;
    const auto counts = [&](const Sides& sides, const Outline& outline, int corner, std::uint32_t feature) {
        return is_inside(sides, outline, corner) ||
               (candidates.was_kept(feature) && is_inside(sides, outline, corner, patience));
    };
    for (int i = 0; i < of_a.corners; ++i) {
        if (!counts(a_by_b, of_b, i, vertex_of_a(of_a.vertex[i]))) continue;
        add(of_a.x[i], of_a.y[i], of_a.height[i], of_b.height_at(of_a.x[i], of_a.y[i]), vertex_of_a(of_a.vertex[i]));
    }
    for (int j = 0; j < of_b.corners; ++j) {
        if (!counts(b_by_a, of_a, j, vertex_of_b(of_b.vertex[j]))) continue;
        add(of_b.x[j], of_b.y[j], of_a.height_at(of_b.x[j], of_b.y[j]), of_b.height[j], vertex_of_b(of_b.vertex[j]));
    }
    for (int i = 0; i < of_a.sides; ++i) {
        const int i1 = i + 1 == of_a.corners ? 0 : i + 1;
        for (int j = 0; j < of_b.sides; ++j) {
            const double s0 = a_by_b.area[i][j], s1 = a_by_b.area[i1][j];
            if (!(s0 * s1 < 0)) continue;
            const int j1 = j + 1 == of_b.corners ? 0 : j + 1;
            const double r0 = b_by_a.area[j][i], r1 = b_by_a.area[j1][i];
            if (!(r0 * r1 < 0)) continue;
            // one along the other: their ends are the corners
            if (std::abs(s0 - s1) <= 2 * a_by_b.slack[j] || std::abs(r0 - r1) <= 2 * b_by_a.slack[i]) continue;
            const double u = s0 / (s0 - s1), w = r0 / (r0 - r1);
            add(of_a.x[i] + u * (of_a.x[i1] - of_a.x[i]), of_a.y[i] + u * (of_a.y[i1] - of_a.y[i]),
                of_a.height[i] + u * (of_a.height[i1] - of_a.height[i]),
                of_b.height[j] + w * (of_b.height[j1] - of_b.height[j]), edge_pair(of_a.edge[i], of_b.edge[j]));
        }
    }
}

} // namespace

template <>
Manifold<3> manifold_of(const Convex<3>& a, const Convex<3>& b, const Separation<3>& s, const ManifoldOptions& options)
{
    const double size = std::min(a.reach(), b.reach());
    Candidates<3> candidates(size, options);
    const auto misses_closest = [&] {
        return candidates.count() == 0 || candidates.least_gap() > s.distance + 1e-6 * size;
    };
    if (a.model->vertices > 1 && b.model->vertices > 1) {
        const Vec<3> offset = b.centre - a.centre;
        cut(a, b, offset, s.direction, options.alert, size, 1e-9 * size, candidates);
        // corners that tie are above each other but for what lets axes tie
        if (s.tied && misses_closest()) {
            cut(a, b, offset, s.direction, options.alert, size, 2 * axis_slack * size, candidates);
        }
    }
    if (!options.only_over_each_other && misses_closest()) {
        const Mat<3> frame = frame_of(s.direction);
        const ManifoldPoint<3> closest = single_point<3>(a, b, s);
        candidates.add(closest.point.dot(frame.col(1)), closest.point.dot(frame.col(2)), closest);
    }
    return candidates.reduced();
}

template <>
Manifold<3> manifold_on_wall(const Convex<3>& a, const Vec<3>& normal, double height, const ManifoldOptions& options)
{
    const Mat<3> frame = frame_of(normal);
    Candidates<3> candidates(a.reach(), options);
    for (int v = 0; v < a.model->vertices; ++v) {
        const Vec<3> p = a.vertex(v);
        const double gap = p.dot(normal) - height - a.rounding;
        if (gap > options.alert) continue;
        candidates.add(p.dot(frame.col(1)), p.dot(frame.col(2)),
                       {p - (a.rounding + 0.5 * gap) * normal, gap, vertex_of_a(v)});
    }
    return candidates.reduced();
}

} // namespace talus
