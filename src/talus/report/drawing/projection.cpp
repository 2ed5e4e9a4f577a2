#include "talus/report/drawing/projection.hpp"

namespace talus::report {

template <>
Projection<2> projection_of<2>(View)
{
    return {Vec<2>(1, 0), Vec<2>(0, 1), Vec<2>::Zero()};
}

template <>
Projection<3> projection_of<3>(View view)
{
    const Vec<3> x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    switch (view) {
    case View::front:
        return {x, z, -y};
    case View::side:
        return {y, z, x};
    case View::top:
        return {x, y, z};
    case View::iso:
        break;
    }
    const double azimuth = -M_PI / 3, elevation = M_PI * 26 / 180; // no edge of a box hides behind another
    const Vec<3> toward(std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                        std::sin(elevation));
    const Vec<3> right(-std::sin(azimuth), std::cos(azimuth), 0);
    return {right, toward.cross(right), toward};
}

std::vector<Vec<2>> patch(const Vec<2>& foot, const Vec<2>& normal, double half)
{
    const Vec<2> t = half * frame_of(normal).col(1);
    return {foot - t, foot + t};
}
std::vector<Vec<3>> patch(const Vec<3>& foot, const Vec<3>& normal, double half)
{
    const Mat<3> frame = frame_of(normal);
    const Vec<3> t = half * frame.col(1), s = half * frame.col(2);
    return {foot - t - s, foot + t - s, foot + t + s, foot - t + s};
}

std::vector<Vec<2>> outline_of_box(const Vec<2>& lower, const Vec<2>& upper)
{
    return {lower, {upper[0], lower[1]}, upper, {lower[0], upper[1]}};
}
std::vector<Vec<2>> outline_of_box(const Vec<3>&, const Vec<3>&) { return {}; }

std::vector<Facet> visible_facets(const Polytope<2>& polytope, const Vec<2>& position, const Rotation<2>& orientation,
                                  const Projection<2>& projection, double)
{
    Facet facet{{}, 1, 0, std::vector<bool>(polytope.vertices.size(), false)};
    for (const Vec<2>& vertex : polytope.vertices) facet.corners.push_back(projection(position + orientation * vertex));
    return {facet};
}

namespace {

struct Piece {
    std::vector<Vec<3>> corners;
    std::vector<bool> is_cut;
    void add(const Vec<3>& corner, bool cut)
    {
        corners.push_back(corner);
        is_cut.push_back(cut);
    }
};

// The part where x[axis] ≥ place, or ≤ place.
Piece side_of(const Piece& whole, int axis, double place, bool above)
{
    Piece part;
    for (std::size_t k = 0; k < whole.corners.size(); ++k) {
        const Vec<3>&a = whole.corners[k], &b = whole.corners[(k + 1) % whole.corners.size()];
        const double at_a = above ? a[axis] - place : place - a[axis], at_b = above ? b[axis] - place : place - b[axis];
        if (at_a >= 0) part.add(a, whole.is_cut[k]);
        if ((at_a >= 0) != (at_b >= 0)) part.add(a + at_a / (at_a - at_b) * (b - a), at_a >= 0 || whole.is_cut[k]);
    }
    return part;
}

void split(Piece whole, double widest, std::vector<Piece>& pieces)
{
    Vec<3> lower = whole.corners[0], upper = lower;
    for (const Vec<3>& corner : whole.corners) {
        lower = lower.cwiseMin(corner);
        upper = upper.cwiseMax(corner);
    }
    int axis = 0;
    if ((upper - lower).maxCoeff(&axis) <= widest) {
        pieces.push_back(std::move(whole));
        return;
    }
    const double middle = 0.5 * (lower[axis] + upper[axis]);
    split(side_of(whole, axis, middle, false), widest, pieces);
    split(side_of(whole, axis, middle, true), widest, pieces);
}

} // namespace

std::vector<Facet> visible_facets(const Polytope<3>& polytope, const Vec<3>& position, const Rotation<3>& orientation,
                                  const Projection<3>& projection, double piece)
{
    std::vector<Facet> facets;
    std::vector<Piece> pieces;
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const Vec<3> normal = orientation * polytope.planes[f].normal;
        if (projection.depth(normal) <= 0) continue;
        const Vec<3> seen(projection.right.dot(normal), projection.up.dot(normal), projection.toward.dot(normal));
        Piece whole;
        for (const std::int32_t v : polytope.face(f)) {
            whole.add(position + orientation * polytope.vertices[std::size_t(v)], false);
        }
        pieces.clear();
        split(std::move(whole), piece, pieces);
        for (const Piece& part : pieces) {
            Facet facet{{}, std::max(0.0, seen.dot(light_direction)), 0, part.is_cut};
            for (const Vec<3>& corner : part.corners) {
                facet.corners.push_back(projection(corner));
                facet.depth += projection.depth(corner) / double(part.corners.size());
            }
            facets.push_back(std::move(facet));
        }
    }
    return facets;
}

std::vector<Pane> panes_of(const io::Frame<2>&, std::size_t, const Projection<2>&, const Vec<2>&) { return {}; }
std::vector<Pane> panes_of(const io::Frame<3>& frame, std::size_t body, const Projection<3>& projection,
                           const Vec<3>& middle)
{
    const Shape<3>& shape = frame.shapes[frame.bodies.shape[body]];
    if (shape.kind != ShapeKind::mesh) return {};
    const TriangleMesh& mesh = frame.shapes.meshes[std::size_t(shape.detail)];
    const auto vertex = [&](std::int32_t v) -> Vec<3> {
        return frame.bodies.position[body] + frame.bodies.orientation[body] * mesh.vertices[std::size_t(v)];
    };
    std::vector<Pane> panes;
    for (const auto& triangle : mesh.triangles) {
        const Vec<3> a = vertex(triangle[0]), b = vertex(triangle[1]), c = vertex(triangle[2]);
        Vec<3> normal = (b - a).cross(c - a).normalized();
        if (projection.depth(normal) < 0) normal = -normal; // the side that is seen
        const Vec<3> seen(projection.right.dot(normal), projection.up.dot(normal), projection.toward.dot(normal));
        panes.push_back({{projection(a), projection(b), projection(c)},
                         projection.depth((a + b + c) / 3),
                         0.4 + 0.6 * std::max(0.0, seen.dot(light_direction)), // thin, and so never quite dark
                         normal.dot(middle - a) > 0});
    }
    return panes;
}

namespace {

template <int D>
std::vector<Vec<D>> circle(const Vec<D>& centre, const Vec<D>& a, const Vec<D>& b)
{
    constexpr int corners = 180; // smooth at any size a picture has
    std::vector<Vec<D>> points;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * M_PI * k / corners;
        points.push_back(centre + std::cos(angle) * a + std::sin(angle) * b);
    }
    return points;
}

// An endless drum is shown as long as what is in it.
Curves<3> drum(const io::Frame<3>& frame, std::size_t body, const Projection<3>& projection)
{
    const Shape<3>& shape = frame.shapes[frame.bodies.shape[body]];
    const Vec<3> axis = frame.bodies.orientation[body] * frame.shapes.hollow_cylinders[std::size_t(shape.detail)].axis;
    const Vec<3>& centre = frame.bodies.position[body];
    double first = 0, last = 0;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const double radius = bounding_radius(frame.shapes, frame.bodies.shape[i]);
        const double place = axis.dot(frame.bodies.position[i] - centre);
        if (!std::isfinite(radius) || !std::isfinite(place)) continue;
        first = std::min(first, place - radius);
        last = std::max(last, place + radius);
    }
    const Vec<3> from = centre + first * axis, to = centre + last * axis;
    const Mat<3> across = shape.radius * frame_of(axis);
    Curves<3> curves = {circle<3>(from, across.col(1), across.col(2)), circle<3>(to, across.col(1), across.col(2))};
    const Vec<3> sideways = axis.cross(projection.toward);
    if (sideways.norm() > 1e-6) {
        const Vec<3> rim = shape.radius * sideways.normalized();
        curves.push_back({from - rim, to - rim});
        curves.push_back({from + rim, to + rim});
    }
    return curves;
}

} // namespace

Curves<2> rounded_walls(const io::Frame<2>& frame, std::size_t body, const Projection<2>& projection)
{
    const Shape<2>& shape = frame.shapes[frame.bodies.shape[body]];
    if (shape.kind != ShapeKind::hollow_ball) return {};
    return {circle<2>(frame.bodies.position[body], shape.radius * projection.right, shape.radius * projection.up)};
}
Curves<3> rounded_walls(const io::Frame<3>& frame, std::size_t body, const Projection<3>& projection)
{
    const Shape<3>& shape = frame.shapes[frame.bodies.shape[body]];
    if (shape.kind == ShapeKind::hollow_cylinder) return drum(frame, body, projection);
    if (shape.kind != ShapeKind::hollow_ball) return {};
    const Vec<3>& centre = frame.bodies.position[body];
    return {circle<3>(centre, shape.radius * projection.right, shape.radius * projection.up), // its silhouette
            circle<3>(centre, Vec<3>(shape.radius, 0, 0), Vec<3>(0, shape.radius, 0))};       // and its equator
}

std::vector<Axis> shown_axes(const Projection<2>&) { return {}; }
std::vector<Axis> shown_axes(const Projection<3>& projection)
{
    return {{"x", projection(Vec<3>(1, 0, 0))}, {"y", projection(Vec<3>(0, 1, 0))}, {"z", projection(Vec<3>(0, 0, 1))}};
}

} // namespace talus::report
