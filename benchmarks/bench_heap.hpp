#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// Heaps that grow grain by grain: slope, forces through cuts, contact directions (R4, V20).
void bench_heap(const Options& options, Report& report);

} // namespace talus::bench
