// A cube that bounces without loss on a floor and on a fixed cube, with corner, edge, face, and turned at random: the
// energy that smooth contact keeps, and its time per contact, for each kind of dem.overlap (docs/smooth.md).
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_bounce(const Options& options, Report& report);

} // namespace talus::bench
