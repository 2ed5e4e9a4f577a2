// Corners of a contact region on their way to a manifold: merged where they coincide, reduced where they are too many.
#pragma once

#include "talus/shapes/manifold.hpp"

#include <algorithm>

namespace talus {

template <int D>
class Candidates {
  public:
    static constexpr double same = 1e-5; // of the size: corners as close as this are one

    Candidates(double size, const ManifoldOptions& options)
        : size_(size), options_(options), most_(std::min(options.most, D == 2 ? 2 : most_points))
    {
    }

    // `x`, `y`: place on the plane across the normal
    void add(double x, double y, const ManifoldPoint<D>& point)
    {
        if (!(point.gap <= options_.alert) || count_ == capacity) return;
        for (int k = 0; k < count_; ++k) {
            Corner& other = corners_[k];
            if (std::abs(other.x - x) > same * size_ || std::abs(other.y - y) > same * size_) continue;
            // two features at one place: the deeper one stands for both, then the one kept in the last step
            const double deeper = other.point.gap - point.gap, slack = 0.5 * axis_slack * size_;
            if (deeper > slack || (deeper > -slack && was_kept(point.feature) && !was_kept(other.point.feature))) {
                other = {x, y, point};
            }
            return;
        }
        corners_[count_++] = {x, y, point};
    }
    bool was_kept(std::uint32_t feature) const
    {
        for (const std::uint64_t kept : options_.previous) {
            if ((kept & 0xffffff) == feature) return true;
        }
        return false;
    }
    int count() const { return count_; }
    double least_gap() const
    {
        double gap = std::numeric_limits<double>::infinity();
        for (int k = 0; k < count_; ++k) gap = std::min(gap, corners_[k].point.gap);
        return gap;
    }

    // As many as a manifold holds: the deepest, the one farthest from it, and those that span the largest area.
    Manifold<D> reduced() const
    {
        std::array<int, most_points> chosen{};
        int kept = 0;
        if (count_ <= most_) {
            for (; kept < count_; ++kept) chosen[kept] = kept;
        } else {
            chosen[kept++] = best([&](const Corner& c) { return -c.point.gap; }, 0.5 * axis_slack * size_);
            const Corner& p = corners_[chosen[0]];
            const auto offer = [&](auto&& measure) {
                if (kept == most_) return;
                const int next = best(measure, 0);
                if (measure(corners_[next]) > 1e-12 * size_ * size_) chosen[kept++] = next;
            };
            offer([&](const Corner& c) { return (c.x - p.x) * (c.x - p.x) + (c.y - p.y) * (c.y - p.y); });
            if (kept == 2) {
                const Corner& q = corners_[chosen[1]];
                offer([&](const Corner& c) { return std::abs(area(p, q, c)); });
                if (kept == 3) {
                    const Corner& r = corners_[chosen[2]];
                    const double turn = area(p, q, r) > 0 ? 1.0 : -1.0;
                    offer([&](const Corner& c) { // how far it is outside the triangle
                        return -std::min({turn * area(p, q, c), turn * area(q, r, c), turn * area(r, p, c)});
                    });
                }
            }
            keep_old(chosen, kept);
        }
        Manifold<D> manifold;
        for (; manifold.count < kept; ++manifold.count) {
            manifold.points[manifold.count] = corners_[chosen[manifold.count]].point;
        }
        std::sort(manifold.points.begin(), manifold.points.begin() + manifold.count,
                  [](const auto& x, const auto& y) { return x.feature < y.feature; });
        return manifold;
    }

  private:
    struct Corner {
        double x, y;
        ManifoldPoint<D> point;
    };
    static double area(const Corner& p, const Corner& q, const Corner& r)
    {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    }
    // how much ground a choice covers, in some measure
    double spread(const std::array<int, most_points>& chosen, int kept) const
    {
        const auto across = [&](int i, int j, int k, int l) {
            const Corner &p = corners_[chosen[i]], &q = corners_[chosen[j]], &r = corners_[chosen[k]],
                         &s = corners_[chosen[l]];
            return std::abs((q.x - p.x) * (s.y - r.y) - (q.y - p.y) * (s.x - r.x));
        };
        if (kept == 2) {
            const Corner &p = corners_[chosen[0]], &q = corners_[chosen[1]];
            return std::hypot(q.x - p.x, q.y - p.y);
        }
        if (kept == 3) return across(0, 1, 0, 2);
        return kept == 4 ? std::max({across(0, 1, 2, 3), across(0, 2, 1, 3), across(0, 3, 1, 2)}) : 0.0;
    }
    // The corners of the last step stay together while they hold the deepest point and cover almost as much ground.
    void keep_old(std::array<int, most_points>& chosen, int kept) const
    {
        std::array<int, most_points> old{};
        int count = 0;
        double deepest = std::numeric_limits<double>::infinity();
        for (int k = 0; k < count_; ++k) {
            if (!was_kept(corners_[k].point.feature)) continue;
            if (count == kept) return;
            old[count++] = k;
            deepest = std::min(deepest, corners_[k].point.gap);
        }
        if (count < kept || deepest > least_gap() + 0.5 * axis_slack * size_) return;
        if (spread(old, kept) >= 0.9 * spread(chosen, kept)) chosen = old;
    }
    // the corner with the largest measure; one kept in the last step wins where it is as good as the best within 10 %
    // or `slack`: a manifold that stays the same keeps its impulses
    template <class Measure>
    int best(Measure&& measure, double slack) const
    {
        int first = 0, old = -1;
        for (int k = 0; k < count_; ++k) {
            if (measure(corners_[k]) > measure(corners_[first])) first = k;
            if (was_kept(corners_[k].point.feature) && (old < 0 || measure(corners_[k]) > measure(corners_[old])))
                old = k;
        }
        if (old < 0) return first;
        const double top = measure(corners_[first]), there = measure(corners_[old]);
        return there >= top - slack && (slack > 0 || there >= 0.9 * top) ? old : first;
    }

    static constexpr int capacity = 96;
    double size_;
    const ManifoldOptions& options_;
    int most_; // points in a manifold
    int count_ = 0;
    std::array<Corner, capacity> corners_;
};

// The face of `set` that looks along `direction`: of those around the highest vertex the one with the most corners at
// the top, so that it holds whatever touches; among equals the one with the most within `tolerance` of the top, then
// the one turned most towards it; −1 for a point or a rod in space.
template <int D>
TALUS_INLINE int face_towards(const Convex<D>& set, const Vec<D>& direction, double size, double tolerance)
{
    if (set.model->faces == 0) return -1;
    alignas(64) double height[padded(most_edges)]; // a polytope has more edges than vertices
    const int top_vertex = all_heights<D>(set, direction, height);
    const double top = height[top_vertex], level = top - 1e-7 * size, near = top - tolerance;
    int best = -1, most = -1;
    double turned = 0;
    for (const std::int32_t f : set.model->faces_around(top_vertex)) {
        const double towards = direction.dot(set.normal(f));
        if (!(towards > 0)) continue;
        int high = 0;
        for (const std::int32_t v : set.model->corners(f)) {
            high += 2 * most_corners * (height[v] >= level) + (height[v] >= near);
        }
        if (high > most || (high == most && towards > turned)) {
            best = f;
            most = high;
            turned = towards;
        }
    }
    return best;
}

// One point where the cut found none or missed the closest pair: the closest points themselves.
template <int D>
ManifoldPoint<D> single_point(const Convex<D>& a, const Convex<D>& b, const Separation<D>& s)
{
    const Vec<D>& d = s.direction;
    if (s.has_closest) {
        const int va = highest_vertex<D>(a, d), vb = highest_vertex<D>(b, -d);
        const Vec<D> middle = 0.5 * (s.on_a + a.rounding * d + s.on_b - b.rounding * d);
        const bool at_a = (a.vertex(va) - s.on_a).norm() <= 1e-9 * a.model->outer;
        return {middle, s.distance, at_a || a.model->vertices == 1 ? vertex_of_a(va) : vertex_of_b(vb)};
    }
    if (a.model->vertices == 1) return {(a.rounding + 0.5 * s.distance) * d, s.distance, vertex_of_a(0)};
    const int vb = highest_vertex<D>(b, -d);
    return {b.vertex(vb) + b.centre - a.centre - (b.rounding + 0.5 * s.distance) * d, s.distance, vertex_of_b(vb)};
}

} // namespace talus
