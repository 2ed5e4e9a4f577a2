// How much of a grain lies in another body. A cluster is the sum of its parts,
// which share no volume with each other.
#pragma once

#include "talus/probes/sample.hpp"

namespace talus {

struct PairOverlap {
    double volume = 0;
    double depth = 0; // [m] < 0 apart
};

// Of a grain and any other body with this smallest gap in the contact table. Volumes are those of the present
// positions; so is the depth where round shapes or walls give it in closed form, else it is what the table says.
template <int D>
PairOverlap overlap_of_pair(const Sample<D>& sample, std::size_t grain, std::size_t other, double gap);

template <int D>
Bounds<D> bounds_of_grain(const Sample<D>& sample, std::size_t grain);

} // namespace talus
