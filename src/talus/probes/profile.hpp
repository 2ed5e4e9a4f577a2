// How indicators change along an axis: the sample in slabs of equal thickness.
#pragma once

#include "talus/probes/indicator.hpp"

namespace talus {

// Compacity, pressure, coordination and mean speed against the place along `axis`; a slab without a grain has no value
// (not a number). Slabs are as thin as a mean grain, and no more than `most_slabs`.
template <int D>
std::vector<Distribution> profiles(const Snapshot<D>& snapshot, int axis = D - 1, int most_slabs = 40);

} // namespace talus
