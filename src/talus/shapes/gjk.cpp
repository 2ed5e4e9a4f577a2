#include "talus/shapes/gjk.hpp"

#include <array>
#include <cmath>

namespace talus {

namespace {

// Vertices of a difference set with the weights of the point of their simplex that is closest to the origin.
struct Simplex {
    struct Corner {
        Vec<3> at;     // x_a − x_b
        int a, b;      // the two vertices
        double weight; // of the closest point
    };
    std::array<Corner, 4> corner;
    int size = 0;

    bool contains(int a, int b) const
    {
        for (int i = 0; i < size; ++i) {
            if (corner[i].a == a && corner[i].b == b) return true;
        }
        return false;
    }
    Vec<3> closest() const
    {
        Vec<3> v = corner[0].weight * corner[0].at;
        for (int i = 1; i < size; ++i) v += corner[i].weight * corner[i].at;
        return v;
    }
};

// Each keeps the corners that carry the closest point, with their weights.
TALUS_INLINE Simplex on_point(const Simplex& s, int i)
{
    Simplex r;
    r.size = 1;
    r.corner[0] = s.corner[i];
    r.corner[0].weight = 1;
    return r;
}

TALUS_INLINE Simplex on_segment(const Simplex& s, int i, int j)
{
    const Vec<3>& p = s.corner[i].at;
    const Vec<3> along = s.corner[j].at - p;
    const double length = along.squaredNorm();
    const double t = -p.dot(along);
    if (t <= 0 || length == 0) return on_point(s, i);
    if (t >= length) return on_point(s, j);
    Simplex r;
    r.size = 2;
    r.corner[0] = s.corner[i];
    r.corner[1] = s.corner[j];
    r.corner[1].weight = t / length;
    r.corner[0].weight = 1 - r.corner[1].weight;
    return r;
}

// Ericson 2005, Real-Time Collision Detection §5.1.5: Voronoi regions of a triangle
TALUS_INLINE Simplex on_triangle(const Simplex& s, int i, int j, int k)
{
    const Vec<3>&a = s.corner[i].at, &b = s.corner[j].at, &c = s.corner[k].at;
    const Vec<3> ab = b - a, ac = c - a;
    const double d1 = -ab.dot(a), d2 = -ac.dot(a);
    if (d1 <= 0 && d2 <= 0) return on_point(s, i);
    const double d3 = -ab.dot(b), d4 = -ac.dot(b);
    if (d3 >= 0 && d4 <= d3) return on_point(s, j);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return on_segment(s, i, j);
    const double d5 = -ab.dot(c), d6 = -ac.dot(c);
    if (d6 >= 0 && d5 <= d6) return on_point(s, k);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return on_segment(s, i, k);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return on_segment(s, j, k);
    const double sum = va + vb + vc;
    if (!(sum > 0)) return on_segment(s, i, j); // no area left: the bounds tell whether that was good enough
    Simplex r;
    r.size = 3;
    r.corner[0] = s.corner[i];
    r.corner[1] = s.corner[j];
    r.corner[2] = s.corner[k];
    r.corner[1].weight = vb / sum;
    r.corner[2].weight = vc / sum;
    r.corner[0].weight = 1 - r.corner[1].weight - r.corner[2].weight;
    return r;
}

TALUS_INLINE bool beyond(const Simplex& s, int i, int j, int k, int opposite)
{
    const Vec<3>& p = s.corner[i].at;
    const Vec<3> normal = (s.corner[j].at - p).cross(s.corner[k].at - p);
    const double origin = -p.dot(normal), inside = (s.corner[opposite].at - p).dot(normal);
    return origin * inside <= 0; // a flat tetrahedron is beyond all of its faces
}

// Of the faces that the origin is beyond, the closest; none: the origin is inside.
TALUS_INLINE Simplex on_tetrahedron(const Simplex& s)
{
    constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    Simplex best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& f : faces) {
        if (!beyond(s, f[0], f[1], f[2], f[3])) continue;
        const Simplex candidate = on_triangle(s, f[0], f[1], f[2]);
        const double square = candidate.closest().squaredNorm();
        if (square < least) {
            least = square;
            best = candidate;
        }
    }
    return best;
}

TALUS_INLINE Simplex nearest(const Simplex& s)
{
    switch (s.size) {
    case 1:
        return on_point(s, 0);
    case 2:
        return on_segment(s, 0, 1);
    case 3:
        return on_triangle(s, 0, 1, 2);
    default:
        return on_tetrahedron(s);
    }
}

// The normal of two edges, or of two sides of a triangle, is exact however small the gap: better than the difference of
// two points unless the edges are almost parallel.
TALUS_INLINE Vec<3> direction_across(const Vec<3>& u, const Vec<3>& w, const Vec<3>& from_a_to_b, double size)
{
    const Vec<3> normal = u.cross(w);
    const double square = normal.squaredNorm();
    if (!(square * size * size > u.squaredNorm() * w.squaredNorm() * from_a_to_b.squaredNorm())) {
        return from_a_to_b.normalized();
    }
    return normal * (std::copysign(1.0, normal.dot(from_a_to_b)) / std::sqrt(square));
}

} // namespace

TALUS_WIDE Closest closest_points(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const Vec<3>& start,
                                  double far, double touching)
{
    const double resolution = 1e-14 * (a.model->outer + b.model->outer);
    Closest result;
    Simplex simplex;
    Vec<3> v = -start; // from b to a
    double least = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 50; ++iteration) {
        const int i = highest_vertex<3>(a, -v), j = highest_vertex<3>(b, v);
        const Vec<3> w = a.vertex(i) - b.vertex(j) - offset;
        const double size = v.norm();
        if (size > 0) result.lower_bound = std::max(result.lower_bound, v.dot(w) / size);
        if (result.lower_bound > far) {
            result.on_a = v;
            result.on_b.setZero();
            result.distance = size;
            return result;
        }
        if (simplex.contains(i, j) || (simplex.size > 0 && least - result.lower_bound <= resolution)) break;
        simplex.corner[simplex.size] = {w, i, j, 0};
        ++simplex.size;
        Simplex next = nearest(simplex);
        if (next.size == 0) { // the origin is inside
            result.distance = result.lower_bound = 0;
            return result;
        }
        const Vec<3> closer = next.closest();
        const double distance = closer.norm();
        if (!(distance < least)) { // no progress: rounding
            --simplex.size;
            break;
        }
        least = distance;
        simplex = next;
        v = closer;
        if (least <= touching) break;
    }
    result.on_a.setZero();
    result.on_b = offset;
    for (int k = 0; k < simplex.size; ++k) {
        result.on_a += simplex.corner[k].weight * a.vertex(simplex.corner[k].a);
        result.on_b += simplex.corner[k].weight * b.vertex(simplex.corner[k].b);
    }
    result.distance = least;
    const auto& corner = simplex.corner;
    const Vec<3> u = simplex.size > 1 ? Vec<3>(corner[1].at - corner[0].at) : Vec<3>(Vec<3>::Zero());
    if (simplex.size == 2) v -= u * (u.dot(v) / u.squaredNorm()); // rounding, which tells as the gap closes
    result.direction = simplex.size == 3
                           ? direction_across(u, corner[2].at - corner[0].at, -v, a.model->outer + b.model->outer)
                           : Vec<3>(-v.normalized());
    if (least - result.lower_bound > resolution) {
        result.lower_bound = std::max(result.lower_bound, separation_along<3>(a, b, offset, result.direction));
    }
    return result;
}

namespace {

struct Best {
    Closest closest{Vec<3>::Zero(), Vec<3>::Zero(), Vec<3>::Zero(), std::numeric_limits<double>::infinity(), 0};
    void offer(const Vec<3>& on_a, const Vec<3>& on_b)
    {
        const double distance = (on_a - on_b).norm();
        if (distance < closest.distance) closest = {on_a, on_b, (on_b - on_a) / distance, distance, distance};
    }
    // of two edges
    void offer(const Vec<3>& on_a, const Vec<3>& on_b, const Vec<3>& u, const Vec<3>& w, double size)
    {
        if (!((on_a - on_b).norm() < closest.distance)) return;
        offer(on_a, on_b);
        closest.direction = direction_across(u, w, on_b - on_a, size);
    }
};

Vec<3> on_edge(const Vec<3>& p, const Vec<3>& from, const Vec<3>& to)
{
    const Vec<3> along = to - from;
    const double length = along.squaredNorm();
    return from + (length > 0 ? std::clamp((p - from).dot(along) / length, 0.0, 1.0) : 0.0) * along;
}

// `p` is a vertex of one set, `set` the other at `shift`; offer(p, closest) for each of its features
template <class Offer>
void point_and_set(const Vec<3>& p, const Convex<3>& set, const Vec<3>& shift, Offer&& offer)
{
    for (int v = 0; v < set.model->vertices; ++v) offer(Vec<3>(set.vertex(v) + shift));
    for (const ConvexEdge& edge : set.model->edges) {
        offer(on_edge(p, set.vertex(edge.from) + shift, set.vertex(edge.to) + shift));
    }
    for (int f = 0; f < set.model->faces; ++f) {
        const Vec<3> normal = set.normal(f);
        const auto corners = set.model->corners(f);
        bool inside = true;
        for (std::size_t k = 0; k < corners.size() && inside; ++k) {
            const Vec<3> from = set.vertex(corners[k]) + shift;
            const Vec<3> to = set.vertex(corners[(k + 1) % corners.size()]) + shift;
            inside = normal.cross(to - from).dot(p - from) >= 0;
        }
        if (inside) offer(Vec<3>(p - normal.dot(p - shift - set.vertex(corners[0])) * normal));
    }
}

} // namespace

Closest closest_features(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset)
{
    Best best;
    for (int v = 0; v < a.model->vertices; ++v) {
        const Vec<3> p = a.vertex(v);
        point_and_set(p, b, offset, [&](const Vec<3>& q) { best.offer(p, q); });
    }
    for (int v = 0; v < b.model->vertices; ++v) {
        const Vec<3> p = b.vertex(v) + offset;
        point_and_set(p, a, Vec<3>::Zero(), [&](const Vec<3>& q) { best.offer(q, p); });
    }
    for (const ConvexEdge& e : a.model->edges) {
        const Vec<3> p = a.vertex(e.from), u = a.vertex(e.to) - p;
        for (const ConvexEdge& f : b.model->edges) {
            const Vec<3> q = b.vertex(f.from) + offset, w = b.vertex(f.to) + offset - q;
            const Vec<3> normal = u.cross(w);
            const double ww = w.squaredNorm(), square = normal.squaredNorm();
            if (!(square > 1e-24 * u.squaredNorm() * ww)) continue; // parallel: an end of one is as close
            double s = std::clamp((q - p).cross(w).dot(normal) / square, 0.0, 1.0);
            const Vec<3> rest = on_edge(p + s * u, q, q + w) - p - s * u; // almost parallel: the first step is inexact
            s += rest.cross(w).dot(normal) / square;
            const Vec<3> on_a = p + s * u;
            const double t = w.dot(on_a - q) / ww;
            if (!(s > 0 && s < 1 && t > 0 && t < 1)) continue; // a vertex of one and the other edge
            best.offer(on_a, q + t * w, u, w, a.model->outer + b.model->outer);
        }
    }
    return best.closest;
}

} // namespace talus
