// Smooth contact in figures for docs/smooth.md: piles that hold and creep, heights of bounces, orders of integrators.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_smooth(const Options& options, Report& report);

} // namespace talus::bench
