#include "report/projection.hpp"

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
                                  const Projection<2>& projection)
{
    Facet facet{{}, 1};
    for (const Vec<2>& vertex : polytope.vertices) facet.corners.push_back(projection(position + orientation * vertex));
    return {facet};
}
std::vector<Facet> visible_facets(const Polytope<3>& polytope, const Vec<3>& position, const Rotation<3>& orientation,
                                  const Projection<3>& projection)
{
    std::vector<Facet> facets;
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const Vec<3> normal = orientation * polytope.planes[f].normal;
        if (projection.depth(normal) <= 0) continue;
        const Vec<3> seen(projection.right.dot(normal), projection.up.dot(normal), projection.toward.dot(normal));
        Facet facet{{}, std::max(0.0, seen.dot(light_direction))};
        for (const std::int32_t v : polytope.face(f)) {
            facet.corners.push_back(projection(position + orientation * polytope.vertices[std::size_t(v)]));
        }
        facets.push_back(std::move(facet));
    }
    return facets;
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
