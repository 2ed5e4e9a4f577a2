// Closest points of two convex sets that are apart (Gilbert, Johnson, Keerthi 1988): a simplex of vertex differences
// walks towards the origin.
#pragma once

#include "talus/shapes/projection.hpp"

namespace talus {

struct Closest {
    Vec<3> on_a, on_b;      // relative to the centre of a
    Vec<3> direction;       // unit, from a to b
    double distance = 0;    // between them: never less than the true distance
    double lower_bound = 0; // never more than it, to rounding
};

// `start`: a direction from a to b to begin with. Returns as soon as the distance is known to exceed `far` (then only
// lower_bound and the points' difference, which shows it, mean anything) or to be below `touching`.
Closest closest_points(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset, const Vec<3>& start, double far,
                       double touching);

// The same by trying all pairs of features: slow and sure.
Closest closest_features(const Convex<3>& a, const Convex<3>& b, const Vec<3>& offset);

} // namespace talus
