// The exact stage of detection: gap, normal and contact point of two shapes (MODEL §4).
#pragma once

#include "shapes/shape_table.hpp"

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
    std::uint32_t feature;
};

// true where the exact stage knows the pair of kinds, in either order
bool can_collide(ShapeKind a, ShapeKind b);
// true where the second of the two is the candidate: grains are candidates against walls
bool second_is_candidate(ShapeKind first, ShapeKind second);

// The contact of a candidate and an antagonist; its gap may be anything.
template <int D>
ContactPoint<D> collide(const ShapeTable<D>& shapes, const Placed<D>& candidate, const Placed<D>& antagonist);

} // namespace talus
