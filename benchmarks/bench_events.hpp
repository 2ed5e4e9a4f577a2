#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_events(const Options& options, Report& report);

} // namespace talus::bench
