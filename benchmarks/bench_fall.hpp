// 100 000 spheres falling into a box: how long it takes, how far the grains sink into one another, and how true the
// time left was that the progress line would have shown.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_fall(const Options& options, Report& report);

} // namespace talus::bench
