// Separation of convex polygons, segments and points in the plane: few features, so all of them are tried.
#include "talus/shapes/projection.hpp"
#include "talus/shapes/separation.hpp"
#include "talus/shapes/tied_axes.hpp"

namespace talus {

namespace {

// Face normals of `set`; `sign` turns them to point from a to b.
void list_axes(const Convex<2>& set, const Convex<2>& other, const Vec<2>& towards_other, double sign,
               std::vector<Axis<2>>& axes)
{
    for (int f = 0; f < set.model->faces; ++f) {
        const Vec<2> normal = set.normal(f);
        const double separation = normal.dot(towards_other) - set.offsets[f] - highest<2>(other, -normal);
        axes.push_back({sign * normal, separation});
    }
}

struct ClosestPoints {
    Vec<2> on_a, on_b;
    double square = std::numeric_limits<double>::infinity();
    Vec<2> across = Vec<2>::Zero(); // normal of the edge that one of them is inside of, from a to b: exact at any gap
};

// vertices of one set against the edges of the other; `swapped`: the vertices are b's
void compare(const Convex<2>& points, const Vec<2>& point_shift, const Convex<2>& edges, const Vec<2>& edge_shift,
             bool swapped, ClosestPoints& closest)
{
    const auto offer = [&](const Vec<2>& p, const Vec<2>& q, const Vec<2>& across) {
        const double square = (p - q).squaredNorm();
        if (square < closest.square) closest = {swapped ? q : p, swapped ? p : q, square, across};
    };
    for (int v = 0; v < points.model->vertices; ++v) {
        const Vec<2> p = points.vertex(v) + point_shift;
        if (edges.model->faces == 0) offer(p, edges.vertex(0) + edge_shift, Vec<2>::Zero());
        for (int f = 0; f < edges.model->faces; ++f) {
            const auto ends = edges.model->corners(f);
            const Vec<2> from = edges.vertex(ends[0]) + edge_shift;
            const Vec<2> along = edges.vertex(ends[1]) + edge_shift - from;
            const double length = along.squaredNorm();
            const double t = length > 0 ? std::clamp((p - from).dot(along) / length, 0.0, 1.0) : 0.0;
            const Vec<2> normal = swapped ? edges.normal(f) : Vec<2>(-edges.normal(f));
            offer(p, from + t * along, t > 0 && t < 1 ? normal : Vec<2>(Vec<2>::Zero()));
        }
    }
}

} // namespace

template <>
bool is_parted(const Convex<2>& a, const Convex<2>& b, double alert, const Vec<2>& direction)
{
    // a little more, so that a witness and a full search never disagree
    const double far = alert + a.rounding + b.rounding;
    const double surely_far = far + 1e-12 * (a.model->outer + b.model->outer + far);
    return separation_along<2>(a, b, Vec<2>(b.centre - a.centre), direction) > surely_far;
}

template <>
bool separate(const Convex<2>& a, const Convex<2>& b, double alert, const AxisHint<2>& hint, Separation<2>& result)
{
    const Vec<2> offset = b.centre - a.centre;
    const double rounding = a.rounding + b.rounding;
    const double size = a.model->outer + b.model->outer;
    const double surely_far = alert + rounding + 1e-12 * (size + alert + rounding);
    if (hint.previous && is_parted(a, b, alert, *hint.previous)) {
        result.direction = *hint.previous;
        result.distance = alert;
        return false;
    }
    static thread_local std::vector<Axis<2>> axes;
    axes.clear();
    list_axes(a, b, offset, 1.0, axes);
    list_axes(b, a, -offset, -1.0, axes);
    const auto best = std::max_element(axes.begin(), axes.end(),
                                       [](const Axis<2>& x, const Axis<2>& y) { return x.separation < y.separation; });
    const bool apart = best == axes.end() ? offset.squaredNorm() > 0 : best->separation > 1e-10 * size;
    if (best != axes.end() && best->separation > surely_far) {
        result.direction = best->direction;
        result.distance = best->separation - rounding;
        return false;
    }
    if (apart) {
        ClosestPoints closest;
        compare(a, Vec<2>::Zero(), b, offset, false, closest);
        compare(b, offset, a, Vec<2>::Zero(), true, closest);
        const double distance = std::sqrt(closest.square);
        if (distance > 0) {
            // a rod has two sides
            const Vec<2> between = closest.on_b - closest.on_a;
            const Vec<2> direction =
                closest.across.dot(between) > 0.5 * distance ? closest.across : Vec<2>(between / distance);
            result = {direction, distance - rounding, true, closest.on_a, closest.on_b};
            return result.distance <= alert;
        }
    }
    if (best == axes.end()) { // two points at one place
        result = {Vec<2>::UnitY(), -rounding, false, {}, {}};
        return true;
    }
    const double slack = (hint.previous ? axis_slack : new_axis_slack) * std::min(a.reach(), b.reach());
    const double least = best->separation - slack;
    std::erase_if(axes, [&](const Axis<2>& axis) { return axis.separation < least; });
    const auto [axis, tied] = choose_axis<2>(a, b, offset, axes, hint.previous);
    result = {axis.direction, axis.separation - rounding, false, {}, {}, tied};
    return true;
}

} // namespace talus
