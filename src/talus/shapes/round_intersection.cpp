// Polytopes against balls, rods and drums. The boundary is summed edge by edge: the part of an edge within a circle
// spans a triangle with the centre, the rest a sector. In 3D every face is the base of a cone from the centre of the
// ball, signed by the side on which the centre lies; the ball cuts the cone along a circle in the plane of the face.
#include "talus/math/ball_overlap.hpp"
#include "talus/shapes/cut_solid.hpp"
#include "talus/shapes/intersection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace talus {

namespace {

double square(double x) { return x * x; }

// An edge as seen from the centre of a circle: `offset` from its line, positive on the left; then from where to where.
template <class Within, class Beyond>
void split_at_circle(const Vec<2>& begin, const Vec<2>& end, double radius, Within&& within, Beyond&& beyond)
{
    const double length = (end - begin).norm();
    if (length == 0) return;
    const Vec<2> along = (end - begin) / length;
    const double offset = begin[0] * along[1] - begin[1] * along[0];
    const double from = along.dot(begin), to = along.dot(end), distance = std::abs(offset);
    const double half_chord = distance < radius ? std::sqrt((radius - distance) * (radius + distance)) : 0;
    if (from < -half_chord) beyond(offset, from, std::min(to, -half_chord));
    if (to > half_chord) beyond(offset, std::max(from, half_chord), to);
    const double first = std::max(from, -half_chord), last = std::min(to, half_chord);
    if (first < last) within(offset, first, last);
}

// angle under which the centre sees a piece of an edge
double angle_of(double offset, double from, double to)
{
    const double distance = std::abs(offset);
    return std::copysign(std::atan2(to, distance) - std::atan2(from, distance), offset);
}

struct Parts {
    double within = 0, beyond = 0;
};

// What an edge adds to the area of a polygon, within a disk around the origin and beyond it.
void add_edge(Parts& area, const Vec<2>& begin, const Vec<2>& end, double radius)
{
    split_at_circle(
        begin, end, radius, [&](double offset, double from, double to) { area.within += 0.5 * offset * (to - from); },
        [&](double offset, double from, double to) {
            const double sector = 0.5 * square(radius) * angle_of(offset, from, to);
            area.within += sector;
            area.beyond += 0.5 * offset * (to - from) - sector;
        });
}

// What an edge of a face adds to the cone on that face, `height` before the centre of a ball of this radius.
void add_cone(Parts& volume, const Vec<2>& begin, const Vec<2>& end, double height, double radius)
{
    const double circle = height * height < radius * radius ? square(radius) - square(height) : 0; // squared
    const double third = radius * radius * radius / 3;
    const double per_angle = height * circle / 6 + third * height / std::max(radius, std::abs(height));
    split_at_circle(
        begin, end, std::sqrt(circle),
        [&](double offset, double from, double to) { volume.within += height * offset * (to - from) / 6; },
        [&](double offset, double from, double to) {
            // ∫ h/√(R² + h²) dφ along the edge, as arc tangents: arc sines would lose digits
            const double distance = std::abs(offset);
            const auto integral = [&](double u) {
                return std::atan2(height * u, distance * std::sqrt(square(u) + square(distance) + square(height)));
            };
            const double sector =
                per_angle * angle_of(offset, from, to) - std::copysign(third, offset) * (integral(to) - integral(from));
            volume.within += sector;
            volume.beyond += height * offset * (to - from) / 6 - sector;
        });
}

// Of a solid, within a ball around the origin and beyond it.
Parts split_by_ball(const CutSolid<2>& solid, double radius)
{
    Parts area;
    solid.for_each_edge([&](const Vec<2>& begin, const Vec<2>& end) { add_edge(area, begin, end, radius); });
    return area;
}
Parts split_by_ball(const CutSolid<3>& solid, double radius)
{
    Parts volume;
    for (const CutSolid<3>::Face& face : solid.faces()) {
        const Mat<3> frame = frame_of(face.normal);
        const auto in_plane = [&](const Vec<3>& corner) -> Vec<2> {
            return {frame.col(1).dot(corner), frame.col(2).dot(corner)};
        };
        solid.for_each_edge(face, [&](const Vec<3>& begin, const Vec<3>& end) {
            add_cone(volume, in_plane(begin), in_plane(end), face.normal.dot(begin), radius);
        });
    }
    return volume;
}

// Of the slice of a solid at this height along the last axis, within a disk around that axis and beyond it.
Parts split_slice(const CutSolid<3>& solid, double height, double radius)
{
    Parts area;
    for (const CutSolid<3>::Face& face : solid.faces()) {
        Vec<2> down, up; // where the loop of the face passes the slice
        bool is_crossed = false;
        solid.for_each_edge(face, [&](const Vec<3>& begin, const Vec<3>& end) {
            const bool was_above = begin[2] >= height, is_above = end[2] >= height;
            if (was_above == is_above) return;
            const Vec<3>&low = was_above ? end : begin, &high = was_above ? begin : end;
            const double part = (height - low[2]) / (high[2] - low[2]);
            (is_above ? up : down) = low.head<2>() + part * (high.head<2>() - low.head<2>());
            is_crossed = true;
        });
        if (is_crossed) add_edge(area, down, up, radius);
    }
    return area;
}

struct Estimate {
    double value, error;
};

// Gauss and Kronrod, 7 and 15 points.
template <class F>
Estimate gauss_kronrod(double begin, double end, F&& f)
{
    constexpr std::array<double, 8> node{0,
                                         0.207784955007898467600689403773245,
                                         0.405845151377397166906606412076961,
                                         0.586087235467691130294144691258380,
                                         0.741531185599394439863864773280788,
                                         0.864864423359769072789712788640926,
                                         0.949107912342758524526189684047851,
                                         0.991455371120812639206854697526329};
    constexpr std::array<double, 8> fine{0.209482141084727828012999174891714, 0.204432940075298892414161999234649,
                                         0.190350578064785409913256402421014, 0.169004726639267902826583426598550,
                                         0.140653259715525918745189590510238, 0.104790010322250183839876322541518,
                                         0.063092092629978553290700663189204, 0.022935322010529224963732008058970};
    constexpr std::array<double, 4> coarse{0.417959183673469387755102040816327, 0.381830050505118944950369775488975,
                                           0.279705391489276667901467771423780, 0.129484966168869693270611432679082};
    const double middle = 0.5 * (begin + end), half = 0.5 * (end - begin);
    double kronrod = 0, gauss = 0;
    for (std::size_t k = 0; k < node.size(); ++k) {
        const double sum = k == 0 ? f(middle) : f(middle - half * node[k]) + f(middle + half * node[k]);
        kronrod += fine[k] * sum;
        if (k % 2 == 0) gauss += coarse[k / 2] * sum;
    }
    // as in QUADPACK: the difference is the error of the coarse sum, that of the fine one is far smaller
    const double scale = std::abs(half * kronrod), difference = std::abs(half * (kronrod - gauss));
    return {half * kronrod, scale > 0 ? scale * std::min(1.0, std::pow(200 * difference / scale, 1.5)) : difference};
}

template <class F>
double integrate(double begin, double end, double tolerance, const F& f, int halvings = 24)
{
    const Estimate all = gauss_kronrod(begin, end, f);
    if (all.error <= tolerance || halvings == 0) return all.value;
    const double middle = 0.5 * (begin + end);
    return integrate(begin, middle, 0.5 * tolerance, f, halvings - 1) +
           integrate(middle, end, 0.5 * tolerance, f, halvings - 1);
}

// Where the area of the slices is not smooth: at the corners, where an edge crosses the cylinder around the last axis,
// and where the slice of a face only touches it.
void find_breaks(std::vector<double>& heights, const CutSolid<3>& solid, double radius)
{
    heights.clear();
    for (const Vec<3>& corner : solid.corners()) heights.push_back(corner[2]);
    for (const CutSolid<3>::Face& face : solid.faces()) {
        double bottom = std::numeric_limits<double>::infinity(), top = -bottom, offset = 0;
        solid.for_each_edge(face, [&](const Vec<3>& begin, const Vec<3>& end) {
            bottom = std::min(bottom, end[2]);
            top = std::max(top, end[2]);
            offset = face.normal.dot(end);
            if (begin[2] >= end[2]) return; // each edge once, on the face where it goes up
            const Vec<2> from = begin.head<2>(), along = end.head<2>() - from;
            const double length = along.squaredNorm(), nearest = -from.dot(along);
            const double root = square(nearest) - length * (from.squaredNorm() - square(radius));
            if (root <= 0 || length == 0) return;
            for (const double part : {nearest - std::sqrt(root), nearest + std::sqrt(root)}) {
                if (part > 0 && part < length) heights.push_back(begin[2] + part / length * (end[2] - begin[2]));
            }
        });
        const double tilt = radius * face.normal.head<2>().norm();
        for (const double height : {(offset - tilt) / face.normal[2], (offset + tilt) / face.normal[2]}) {
            if (height > bottom && height < top) heights.push_back(height);
        }
    }
    std::sort(heights.begin(), heights.end());
}

// Between two breaks the area may begin and end with a power of 3/2: a change of variable by sin² makes that smooth.
template <class AreaOf>
double integrate_slices(const CutSolid<3>& solid, double radius, double tolerance, const AreaOf& area_of)
{
    thread_local std::vector<double> heights;
    find_breaks(heights, solid, radius);
    if (heights.empty()) return 0;
    const double least = 1e-14 * (heights.back() - heights.front()); // the same break, but for rounding
    double sum = 0;
    for (std::size_t k = 1; k < heights.size(); ++k) {
        const double begin = heights[k - 1], length = heights[k] - begin;
        if (length <= least) continue;
        sum += integrate(0, 0.5 * M_PI, tolerance, [&](double t) {
            return area_of(begin + length * square(std::sin(t))) * length * std::sin(2 * t);
        });
    }
    return sum;
}

constexpr double slice_accuracy = 1e-11; // of the polytope, between two corners

// The straight part of a rod around the last axis.
double volume_around_axis(CutSolid<2>& solid, double radius, double)
{
    return solid.cut({Vec<2>(1, 0), radius}) && solid.cut({Vec<2>(-1, 0), radius}) ? solid.volume() : 0;
}
double volume_around_axis(CutSolid<3>& solid, double radius, double whole)
{
    const auto is_inside = [&](const Vec<3>& corner) { return corner.head<2>().squaredNorm() <= radius * radius; };
    if (std::all_of(solid.corners().begin(), solid.corners().end(), is_inside)) return solid.volume();
    for (const Vec<3>& side : {Vec<3>(1, 0, 0), Vec<3>(-1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(0, -1, 0)}) {
        if (!solid.cut({side, radius})) return 0; // less to slice
    }
    return integrate_slices(solid, radius, slice_accuracy * whole,
                            [&](double height) { return split_slice(solid, height, radius).within; });
}

// Right-handed axes as columns, the given one last.
Mat<2> axes_with_last(const Vec<2>& axis)
{
    Mat<2> axes;
    axes << axis[1], axis[0], -axis[0], axis[1];
    return axes;
}
Mat<3> axes_with_last(const Vec<3>& axis)
{
    const Mat<3> frame = frame_of(axis);
    Mat<3> axes;
    axes << frame.col(1), frame.col(2), frame.col(0);
    return axes;
}

// Off goes what is surely inside a cylinder around the last axis: the chord of the sector that the solid fills.
void drop_inner_part(CutSolid<3>& solid, double radius)
{
    Vec<2> middle = Vec<2>::Zero();
    for (const Vec<3>& corner : solid.corners()) middle += corner.head<2>().normalized();
    middle.normalize();
    double least = 1; // cosine of the widest angle to the middle
    for (const Vec<3>& corner : solid.corners()) least = std::min(least, middle.dot(corner.head<2>().normalized()));
    if (least > 0) solid.cut({Vec<3>(-middle[0], -middle[1], 0), -radius * least * (1 - 1e-12)});
}

template <int D>
Vec<D> in_body(const PlacedPolytope<D>& solid, const Vec<D>& point)
{
    return solid.orientation.matrix().transpose() * (point - solid.position);
}

} // namespace

template <int D>
double volume_in_ball(const PlacedPolytope<D>& solid, const Vec<D>& centre, double radius)
{
    const Vec<D> origin = in_body(solid, centre);
    int cuts = 0;
    double depth = 0; // of the centre below the last plane that cuts
    for (const Plane<D>& plane : solid.polytope.planes) {
        const double inside = plane.offset - plane.normal.dot(origin);
        if (inside <= -radius) return 0;
        if (inside >= radius) continue;
        ++cuts;
        depth = inside;
    }
    if (cuts == 0) return ball_volume<D>(radius);
    if (cuts == 1) return ball_below_plane<D>(radius, -depth); // keeps the digits of a tiny penetration
    thread_local CutSolid<D> whole;
    whole.load(solid.polytope, origin);
    return within(split_by_ball(whole, radius).within, std::min(ball_volume<D>(radius), whole.volume()));
}

template <int D>
double volume_outside_ball(const PlacedPolytope<D>& solid, const Vec<D>& centre, double radius)
{
    const Vec<D> origin = in_body(solid, centre);
    const auto is_inside = [&](const Vec<D>& vertex) { return (vertex - origin).squaredNorm() <= radius * radius; };
    if (std::all_of(solid.polytope.vertices.begin(), solid.polytope.vertices.end(), is_inside)) return 0;
    thread_local CutSolid<D> whole;
    whole.load(solid.polytope, origin);
    return within(split_by_ball(whole, radius).beyond, whole.volume());
}

template <int D>
double volume_in_rod(const PlacedPolytope<D>& solid, const Vec<D>& centre, const Vec<D>& half, double radius)
{
    if (radius == 0) return 0; // a line has no inside
    const double reach = half.norm();
    if (reach == 0) return volume_in_ball(solid, centre, radius);
    const Mat<D> to_body = solid.orientation.matrix().transpose();
    const Vec<D> axis = to_body * half / reach, origin = in_body(solid, centre);
    const Mat<D> axes = axes_with_last(axis);
    const Vec<D> up = Vec<D>::Unit(D - 1);
    thread_local CutSolid<D> part;
    part.load(solid.polytope, origin, axes);
    const double whole = part.volume();
    double sum = 0;
    if (part.cut({up, reach}) && part.cut({-up, reach})) sum += volume_around_axis(part, radius, whole);
    for (const double end : {-reach, reach}) {
        part.load(solid.polytope, origin + end * axis, axes);
        if (part.cut({end < 0 ? up : Vec<D>(-up), 0})) sum += split_by_ball(part, radius).within;
    }
    return within(sum, whole);
}

double volume_in_cylinder(const PlacedPolytope<3>& solid, const Vec<3>& centre, const Vec<3>& half, double radius)
{
    const double reach = half.norm();
    if (reach == 0) return 0;
    const Vec<3> axis = solid.orientation.matrix().transpose() * half / reach, up = Vec<3>::Unit(2);
    thread_local CutSolid<3> part;
    part.load(solid.polytope, in_body(solid, centre), axes_with_last(axis));
    const double whole = part.volume();
    if (!part.cut({up, reach}) || !part.cut({-up, reach})) return 0;
    return within(volume_around_axis(part, radius, whole), whole);
}

double volume_outside_cylinder(const PlacedPolytope<3>& solid, const Vec<3>& centre, const Vec<3>& axis, double radius)
{
    const Mat<3> axes = axes_with_last(Vec<3>(solid.orientation.matrix().transpose() * axis));
    thread_local CutSolid<3> whole;
    whole.load(solid.polytope, in_body(solid, centre), axes);
    const auto is_inside = [&](const Vec<3>& corner) { return corner.head<2>().squaredNorm() <= radius * radius; };
    if (std::all_of(whole.corners().begin(), whole.corners().end(), is_inside)) return 0;
    const double volume = whole.volume();
    drop_inner_part(whole, radius);
    return within(integrate_slices(whole, radius, slice_accuracy * volume,
                                   [&](double height) { return split_slice(whole, height, radius).beyond; }),
                  volume);
}

namespace {

double volume_outside_drum(const PlacedPolytope<3>& solid, const ShapeTable<3>& shapes, const Shape<3>& drum,
                           const Vec<3>& position, const Rotation<3>& orientation)
{
    return volume_outside_cylinder(solid, position, orientation * shapes.hollow_cylinders[drum.detail].axis,
                                   drum.radius);
}
double volume_outside_drum(const PlacedPolytope<2>&, const ShapeTable<2>&, const Shape<2>&, const Vec<2>&,
                           const Rotation<2>&)
{
    throw std::logic_error("a hollow cylinder lives in three dimensions");
}

} // namespace

template <int D>
double volume_in_wall(const PlacedPolytope<D>& solid, const ShapeTable<D>& shapes, std::int32_t wall,
                      const Vec<D>& position, const Rotation<D>& orientation)
{
    const Shape<D>& shape = shapes[wall];
    switch (shape.kind) {
    case ShapeKind::half_space: {
        const Vec<D> normal = orientation * shapes.half_spaces[shape.detail].normal;
        const Plane<D> surface{normal, normal.dot(position)};
        return volume_inside<D>(solid, {&surface, 1});
    }
    case ShapeKind::hollow_ball:
        return volume_outside_ball(solid, position, shape.radius);
    case ShapeKind::hollow_cylinder:
        return volume_outside_drum(solid, shapes, shape, position, orientation);
    default:
        throw std::logic_error("volume_in_wall: " + shape_name<D>(shape.kind) + " is not a wall");
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template double volume_in_ball(const PlacedPolytope<D>&, const Vec<D>&, double);                                   \
    template double volume_outside_ball(const PlacedPolytope<D>&, const Vec<D>&, double);                              \
    template double volume_in_rod(const PlacedPolytope<D>&, const Vec<D>&, const Vec<D>&, double);                     \
    template double volume_in_wall(const PlacedPolytope<D>&, const ShapeTable<D>&, std::int32_t, const Vec<D>&,        \
                                   const Rotation<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
