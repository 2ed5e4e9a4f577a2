#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// Stress against depth in a silo whose floor sinks, after Janssen (V16).
void bench_silo(const Options& options, Report& report);

} // namespace talus::bench
