// Force chains: a segment per contact from centre to centre through the force that passes.
#pragma once

#include "talus/report/drawing/projection.hpp"

#include <limits>

namespace talus::report {

// Those of contacts that push, at most `reach` from the plane at this depth; 2D: weakest first, 3D: farthest first.
template <int D>
std::vector<Chain> chains_of(const io::Frame<D>& frame, const Projection<D>& projection, double depth = 0,
                             double reach = std::numeric_limits<double>::infinity());

void sort_by_force(std::vector<Chain>& chains);           // weakest first
double strongest_force(const std::vector<Chain>& chains); // [N] 0 where there are none

} // namespace talus::report
