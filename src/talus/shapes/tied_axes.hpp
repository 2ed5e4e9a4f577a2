// Axes of least overlap that tie. Two corners, or two parallel edges, that overlap by little can be parted along a
// range of directions; the axes at its ends, face normals mostly, are as good as each other. The one direction of the
// range that a mirror and a swap of the two sets leave in place is its middle: the centre of the smallest cap on the
// unit sphere that holds the tied axes.
#pragma once

#include "talus/shapes/convex.hpp"

namespace talus {

template <int D>
struct Axis {
    Vec<D> direction;  // unit, from a to b
    double separation; // [m] of the sets without their roundings; < 0: minus the overlap
};

// Axes closer to each other than this are one: what rounding makes of a direction, with room.
inline constexpr double same_axis = 1e-12;

inline constexpr double shallow = 1e-2; // overlap along the middle, of the size of the smaller set

// false: the directions do not fit into less than a half sphere
template <int D>
bool middle_of(std::span<const Axis<D>> axes, Vec<D>& middle);

template <int D>
struct ChosenAxis {
    Axis<D> axis;
    bool tied; // it is the middle of several
};

// Of axes that tie, one at least, the middle; where there is a previous direction, that of them and their middle which
// is nearest to it. The middle is for sets that overlap by little: deeper, the shortest way out counts.
template <int D>
ChosenAxis<D> choose_axis(const Convex<D>& a, const Convex<D>& b, const Vec<D>& offset, std::span<const Axis<D>> axes,
                          const Vec<D>* previous);

} // namespace talus
