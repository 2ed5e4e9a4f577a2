// Measurements that several verification studies share.
#pragma once

#include "talus/probes/region.hpp"
#include "talus/simulation/simulation.hpp"

#include <span>
#include <string>

namespace talus::bench {

template <int D>
std::size_t body_named(const Simulation<D>& simulation, const std::string& name);

// Mean stress of a region (MODEL §5): tension is positive.
template <int D>
Mat<D> stress_in(const Simulation<D>& simulation, const Region<D>& region);
// Of several regions that share the work.
template <int D>
std::vector<Mat<D>> stress_in(const Simulation<D>& simulation, std::span<const Region<D>> regions);

} // namespace talus::bench
