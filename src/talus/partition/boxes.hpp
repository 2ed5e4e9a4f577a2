// The boxes of BALLAST §4.1: space cut into n_x × n_y (× n_z) equal boxes; a grain belongs to the one that holds its
// centre of mass. Numbered like the cells of a detector, x first.
#pragma once

#include "talus/math/space.hpp"

#include <array>

namespace talus {

template <int D>
struct Boxes {
    std::array<int, D> count; // per axis
    Vec<D> lower, upper;      // [m] what they span; a point outside belongs to the nearest

    int size() const
    {
        int product = 1;
        for (const int n : count) product *= n;
        return product;
    }

    int part_of(const Vec<D>& point) const
    {
        int part = 0;
        for (int axis = D - 1; axis >= 0; --axis) {
            const double extent = upper[axis] - lower[axis];
            const double at = extent > 0 ? double(count[axis]) * ((point[axis] - lower[axis]) / extent) : 0.0;
            const int box = at > 0 ? int(std::min(at, double(count[axis] - 1))) : 0;
            part = part * count[axis] + box;
        }
        return part;
    }
};

} // namespace talus
