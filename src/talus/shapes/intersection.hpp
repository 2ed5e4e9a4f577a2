// Volumes (areas in 2D) that a convex polytope shares with other solids: another polytope, half-spaces, a ball, a rod,
// a cylinder, and the part of it beyond the wall of a bowl or a drum. Exact to rounding, about 1e-13 of the smaller
// solid; where the wall of a rod or a drum is curved in 3D, exact slices are integrated to 1e-10 of the polytope. No
// result is negative or larger than either solid. Positions are taken relative to each other, never to the world.
#pragma once

#include "talus/shapes/shape_table.hpp"

#include <span>

namespace talus {

// A polytope where its body has put it.
template <int D>
struct PlacedPolytope {
    const Polytope<D>& polytope;
    const Vec<D>& position;
    const Rotation<D>& orientation;
};

template <int D>
double intersection_volume(const PlacedPolytope<D>& a, const PlacedPolytope<D>& b);
template <int D>
double intersection_volume(const Polytope<D>& a, const Vec<D>& position_a, const Rotation<D>& orientation_a,
                           const Polytope<D>& b, const Vec<D>& position_b, const Rotation<D>& orientation_b)
{
    return intersection_volume<D>({a, position_a, orientation_a}, {b, position_b, orientation_b});
}

// The part on the inner side, normal·x ≤ offset in the world, of every plane; the whole without planes.
template <int D>
double volume_inside(const PlacedPolytope<D>& solid, std::span<const Plane<D>> half_spaces);
template <int D>
double volume_inside(const Polytope<D>& polytope, const Vec<D>& position, const Rotation<D>& orientation,
                     std::span<const Plane<D>> half_spaces)
{
    return volume_inside<D>({polytope, position, orientation}, half_spaces);
}

// The part within a ball, and the part outside of it: beyond the wall of a bowl.
template <int D>
double volume_in_ball(const PlacedPolytope<D>& solid, const Vec<D>& centre, double radius);
template <int D>
double volume_outside_ball(const PlacedPolytope<D>& solid, const Vec<D>& centre, double radius);

// The part within a straight rod from centre − half to centre + half, rounded by `radius`.
template <int D>
double volume_in_rod(const PlacedPolytope<D>& solid, const Vec<D>& centre, const Vec<D>& half, double radius);

// The part outside an endless cylinder: beyond the wall of a drum.
double volume_outside_cylinder(const PlacedPolytope<3>& solid, const Vec<3>& centre, const Vec<3>& axis, double radius);

// The part within a cylinder from centre − half to centre + half, with flat ends.
double volume_in_cylinder(const PlacedPolytope<3>& solid, const Vec<3>& centre, const Vec<3>& half, double radius);

// The part in the solid of an unbounded wall: a half-space, a bowl or a drum.
template <int D>
double volume_in_wall(const PlacedPolytope<D>& solid, const ShapeTable<D>& shapes, std::int32_t wall,
                      const Vec<D>& position, const Rotation<D>& orientation);

} // namespace talus
