// How many contacts a second the solvers visit, on settled boxes of 10 000 grains.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_solver(const Options& options, Report& report);

} // namespace talus::bench
