// The part of a convex polygon that is seen from a point inside it, among lines and circles that stand in the way, up
// to a largest distance R: A = ½∫r² dθ with r(θ) the nearest of all these on the ray. Between the angles where the
// nearest one can change, r is one line or one arc, and its area is known in closed form.
#pragma once

#include "talus/crowd/obstacles.hpp"

namespace talus {

// All is relative to the point.
struct SeenFrom {
    std::span<const Vec<2>> corners; // [m] of the polygon, counter-clockwise; the point is inside
    Outline around;                  // [m] what stands in the way
    double farthest;                 // [m] R
};

struct SeenArea {
    double area = 0;             // [m²] exact
    std::vector<Vec<2>> outline; // [m] counter-clockwise, arcs as chords; only where it is asked for
};

SeenArea seen_area(const SeenFrom& seen, bool with_outline);

// [m] from the origin to the nearest point.
double distance_to(const OutlineLine& line);
double distance_to(const OutlineCircle& circle);

// [m] from the origin along a unit direction; infinite where it is missed.
double distance_along(const Vec<2>& direction, const OutlineLine& line);
double distance_along(const Vec<2>& direction, const OutlineCircle& circle);

} // namespace talus
