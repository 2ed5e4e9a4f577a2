// Where a gauge looks: a box, a ball (disk in 2D, sphere in 3D) or a cylinder (3D), with a place and a turn of its own,
// so that a body can carry it along. Grains are cut exactly at its surface; where the wall of a cylinder is curved,
// exact slices are integrated to 1e-10 of the grain.
#pragma once

#include "talus/probes/sample.hpp"

namespace talus {

enum class RegionKind { box, ball, cylinder };

template <int D>
struct Region {
    RegionKind kind = RegionKind::box;
    Vec<D> centre = Vec<D>::Zero(); // [m]
    Rotation<D> turn;               // from its own axes to the world's
    Vec<D> half = Vec<D>::Zero();   // [m] half sides of a box; the last one is half the length of a cylinder
    double radius = 0;              // [m] of a ball or a cylinder, whose axis is its own last one

    static Region box(const Vec<D>& lower, const Vec<D>& upper);
    static Region ball(const Vec<D>& centre, double radius);
    static Region cylinder(const Vec<D>& centre, const Vec<D>& axis, double radius, double length); // 3D

    double volume() const;
    double width() const;                     // [m] in its narrowest direction
    bool contains(const Vec<D>& point) const; // half-open: boxes side by side share no point
    Bounds<D> bounds() const;
};

// Of a grain, in the region.
template <int D>
double volume_within(const Region<D>& region, const Sample<D>& sample, std::size_t grain);

// The bounding ball of the grain lies in the region: there is nothing to cut.
template <int D>
bool is_inside(const Region<D>& region, const Sample<D>& sample, std::size_t grain);

} // namespace talus
