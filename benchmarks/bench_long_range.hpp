// Forces of long range (docs/long-range.md): error of cells and tree against the sum of all pairs, cost, threads.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_long_range(const Options& options, Report& report);

} // namespace talus::bench
