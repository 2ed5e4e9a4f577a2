#include "talus/shapes/ball_contact.hpp"

#include <algorithm>
#include <stdexcept>

namespace talus {

namespace {

// A ball against whatever shows it the nearest surface point along `offset` = centre − nearest point of a core (a point
// or a line): the surface lies at `core_radius` from the core.
template <int D>
ContactPoint<D> ball_outside(const Vec<D>& centre, double radius, const Vec<D>& offset, double core_radius,
                             const Vec<D>& fallback)
{
    const double distance = offset.norm();
    const Vec<D> normal = distance > 0 ? Vec<D>(offset / distance) : fallback;
    const double gap = distance - core_radius - radius;
    return {centre - (radius + 0.5 * gap) * normal, normal, gap};
}

// A ball inside a hollow of `hollow_radius`, at `offset` from its centre or axis.
template <int D>
ContactPoint<D> ball_inside(const Vec<D>& centre, double radius, const Vec<D>& offset, double hollow_radius,
                            const Vec<D>& fallback)
{
    const double distance = offset.norm();
    const Vec<D> normal = distance > 0 ? Vec<D>(-offset / distance) : fallback;
    const double gap = hollow_radius - distance - radius;
    return {centre - (radius + 0.5 * gap) * normal, normal, gap};
}

template <int D>
Vec<D> any_perpendicular(const Vec<D>& direction)
{
    const double length = direction.norm();
    return length > 0 ? Vec<D>(frame_of(Vec<D>(direction / length)).col(1)) : Vec<D>(Vec<D>::Unit(D - 1));
}

template <int D>
ContactPoint<D> ball_and_segment(const Vec<D>& centre, double radius, const Placed<D>& rod, const Vec<D>& half_in_body)
{
    const Vec<D> half = rod.orientation * half_in_body;
    const Vec<D> offset = centre - rod.position;
    const double length = half.squaredNorm();
    const double along = length > 0 ? std::clamp(offset.dot(half) / length, -1.0, 1.0) : 0.0;
    return ball_outside<D>(centre, radius, offset - along * half, rod.shape.radius, any_perpendicular<D>(half));
}

ContactPoint<3> ball_and_hollow_cylinder(const Vec<3>& centre, double radius, const Placed<3>& drum,
                                         const Vec<3>& axis_in_body)
{
    const Vec<3> axis = drum.orientation * axis_in_body;
    const Vec<3> offset = centre - drum.position;
    return ball_inside<3>(centre, radius, offset - offset.dot(axis) * axis, drum.shape.radius,
                          any_perpendicular<3>(axis));
}
ContactPoint<2> ball_and_hollow_cylinder(const Vec<2>&, double, const Placed<2>&, const Vec<3>&)
{
    throw std::logic_error("a hollow cylinder lives in three dimensions");
}

} // namespace

bool has_ball_formula(ShapeKind other)
{
    return other != ShapeKind::polytope && other != ShapeKind::cluster && other != ShapeKind::mesh;
}

template <int D>
ContactPoint<D> ball_contact(const ShapeTable<D>& shapes, const Vec<D>& centre, double radius,
                             const Placed<D>& antagonist)
{
    const Shape<D>& other = antagonist.shape;
    const Vec<D> up = Vec<D>::Unit(D - 1);
    switch (other.kind) {
    case ShapeKind::ball:
        return ball_outside<D>(centre, radius, centre - antagonist.position, other.radius, up);
    case ShapeKind::half_space: {
        const Vec<D> normal = antagonist.orientation * shapes.half_spaces[other.detail].normal;
        const double gap = (centre - antagonist.position).dot(normal) - radius;
        return {centre - (radius + 0.5 * gap) * normal, normal, gap};
    }
    case ShapeKind::segment:
        return ball_and_segment<D>(centre, radius, antagonist, shapes.segments[other.detail].half);
    case ShapeKind::hollow_ball:
        return ball_inside<D>(centre, radius, centre - antagonist.position, other.radius, up);
    case ShapeKind::hollow_cylinder:
        return ball_and_hollow_cylinder(centre, radius, antagonist, shapes.hollow_cylinders[other.detail].axis);
    default:
        break;
    }
    throw std::logic_error("ball_contact: no formula for a " + shape_name<D>(other.kind));
}

template ContactPoint<2> ball_contact(const ShapeTable<2>&, const Vec<2>&, double, const Placed<2>&);
template ContactPoint<3> ball_contact(const ShapeTable<3>&, const Vec<3>&, double, const Placed<3>&);

} // namespace talus
