// Gap, normal and contact point of a ball against every shape that has a formula for it (MODEL §4).
#pragma once

#include "talus/shapes/shape_table.hpp"

namespace talus {

// Where a shape is.
template <int D>
struct Placed {
    const Shape<D>& shape;
    const Vec<D>& position;
    const Rotation<D>& orientation;
};

template <int D>
struct ContactPoint {
    Vec<D> point;  // the middle between the two surfaces
    Vec<D> normal; // from the antagonist to the candidate
    double gap;
    std::uint64_t feature = 0; // what touches: parts of the two bodies and features of these; 0 for two balls
    std::uint8_t points = 1;   // in the same manifold: 1 simple, 2 double, 3 or more triple
};

// true where ball_contact knows the other shape
bool has_ball_formula(ShapeKind other);

// The contact of a ball (the candidate) and an antagonist; its gap may be anything.
template <int D>
ContactPoint<D> ball_contact(const ShapeTable<D>& shapes, const Vec<D>& centre, double radius,
                             const Placed<D>& antagonist);
template <int D>
ContactPoint<D> ball_contact(const ShapeTable<D>& shapes, const Placed<D>& ball, const Placed<D>& antagonist)
{
    return ball_contact<D>(shapes, ball.position, ball.shape.radius, antagonist);
}

} // namespace talus
