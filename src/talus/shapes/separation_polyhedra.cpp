// Separation of convex polyhedra. Apart: closest points by GJK. Overlapping: the direction of least overlap is a face
// normal of one of them or the cross product of two edges whose arcs on the Gauss map meet. Most are never tried: the
// separation along a direction n of a's surface is at most n·(centre of b − surface) − (inner radius of b).
#include "talus/shapes/gjk.hpp"
#include "talus/shapes/separation.hpp"
#include "talus/shapes/tied_axes.hpp"

#include <array>

namespace talus {

namespace {

// The axes within `slack` of the best so far.
class BestAxes {
  public:
    // `floor`: a separation that is known to be reached
    BestAxes(double slack, double accept, double floor) : slack_(slack), accept_(accept), best_(floor) {}
    // axes below this are of no interest
    double least() const { return best_ - slack_; }
    bool is_apart() const { return best_ > accept_; }
    bool empty() const { return count_ == 0; }
    void offer(const Vec<3>& direction, double separation)
    {
        if (separation < least()) return;
        best_ = std::max(best_, separation);
        int kept = 0;
        for (int k = 0; k < count_; ++k) {
            if (axes_[k].separation >= least()) axes_[kept++] = axes_[k];
        }
        count_ = kept;
        // edges in the plane of a face have its normal: one of each is enough
        for (int k = 0; k < count_; ++k) {
            if ((axes_[k].direction - direction).squaredNorm() > same_axis * same_axis) continue;
            if (separation > axes_[k].separation) axes_[k] = {direction, separation};
            return;
        }
        if (count_ == capacity) return; // many equal axes: the first ones do
        axes_[count_++] = {direction, separation};
    }
    std::span<const Axis<3>> axes() const { return {axes_.data(), std::size_t(count_)}; }

  private:
    static constexpr int capacity = 32;
    double slack_, accept_;
    double best_;
    int count_ = 0;
    std::array<Axis<3>, capacity> axes_;
};

// Distance of `point` (relative to the set's centre) above each face plane.
TALUS_INLINE void heights_above_faces(const Convex<3>& set, const Vec<3>& point, double* height)
{
    const int rows = padded(set.model->faces);
    for (int row = 0; row < rows; row += lane_count) {
        const Lanes h = heights<3>(set.normals, rows, row, point);
        *reinterpret_cast<Lanes*>(height + row) = h - *reinterpret_cast<const Lanes*>(set.offsets + row);
    }
}

// Face normals of `set`; `height` is that of the other's centre above each, `sign` turns them to point from a to b.
// The most promising face first: it soon rules out the others.
TALUS_INLINE void try_faces(const Convex<3>& set, const Convex<3>& other, double sign, const double* height,
                            BestAxes& axes)
{
    const int faces = set.model->faces;
    const auto visit = [&](int f) __attribute__((always_inline))
    {
        const Vec<3> normal = set.normal(f);
        const double separation = height[f] - highest<3>(other, -normal);
        axes.offer(sign * normal, separation);
    };
    if (faces == 0) return;
    Lanes top = *reinterpret_cast<const Lanes*>(height);
    for (int row = lane_count; row < faces; row += lane_count) {
        const Lanes here = *reinterpret_cast<const Lanes*>(height + row);
        top = here > top ? here : top;
    }
    const double highest_face = largest(top);
    int first = 0;
    while (height[first] != highest_face) ++first;
    const double inner = other.model->inner;
    if (!(highest_face >= axes.least() + inner)) return;
    visit(first);
    for (int row = 0; row < faces; row += lane_count) {
        const Lanes here = *reinterpret_cast<const Lanes*>(height + row);
        for (unsigned left = mask_bits(here >= axes.least() + inner); left != 0; left &= left - 1) {
            const int f = row + __builtin_ctz(left);
            if (f == first || !(height[f] >= axes.least() + inner)) continue;
            visit(f);
            if (axes.is_apart()) return;
        }
    }
}

// Edges of one set that may carry an axis, in lanes.
struct EdgeList {
    static constexpr int capacity = 128;
    int count = 0;
    // columns: direction, left normal, right normal
    alignas(64) double column[9][capacity];
    std::array<std::int32_t, capacity> edge;
};

TALUS_INLINE bool collect_edges(const Convex<3>& set, const Convex<3>& other, const double* height, double least,
                                EdgeList& list)
{
    const double needed = other.model->inner + least; // height of the other's centre above some tangent plane
    const ConvexEdge* edges = set.model->edges.data();
    const int count = int(set.model->edges.size());
    for (int block = 0; block < count; block += 64) {
        std::uint64_t wanted = 0; // first without a branch: which edges pass is as good as random
        const int size = std::min(64, count - block);
        for (int k = 0; k < size; ++k) {
            const ConvexEdge& edge = edges[block + k];
            const double above = std::max(height[edge.left], height[edge.right]);
            wanted |= std::uint64_t(std::max(above, 0.0) * edge.inverse_cos_half >= needed) << k;
        }
        for (; wanted != 0; wanted &= wanted - 1) {
            const int e = block + __builtin_ctzll(wanted);
            const ConvexEdge& edge = edges[e];
            if (list.count == EdgeList::capacity) return false;
            const Vec<3> along = set.vertex(edge.to) - set.vertex(edge.from);
            const Vec<3> left = set.normal(edge.left), right = set.normal(edge.right);
            for (int axis = 0; axis < 3; ++axis) {
                list.column[axis][list.count] = along[axis];
                list.column[3 + axis][list.count] = left[axis];
                list.column[6 + axis][list.count] = right[axis];
            }
            list.edge[list.count++] = e;
        }
    }
    for (int k = list.count; k < padded(list.count); ++k) {
        for (auto& column : list.column) column[k] = 0; // no sign change: never an axis
    }
    return true;
}

TALUS_INLINE void try_edge_pair(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const ConvexEdge& e,
                                const ConvexEdge& f, const Vec<3>& u, const Vec<3>& w, const Vec<3>& outward,
                                BestAxes& axes)
{
    const Vec<3> cross = u.cross(w);
    const double square = cross.squaredNorm(), scale = u.squaredNorm() * w.squaredNorm();
    if (!(square > 1e-22 * scale)) return; // parallel: the face normals beside them are as good
    Vec<3> direction = cross / std::sqrt(square);
    if (direction.dot(outward) < 0) direction = -direction;
    if (square < 1e-6 * scale) {
        // almost parallel: level both edges, and trust nothing but the vertices
        direction -= u * (u.dot(direction) / u.squaredNorm());
        direction.normalize();
        axes.offer(direction, separation_along<3>(a, b, offset, direction));
        return;
    }
    axes.offer(direction, direction.dot(b.vertex(f.from) + offset - a.vertex(e.from)));
}

// Arcs of two edges on the Gauss map meet where the normals of each edge's faces lie on both sides of the other's great
// circle, and on the same half of the sphere. With the signs of the edges as in ConvexEdge: l·u r·u < 0, L·w R·w < 0,
// l·u R·w < 0 (l, r of b's edge w; L, R of a's edge u).
TALUS_INLINE void try_edges(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const EdgeList& of_a,
                            const EdgeList& of_b, BestAxes& axes)
{
    for (int i = 0; i < of_a.count && !axes.is_apart(); ++i) {
        const Vec<3> u(of_a.column[0][i], of_a.column[1][i], of_a.column[2][i]);
        const Vec<3> left(of_a.column[3][i], of_a.column[4][i], of_a.column[5][i]);
        const Vec<3> right(of_a.column[6][i], of_a.column[7][i], of_a.column[8][i]);
        for (int row = 0; row < of_b.count; row += lane_count) {
            const double* base = of_b.column[0];
            const Lanes lu = heights<3>(base + 3 * EdgeList::capacity, EdgeList::capacity, row, u);
            const Lanes ru = heights<3>(base + 6 * EdgeList::capacity, EdgeList::capacity, row, u);
            const Lanes lw = heights<3>(base, EdgeList::capacity, row, left);
            const Lanes rw = heights<3>(base, EdgeList::capacity, row, right);
            const LaneMask meets = (lu * ru < 0.0) & (lw * rw < 0.0) & (lu * rw < 0.0);
            for (unsigned bits = mask_bits(meets); bits != 0; bits &= bits - 1) {
                const int j = row + __builtin_ctz(bits);
                const Vec<3> w(of_b.column[0][j], of_b.column[1][j], of_b.column[2][j]);
                try_edge_pair(a, b, offset, a.model->edges[of_a.edge[i]], b.model->edges[of_b.edge[j]], u, w,
                              Vec<3>(left + right), axes);
            }
        }
    }
}

// Thin sets and very large ones: every pair of edges, judged by the heights of all vertices.
void try_all_edges(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, BestAxes& axes)
{
    for (const ConvexEdge& e : a.model->edges) {
        const Vec<3> u = a.vertex(e.to) - a.vertex(e.from);
        for (const ConvexEdge& f : b.model->edges) {
            const Vec<3> cross = u.cross(b.vertex(f.to) - b.vertex(f.from));
            const double square = cross.squaredNorm();
            if (!(square > 1e-22 * u.squaredNorm() * (b.vertex(f.to) - b.vertex(f.from)).squaredNorm())) continue;
            const Vec<3> direction = cross / std::sqrt(square);
            for (const double sign : {1.0, -1.0}) {
                const Vec<3> outward = sign * direction;
                axes.offer(outward, separation_along<3>(a, b, offset, outward));
            }
        }
    }
}

// Two thin sets may lie in one plane: then a direction in it, across an edge, may part them best.
void try_across_edges(const Convex<3>& set, const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset,
                      BestAxes& axes)
{
    for (const ConvexEdge& e : set.model->edges) {
        const Vec<3> u = set.vertex(e.to) - set.vertex(e.from);
        Vec<3> across =
            e.left >= 0 ? Vec<3>(u.cross(set.normal(e.left))) : Vec<3>(offset - u * (u.dot(offset) / u.squaredNorm()));
        if (!(across.squaredNorm() > 0)) across = frame_of(Vec<3>(u.normalized())).col(1);
        across.normalize();
        for (const double sign : {1.0, -1.0}) {
            const Vec<3> outward = sign * across;
            axes.offer(outward, separation_along<3>(a, b, offset, outward));
        }
    }
}

TALUS_WIDE void search_axes(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, BestAxes& axes)
{
    alignas(64) double above_a[most_faces], above_b[most_faces];
    heights_above_faces(a, offset, above_a);
    heights_above_faces(b, -offset, above_b);
    try_faces(a, b, 1.0, above_a, axes);
    if (axes.is_apart()) return;
    try_faces(b, a, -1.0, above_b, axes);
    if (axes.is_apart()) return;
    const bool thin = a.model->thin || b.model->thin;
    EdgeList of_a, of_b;
    if (!thin && collect_edges(a, b, above_a, axes.least(), of_a) && collect_edges(b, a, above_b, axes.least(), of_b)) {
        try_edges(a, b, offset, of_a, of_b, axes);
    } else {
        try_all_edges(a, b, offset, axes);
        if (a.model->thin && b.model->thin) {
            try_across_edges(a, a, b, offset, axes);
            try_across_edges(b, a, b, offset, axes);
        }
    }
}

TALUS_WIDE double separation_of(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const Vec<3>& direction)
{
    return separation_along<3>(a, b, offset, direction);
}

} // namespace

template <>
bool is_parted(const Convex<3>& a, const Convex<3>& b, double alert, const Vec<3>& direction)
{
    // a little more, so that a witness and a full search never disagree
    const double far = alert + a.rounding + b.rounding;
    const double surely_far = far + 1e-12 * (a.model->outer + b.model->outer + far);
    return separation_of(a, b, Vec<3>(b.centre - a.centre), direction) > surely_far;
}

template <>
bool separate(const Convex<3>& a, const Convex<3>& b, double alert, const AxisHint<3>& hint, Separation<3>& result)
{
    const Vec<3> offset = b.centre - a.centre;
    const double rounding = a.rounding + b.rounding;
    const double size = a.model->outer + b.model->outer;
    const double smaller = std::min(a.reach(), b.reach());
    const double far = alert + rounding;
    const double surely_far = far + 1e-12 * (size + far);
    constexpr double unknown = -std::numeric_limits<double>::infinity();
    const double along_previous = hint.previous ? separation_of(a, b, offset, *hint.previous) : unknown;
    if (along_previous > surely_far) {
        result.direction = *hint.previous;
        result.distance = along_previous - rounding;
        return false;
    }
    const Vec<3> line = offset.squaredNorm() > 0 ? Vec<3>(offset.normalized()) : Vec<3>(Vec<3>::UnitZ());
    Vec<3> start = hint.previous ? *hint.previous : line;
    const double touching = 1e-10 * size;

    const auto by_axes = [&]() -> bool {
        const double slack = (hint.previous ? axis_slack : new_axis_slack) * smaller;
        // the best is at least as good as what the last direction gives, which rules most of the others out
        BestAxes axes(slack, touching, along_previous - 1e-12 * size);
        search_axes(a, b, offset, axes);
        if (axes.empty()) {
            axes = BestAxes(slack, touching, unknown);
            search_axes(a, b, offset, axes);
        }
        if (axes.empty()) { // two points, or a point and a segment, at one place
            result = {line, -rounding, false, {}, {}};
            return true;
        }
        const auto [axis, tied] = choose_axis<3>(a, b, offset, axes.axes(), hint.previous);
        result = {axis.direction, axis.separation - rounding, false, {}, {}, tied};
        return !axes.is_apart();
    };
    // a pair that overlapped along its last direction most likely still does
    if (hint.previous && along_previous <= 0) {
        if (by_axes()) return true;
        start = result.direction;
    }
    Closest closest = closest_points(a, b, offset, start, surely_far, touching);
    if (closest.lower_bound > surely_far) {
        result.direction = -(closest.on_a - closest.on_b).normalized();
        result.distance = closest.lower_bound - rounding;
        return false;
    }
    if (closest.distance <= touching || closest.distance - closest.lower_bound > 1e-12 * size) {
        // rounding won: do the axes show an overlap? Where they do not, every pair of features is asked
        if (by_axes()) return true;
        const Closest sure = closest_features(a, b, offset);
        if (closest.distance <= touching || sure.distance < closest.distance) closest = sure;
    }
    if (closest.distance == 0) {
        result = {start, -rounding, false, {}, {}};
        return true;
    }
    result = {closest.direction, closest.distance - rounding, true, closest.on_a, closest.on_b};
    return result.distance <= alert;
}

} // namespace talus
