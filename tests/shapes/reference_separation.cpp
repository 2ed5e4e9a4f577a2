#include "shapes/reference_separation.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace talus {

namespace {

template <int D>
struct Features {
    std::vector<LongVec<D>> vertices;
    std::vector<std::pair<int, int>> edges;
    std::vector<std::vector<int>> faces;
    std::vector<LongVec<D>> normals; // made of the vertices: those of the set are not trusted
};

// the area vector of a loop, or the outward normal of an edge of a polygon
LongVec<3> normal_of(const Features<3>& set, const std::vector<int>& loop)
{
    LongVec<3> area = LongVec<3>::Zero();
    for (std::size_t k = 2; k < loop.size(); ++k) {
        area +=
            (set.vertices[loop[k - 1]] - set.vertices[loop[0]]).cross(set.vertices[loop[k]] - set.vertices[loop[0]]);
    }
    return area;
}
LongVec<2> normal_of(const Features<2>& set, const std::vector<int>& ends)
{
    const LongVec<2> along = set.vertices[ends[1]] - set.vertices[ends[0]];
    return {along[1], -along[0]};
}

template <int D>
Features<D> features_of(const Convex<D>& set, const LongVec<D>& shift)
{
    Features<D> features;
    for (int v = 0; v < set.model->vertices; ++v) {
        features.vertices.push_back(set.vertex(v).template cast<long double>() + shift);
    }
    for (int f = 0; f < set.model->faces; ++f) {
        const auto corners = set.model->corners(f);
        features.faces.emplace_back(corners.begin(), corners.end());
        const LongVec<D> normal = normal_of(features, features.faces.back());
        features.normals.push_back(normal.squaredNorm() > 0 ? LongVec<D>(normal.normalized()) : normal);
        if constexpr (D == 2) features.edges.emplace_back(corners[0], corners[1]);
    }
    if constexpr (D == 3) {
        for (const ConvexEdge& edge : set.model->edges) features.edges.emplace_back(edge.from, edge.to);
    }
    return features;
}

// b's lowest vertex less a's highest, all of them.
template <int D>
long double separation_along(const Features<D>& a, const Features<D>& b, const LongVec<D>& direction)
{
    long double top = -std::numeric_limits<long double>::infinity(), bottom = -top;
    for (const auto& p : a.vertices) top = std::max(top, direction.dot(p));
    for (const auto& q : b.vertices) bottom = std::min(bottom, direction.dot(q));
    return bottom - top;
}

// Of all axes offered the one with the largest separation.
template <int D>
class BestAxis {
  public:
    BestAxis(const Features<D>& a, const Features<D>& b) : a_(a), b_(b), witness_{b.vertices[0] - a.vertices[0], {}}
    {
        witness_[1] = witness_[0];
    }
    long double separation() const { return separation_; }
    const LongVec<D>& direction() const { return direction_; }

    // both senses of an axis of any length
    void offer(const LongVec<D>& axis)
    {
        const long double square = axis.squaredNorm();
        if (!(square > 0)) return;
        for (const int sense : {0, 1}) {
            const LongVec<D> along = sense == 0 ? axis : LongVec<D>(-axis);
            // any two vertices bound the separation from above: try first those that ruled out the last axis
            if (is_below_best(along.dot(witness_[sense]), square)) continue;
            const long double length = std::sqrt(square), floor = separation_ * length;
            const long double here = least_difference(along, floor, witness_[sense]);
            if (here <= floor) continue;
            separation_ = here / length;
            direction_ = along / length;
        }
    }

  private:
    // x / √square < separation
    bool is_below_best(long double x, long double square) const
    {
        const long double limit = separation_ * separation_ * square;
        return separation_ > 0 ? x < 0 || x * x < limit : x < 0 && x * x > limit;
    }
    // b's lowest vertex less a's highest. It only falls from vertex to vertex: below `floor` it need not go on.
    long double least_difference(const LongVec<D>& along, long double floor, LongVec<D>& witness) const
    {
        std::size_t top = 0, bottom = 0;
        long double highest = along.dot(a_.vertices[0]), lowest = along.dot(b_.vertices[0]);
        for (std::size_t k = 1; k < std::max(a_.vertices.size(), b_.vertices.size()) && lowest - highest >= floor;
             ++k) {
            if (k < a_.vertices.size() && along.dot(a_.vertices[k]) > highest) {
                highest = along.dot(a_.vertices[k]);
                top = k;
            }
            if (k < b_.vertices.size() && along.dot(b_.vertices[k]) < lowest) {
                lowest = along.dot(b_.vertices[k]);
                bottom = k;
            }
        }
        witness = b_.vertices[bottom] - a_.vertices[top];
        return lowest - highest;
    }

    const Features<D>&a_, &b_;
    std::array<LongVec<D>, 2> witness_;
    long double separation_ = -std::numeric_limits<long double>::infinity();
    LongVec<D> direction_ = LongVec<D>::Zero();
};

template <int D>
BestAxis<D> best_axis(const Features<D>& a, const Features<D>& b)
{
    BestAxis<D> best(a, b);
    for (const auto& normal : a.normals) best.offer(normal);
    for (const auto& normal : b.normals) best.offer(normal);
    if constexpr (D == 3) {
        for (const auto& [i, j] : a.edges) {
            const LongVec<D> u = a.vertices[j] - a.vertices[i];
            for (const auto& [k, l] : b.edges) best.offer(u.cross(b.vertices[l] - b.vertices[k]));
        }
    }
    return best;
}

template <int D>
struct ClosestFeatures {
    long double square = std::numeric_limits<long double>::infinity();
    LongVec<D> from_a_to_b = LongVec<D>::Zero();
    void offer(const LongVec<D>& on_a, const LongVec<D>& on_b)
    {
        const LongVec<D> between = on_b - on_a;
        if (between.squaredNorm() >= square) return;
        square = between.squaredNorm();
        from_a_to_b = between;
    }
};

template <int D>
LongVec<D> nearest_on_edge(const LongVec<D>& p, const LongVec<D>& from, const LongVec<D>& to)
{
    const LongVec<D> along = to - from;
    const long double length = along.squaredNorm();
    return from + (length > 0 ? std::clamp(along.dot(p - from) / length, 0.0L, 1.0L) : 0.0L) * along;
}

std::optional<LongVec<3>> foot_on_face(const LongVec<3>& p, const Features<3>& set, std::size_t f)
{
    const LongVec<3>& normal = set.normals[f];
    const auto& loop = set.faces[f];
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const LongVec<3>&from = set.vertices[loop[k]], &to = set.vertices[loop[(k + 1) % loop.size()]];
        if (normal.cross(to - from).dot(p - from) < 0) return {};
    }
    return p - normal.dot(p - set.vertices[loop[0]]) * normal;
}

// Feet inside both edges; where there are none, a vertex of one is closest to the other.
std::optional<std::pair<LongVec<3>, LongVec<3>>> feet_of_edges(const LongVec<3>& p, const LongVec<3>& u,
                                                               const LongVec<3>& q, const LongVec<3>& w)
{
    const LongVec<3> cross = u.cross(w), between = q - p;
    const long double square = cross.squaredNorm();
    if (!(square > 0)) return {};
    const long double s = between.cross(w).dot(cross) / square, t = between.cross(u).dot(cross) / square;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return {};
    return std::pair{LongVec<3>(p + s * u), LongVec<3>(q + t * w)};
}

// All pairs of features but those whose gap along an axis, which is a lower bound, exceeds a distance already found.
template <int D>
ClosestFeatures<D> closest_features(const Features<D>& a, const Features<D>& b, const LongVec<D>& axis)
{
    ClosestFeatures<D> best;
    for (const auto& p : a.vertices) {
        for (const auto& q : b.vertices) best.offer(p, q);
    }
    const auto may_be_closer = [&](long double top_of_a, long double bottom_of_b) {
        const long double gap = bottom_of_b - top_of_a;
        return !(gap > 0 && gap * gap > best.square);
    };
    std::vector<long double> height_a, height_b;
    for (const auto& p : a.vertices) height_a.push_back(axis.dot(p));
    for (const auto& q : b.vertices) height_b.push_back(axis.dot(q));
    const auto top = [&](const auto& edge) { return std::max(height_a[edge.first], height_a[edge.second]); };
    const auto bottom = [&](const auto& edge) { return std::min(height_b[edge.first], height_b[edge.second]); };
    for (std::size_t i = 0; i < a.vertices.size(); ++i) {
        for (const auto& edge : b.edges) {
            if (!may_be_closer(height_a[i], bottom(edge))) continue;
            best.offer(a.vertices[i],
                       nearest_on_edge<D>(a.vertices[i], b.vertices[edge.first], b.vertices[edge.second]));
        }
    }
    for (std::size_t i = 0; i < b.vertices.size(); ++i) {
        for (const auto& edge : a.edges) {
            if (!may_be_closer(top(edge), height_b[i])) continue;
            best.offer(nearest_on_edge<D>(b.vertices[i], a.vertices[edge.first], a.vertices[edge.second]),
                       b.vertices[i]);
        }
    }
    if constexpr (D == 3) {
        for (const auto& e : a.edges) {
            const LongVec<3>& p = a.vertices[e.first];
            for (const auto& f : b.edges) {
                if (!may_be_closer(top(e), bottom(f))) continue;
                const LongVec<3>& q = b.vertices[f.first];
                const auto feet = feet_of_edges(p, a.vertices[e.second] - p, q, b.vertices[f.second] - q);
                if (feet) best.offer(feet->first, feet->second);
            }
        }
        for (std::size_t f = 0; f < b.faces.size(); ++f) {
            long double lowest = std::numeric_limits<long double>::infinity();
            for (const int v : b.faces[f]) lowest = std::min(lowest, height_b[v]);
            for (std::size_t i = 0; i < a.vertices.size(); ++i) {
                if (!may_be_closer(height_a[i], lowest)) continue;
                if (const auto foot = foot_on_face(a.vertices[i], b, f)) best.offer(a.vertices[i], *foot);
            }
        }
        for (std::size_t f = 0; f < a.faces.size(); ++f) {
            long double highest = -std::numeric_limits<long double>::infinity();
            for (const int v : a.faces[f]) highest = std::max(highest, height_a[v]);
            for (std::size_t i = 0; i < b.vertices.size(); ++i) {
                if (!may_be_closer(highest, height_b[i])) continue;
                if (const auto foot = foot_on_face(b.vertices[i], a, f)) best.offer(*foot, b.vertices[i]);
            }
        }
    }
    return best;
}

template <int D>
LongVec<D> offset_of(const Convex<D>& a, const Convex<D>& b)
{
    return b.centre.template cast<long double>() - a.centre.template cast<long double>();
}

} // namespace

template <int D>
ReferenceSeparation<D> reference_separation(const Convex<D>& a, const Convex<D>& b)
{
    const Features<D> of_a = features_of<D>(a, LongVec<D>::Zero()), of_b = features_of<D>(b, offset_of(a, b));
    const BestAxis<D> axis = best_axis(of_a, of_b);
    // two thin sets in one plane, or a point, have no axis here that could show them apart
    const bool thin = a.model->thin && b.model->thin;
    const long double overlap = thin ? -1e-15L * (a.model->outer + b.model->outer) : 0;
    if (std::isfinite(axis.separation()) && axis.separation() < overlap)
        return {axis.separation(), axis.direction(), true};
    const ClosestFeatures<D> closest = closest_features(of_a, of_b, axis.direction());
    const long double distance = std::sqrt(closest.square);
    if (!(distance > 0)) return {0, axis.direction(), true};
    return {distance, closest.from_a_to_b / distance, false};
}

template <int D>
long double reference_separation_along(const Convex<D>& a, const Convex<D>& b, const LongVec<D>& direction)
{
    const Features<D> of_a = features_of<D>(a, LongVec<D>::Zero()), of_b = features_of<D>(b, offset_of(a, b));
    return separation_along<D>(of_a, of_b, direction);
}

template <int D>
long double reference_height(const Convex<D>& set, const Vec<D>& point)
{
    Convex<D> here = set;
    here.centre.setZero();
    const LoneConvex<D> there(model_of_point<D>(), point, Rotation<D>());
    return reference_separation<D>(here, there.view()).distance - set.rounding;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template ReferenceSeparation<D> reference_separation(const Convex<D>&, const Convex<D>&);                          \
    template long double reference_separation_along(const Convex<D>&, const Convex<D>&, const LongVec<D>&);            \
    template long double reference_height(const Convex<D>&, const Vec<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
