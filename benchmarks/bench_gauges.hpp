// What measuring costs.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_gauges(const Options& options, Report& report);

} // namespace talus::bench
