// Speed-up and efficiency: the same step on more and more threads, on the same partition, and where the time goes.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_parallel(const Options& options, Report& report);

} // namespace talus::bench
