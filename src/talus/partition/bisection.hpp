// Recursive coordinate bisection: cut the grains in two across their longest extent so that each side has its share of
// the weight, and go on with the sides. It balances the parts, keeps them compact, and inside a part goes on to small
// leaves: the order of the leaves is a path through the sample that stays local.
#pragma once

#include "talus/math/space.hpp"

#include <cstdint>
#include <vector>

namespace talus {

template <int D>
struct WeightedGrain {
    Vec<D> centre;
    std::int64_t weight; // of the work it brings
    std::int32_t body;
};

// One cut for each part but one, each before those of its low side, then those of its high side: a node of p parts has
// p/2 of them on its low side, so axis and place tell the whole tree.
struct Cut {
    std::int32_t axis;
    double place; // [m] below it lies the low side
};

template <int D>
class Bisection {
  public:
    // Puts the grains in the order of the path; those of part p are then the range from begin[p] to begin[p+1].
    // Ties are broken by the body's number. There may be fewer grains than parts.
    std::vector<std::size_t> divide(std::vector<WeightedGrain<D>>& grains, int parts);

    // The part whose region holds the point.
    int part_of(const Vec<D>& point) const;

    std::vector<Cut> cuts;
};

} // namespace talus
