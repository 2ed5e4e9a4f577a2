// The Academic deposit of BALLAST: it comes to rest, and then nothing moves for a second.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_deposit(const Options& options, Report& report);

} // namespace talus::bench
