// Detection, solver and growth on the recorded deposit of polyhedra.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_polyhedra(const Options& options, Report& report);

} // namespace talus::bench
