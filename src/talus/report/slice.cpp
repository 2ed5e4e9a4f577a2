#include "talus/report/slice.hpp"

#include "talus/base/error.hpp"
#include "talus/report/chains.hpp"
#include "talus/report/drawing/sketcher.hpp"
#include "talus/scene/units.hpp"
#include "talus/shapes/convex_parts.hpp"
#include "talus/shapes/cut_solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {
namespace {

constexpr View views_along[] = {View::side, View::front, View::top}; // x, y, z

class Cutter {
  public:
    Cutter(const io::Frame<3>& frame, const Slice& slice)
        : frame_(frame), projection_(projection_of<3>(views_along[slice.axis])),
          depth_(slice.position * projection_.toward[slice.axis])
    {
        view_axes_ << projection_.right, projection_.up, projection_.toward;
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (frame.bodies.position[i].allFinite()) cut(i);
        }
    }

    io::Frame<2> flat;
    std::vector<std::size_t> source; // of each flat body, its number in the whole frame
    Outlines outlines;

  private:
    const Shape<3>& shape(std::size_t i) const { return frame_.shapes[frame_.bodies.shape[i]]; }
    double height(const Vec<3>& point) const { return projection_.depth(point) - depth_; }

    void cut(std::size_t i);
    void cut_ball(std::size_t i, bool is_hollow);
    void cut_rod(std::size_t i);
    void cut_parts(std::size_t i);
    void cut_half_space(std::size_t i);
    void cut_drum(std::size_t i);
    void cut_mesh(std::size_t i);
    void add(std::size_t i, std::int32_t flat_shape, const Vec<2>& position);
    void add_wall(std::size_t i, const Vec<2>& point, const Vec<2>& normal);

    const io::Frame<3>& frame_;
    Projection<3> projection_;
    double depth_; // [m] of the plane, towards the viewer
    Mat<3> view_axes_;
    CutSolid<3> solid_;
};

void Cutter::cut(std::size_t i)
{
    switch (shape(i).kind) {
    case ShapeKind::ball:
        return cut_ball(i, false);
    case ShapeKind::hollow_ball:
        return cut_ball(i, true);
    case ShapeKind::segment:
        return cut_rod(i);
    case ShapeKind::polytope:
    case ShapeKind::cluster:
        return cut_parts(i);
    case ShapeKind::half_space:
        return cut_half_space(i);
    case ShapeKind::hollow_cylinder:
        return cut_drum(i);
    case ShapeKind::mesh:
        return cut_mesh(i);
    }
}

void Cutter::add(std::size_t i, std::int32_t flat_shape, const Vec<2>& position)
{
    Body<2> body;
    body.position = position;
    body.shape = flat_shape;
    body.material = frame_.bodies.material[i];
    body.imposed = moves_freely(frame_, i) ? FreedomMask(0) : all_imposed<2>;
    flat.bodies.add(body);
    source.push_back(i);
}

void Cutter::add_wall(std::size_t i, const Vec<2>& point, const Vec<2>& normal)
{
    add(i, flat.shapes.add_half_space(normal), point);
}

void Cutter::cut_ball(std::size_t i, bool is_hollow)
{
    const double off = height(frame_.bodies.position[i]), square = shape(i).radius * shape(i).radius - off * off;
    if (square <= 0) return;
    const double radius = std::sqrt(square);
    add(i, is_hollow ? flat.shapes.add_hollow_ball(radius) : flat.shapes.add_ball(radius),
        projection_(frame_.bodies.position[i]));
}

// The hull of the disks cut from balls along the rod: exact but for the corners of the curves.
void Cutter::cut_rod(std::size_t i)
{
    constexpr int balls = 33, corners = 48;
    const Vec<3>& centre = frame_.bodies.position[i];
    const Vec<3> half = frame_.bodies.orientation[i] * frame_.shapes.segments[std::size_t(shape(i).detail)].half;
    const double radius = shape(i).radius;
    std::vector<Vec<2>> points;
    for (int b = 0; b < balls; ++b) {
        const Vec<3> along = (2.0 * b / (balls - 1) - 1) * half;
        const double off = height(centre + along), square = radius * radius - off * off;
        if (square <= 1e-9 * radius * radius) continue;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * M_PI * k / corners;
            points.push_back(projection_(along) + std::sqrt(square) * Vec<2>(std::cos(angle), std::sin(angle)));
        }
    }
    if (!points.empty()) add(i, flat.shapes.add_polytope(convex_hull<2>(points)), projection_(centre));
}

void Cutter::cut_parts(std::size_t i)
{
    const Mat<3> axes = frame_.bodies.orientation[i].matrix().transpose() * view_axes_;
    const Plane<3> plane{Vec<3>::UnitZ(), -height(frame_.bodies.position[i])};
    std::vector<Polytope<2>> polygons;
    for (const Polytope<3>& part : convex_parts(frame_.shapes, frame_.bodies.shape[i])) {
        solid_.load(part, Vec<3>::Zero(), axes);
        const auto is_above = [&](const Vec<3>& corner) { return corner[2] > plane.offset; };
        const auto above = std::count_if(solid_.corners().begin(), solid_.corners().end(), is_above);
        if (above == 0 || above == std::ptrdiff_t(part.vertices.size())) continue;
        solid_.cut(plane); // the last face is the cut itself
        Polytope<2>& polygon = polygons.emplace_back();
        solid_.for_each_edge(solid_.faces().back(),
                             [&](const Vec<3>&, const Vec<3>& to) { polygon.vertices.push_back(to.head<2>()); });
    }
    if (!polygons.empty()) add(i, flat.shapes.add_cluster(std::move(polygons)), projection_(frame_.bodies.position[i]));
}

void Cutter::cut_half_space(std::size_t i)
{
    const Vec<3> normal = frame_.bodies.orientation[i] * frame_.shapes.half_spaces[std::size_t(shape(i).detail)].normal;
    const Vec<2> across = projection_(normal);
    if (across.norm() < 1e-9) return; // parallel to the slice
    // normal · (x − p) = 0 within the plane of the slice
    const double offset = normal.dot(frame_.bodies.position[i]) - projection_.depth(normal) * depth_;
    add_wall(i, offset / across.squaredNorm() * across, across.normalized());
}

// Two lines along its axis, a circle across it, or an ellipse; a long one ends at three radii.
void Cutter::cut_drum(std::size_t i)
{
    const Vec<3>& centre = frame_.bodies.position[i];
    const Vec<3> axis =
        frame_.bodies.orientation[i] * frame_.shapes.hollow_cylinders[std::size_t(shape(i).detail)].axis;
    const double radius = shape(i).radius, slope = projection_.depth(axis), off = height(centre);
    if (std::abs(slope) > 1 - 1e-12) return add(i, flat.shapes.add_hollow_ball(radius), projection_(centre));
    const Vec<2> along = projection_(axis).normalized(), across(-along[1], along[0]);
    if (std::abs(slope) < 1e-9) {
        const double half = std::sqrt(std::max(0.0, radius * radius - off * off));
        if (half > 0) add_wall(i, projection_(centre) + half * across, -across);
        if (half > 0) add_wall(i, projection_(centre) - half * across, across);
        return;
    }
    const Vec<2> middle = projection_(centre - off / slope * axis);
    auto& ellipse = outlines.emplace_back();
    for (int degree = 0; degree < 360; ++degree) {
        const double angle = degree * M_PI / 180;
        const double reach = std::clamp(std::cos(angle) / std::abs(slope), -3.0, 3.0);
        ellipse.push_back(middle + radius * (reach * along + std::sin(angle) * across));
    }
}

void Cutter::cut_mesh(std::size_t i)
{
    const TriangleMesh& mesh = frame_.shapes.meshes[std::size_t(shape(i).detail)];
    const auto vertex = [&](std::int32_t v) -> Vec<3> {
        return frame_.bodies.position[i] + frame_.bodies.orientation[i] * mesh.vertices[std::size_t(v)];
    };
    for (const auto& triangle : mesh.triangles) {
        std::vector<Vec<2>> ends;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec<3> a = vertex(triangle[k]), b = vertex(triangle[(k + 1) % 3]);
            const double at_a = height(a), at_b = height(b);
            if ((at_a > 0) != (at_b > 0)) ends.push_back(projection_(a + at_a / (at_a - at_b) * (b - a)));
        }
        if (!ends.empty()) outlines.push_back(std::move(ends));
    }
}

// From the lowest to the highest point of all bodies that have an end, along an axis.
std::pair<double, double> extent_along(const io::Frame<3>& frame, int axis)
{
    double lower = std::numeric_limits<double>::infinity(), upper = -lower;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if (is_wall(frame, i) || !frame.bodies.position[i].allFinite()) continue;
        const double place = frame.bodies.position[i][axis];
        const Shape<3>& shape = frame.shapes[frame.bodies.shape[i]];
        const auto parts = convex_parts(frame.shapes, frame.bodies.shape[i]);
        for (const Polytope<3>& part : parts) {
            const Bounds<3> bounds = part.bounds(frame.bodies.orientation[i]);
            lower = std::min(lower, place + bounds.lower[axis]);
            upper = std::max(upper, place + bounds.upper[axis]);
        }
        if (!parts.empty()) continue;
        const double half =
            shape.kind == ShapeKind::segment
                ? std::abs((frame.bodies.orientation[i] * frame.shapes.segments[std::size_t(shape.detail)].half)[axis])
                : 0;
        lower = std::min(lower, place - half - shape.radius);
        upper = std::max(upper, place + half + shape.radius);
    }
    return {lower, upper};
}

} // namespace

Slice parse_slice(const std::string& text)
{
    const auto refuse = [&](const std::string& why) -> Slice {
        throw InputError(
            fmt::format("--slice {}: {}; an axis and a place are asked for, such as x=0.1 or \"y = 5 cm\"", text, why));
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return refuse("has no =");
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ', equals - 1);
    const std::string name = equals == 0 ? "" : text.substr(first, last + 1 - first);
    if (name != "x" && name != "y" && name != "z") return refuse(fmt::format("\"{}\" is none of x, y, z", name));
    scene::Quantity place;
    if (const std::string wrong = scene::parse_quantity(text.substr(equals + 1), place); !wrong.empty()) {
        return refuse(wrong);
    }
    if (place.has_unit && place.dimension != scene::Dimension{.metre = 1}) return refuse("the place is no length");
    if (!std::isfinite(place.value)) return refuse("the place is not finite");
    return {name[0] - 'x', place.value};
}

std::string slice_text(const Slice& slice)
{
    const ReadableUnit unit = readable_unit(std::abs(slice.position), "m");
    return fmt::format("{} = {:.5g} {}", "xyz"[slice.axis], slice.position * unit.factor, unit.name);
}

Sketch sketch_of_slice(const io::Frame<2>&, const Colouring&, const Slice&, const std::optional<Window>&)
{
    throw InputError("this is a 2D run: only a 3D one can be sliced");
}

Sketch sketch_of_slice(const io::Frame<3>& frame, const Colouring& colouring, const Slice& slice,
                       const std::optional<Window>& window)
{
    const auto [lower, upper] = extent_along(frame, slice.axis);
    if (lower > upper) throw InputError("there is nothing to slice: the frame has no grains");
    if (!(slice.position >= lower && slice.position <= upper)) {
        const ReadableUnit unit = readable_unit(std::max(std::abs(lower), std::abs(upper)), "m");
        throw InputError(
            fmt::format("the slice {0} cuts nothing: the sample lies between {1} = {2:.4g} {4} and {3:.4g} {4}",
                        slice_text(slice), "xyz"[slice.axis], lower * unit.factor, upper * unit.factor, unit.name));
    }
    const Cutter cutter(frame, slice);
    Colouring of_cut = colouring;
    of_cut.of_body.clear();
    std::size_t grains = 0;
    for (const std::size_t i : cutter.source) {
        of_cut.of_body.push_back(colouring.of_body[i]);
        grains += is_grain(frame, i);
    }
    Sketch sketch = laid_out(cutter.flat, projection_of<2>(View::iso), of_cut, cutter.outlines, window);
    for (Ball& disk : sketch.balls) disk.arm.setZero(); // it turns about other axes too
    const Projection<3> projection = projection_of<3>(views_along[slice.axis]);
    const double depth = slice.position * projection.toward[slice.axis];
    sketch.grain_size = mean_grain_diameter(frame);
    sketch.chains = chains_of(frame, projection, depth, 0.5 * sketch.grain_size);
    sort_by_force(sketch.chains);
    sketch.axes = shown_axes(projection);
    sketch.remark = fmt::format("slice at {} through {} of them", slice_text(slice), grains);
    return sketch;
}

} // namespace talus::report
