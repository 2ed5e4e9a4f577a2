// Separation of two convex sets by trying all their features, in long double: what `separate` is measured against.
#pragma once

#include "talus/shapes/convex.hpp"

namespace talus {

template <int D>
using LongVec = Eigen::Matrix<long double, D, 1>;

// Everything relative to the centre of a, without the roundings of the sets.
template <int D>
struct ReferenceSeparation {
    long double distance;  // apart: between the closest features; overlapping: minus the depth
    LongVec<D> direction;  // unit, from a to b, along which it is measured
    bool overlaps = false; // no axis shows a gap
};
template <int D>
ReferenceSeparation<D> reference_separation(const Convex<D>& a, const Convex<D>& b);

// least height of b above the highest vertex of a, along a unit direction
template <int D>
long double reference_separation_along(const Convex<D>& a, const Convex<D>& b, const LongVec<D>& direction);

// Distance of a point, relative to the centre of the set, from its surface; < 0 inside.
template <int D>
long double reference_height(const Convex<D>& set, const Vec<D>& point);

} // namespace talus
