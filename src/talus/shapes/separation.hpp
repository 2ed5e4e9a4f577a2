// How two convex sets lie to each other: their distance where they are apart, the least translation that parts them
// where they overlap. Exact to rounding in both cases (MODEL §4). Where several translations are the shortest, the
// overlap along the direction in their middle (tied_axes.hpp).
#pragma once

#include "talus/shapes/convex.hpp"

namespace talus {

template <int D>
struct Separation {
    Vec<D> direction;  // unit, from a to b; where the sets are further apart than asked, a direction that shows it
    double distance;   // [m] roundings included; < 0: minus the depth
    bool has_closest;  // the two points below are known: the sets without their roundings are apart
    Vec<D> on_a, on_b; // [m] closest points of the sets without their roundings, relative to the centre of a
    bool tied = false; // the middle of several axes that are equally good: a corner on a corner, an edge along an edge
};

// What is known from before.
template <int D>
struct AxisHint {
    const Vec<D>* previous = nullptr; // direction of the contact in the last step; of the axes within `axis_slack` of
                                      // the best, and their middle, the one nearest to it is taken: normals do not
                                      // flicker, and do not turn when a gap between corners closes
};
// Axes that tie, of the size of the smaller set: those that were a pair's in the last step, and those of a new pair,
// which are equal but for rounding.
inline constexpr double axis_slack = 1e-6, new_axis_slack = 1e-9;

// true where `direction`, unit and from a to b, shows the sets to be further apart than `alert`
template <int D>
bool is_parted(const Convex<D>& a, const Convex<D>& b, double alert, const Vec<D>& direction);
template <>
bool is_parted(const Convex<2>& a, const Convex<2>& b, double alert, const Vec<2>& direction);
template <>
bool is_parted(const Convex<3>& a, const Convex<3>& b, double alert, const Vec<3>& direction);

// false: further apart than `alert`
template <int D>
bool separate(const Convex<D>& a, const Convex<D>& b, double alert, const AxisHint<D>& hint, Separation<D>& result);
template <>
bool separate(const Convex<2>& a, const Convex<2>& b, double alert, const AxisHint<2>& hint, Separation<2>& result);
template <>
bool separate(const Convex<3>& a, const Convex<3>& b, double alert, const AxisHint<3>& hint, Separation<3>& result);

} // namespace talus
