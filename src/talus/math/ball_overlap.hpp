// Volumes (areas in 2D) that a ball shares with other solids. Closed forms throughout, except a ball against a cylinder
// in 3D: Gauss-Legendre over exact slices, to 1e-10 of the ball. Tiny penetrations keep their relative accuracy: caps
// are written by their heights, and heights as products with the penetration.
#pragma once

#include "talus/math/space.hpp"

namespace talus {

// The lens of two balls; the smaller ball where it lies inside the other.
template <int D>
double overlap_of_balls(double radius_a, double radius_b, double distance);

// Of a ball whose centre is `height` above a plane (negative: below), the part below.
template <int D>
double ball_below_plane(double radius, double height);

// The part within an axis-aligned box.
template <int D>
double ball_in_box(const Vec<D>& centre, double radius, const Vec<D>& lower, const Vec<D>& upper);

// The part outside a bowl (a larger ball) whose centre is `distance` away.
template <int D>
double ball_outside_bowl(double radius, double bowl_radius, double distance);

// The part of a sphere outside, or inside, an endless cylinder whose axis is `distance` away from its centre.
double ball_outside_drum(double radius, double drum_radius, double distance);
double ball_in_cylinder(double radius, double cylinder_radius, double distance);

// The part within a cylinder that ends at two planes across its axis, at these heights from the centre of the ball.
double ball_in_cylinder(double radius, double cylinder_radius, double distance, double lower, double upper);

// The part within an endless rod around an axis that is `distance` away: a strip in 2D, a cylinder in 3D.
template <int D>
double ball_in_rod(double radius, double rod_radius, double distance);

} // namespace talus
