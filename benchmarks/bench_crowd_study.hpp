// Crowds against experiments: speed against density, bottlenecks, lanes, faster-is-slower, the three methods.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_crowd_study(const Options& options, Report& report);

// Figures of CROWD redrawn: 2.8 and 2.9 (restitution), 2.11 and 2.12 (one disk and the ground).
void redraw_crowd_figures(const Options& options, Report& report);

} // namespace talus::bench
