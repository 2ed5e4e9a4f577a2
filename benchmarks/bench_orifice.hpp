#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// Mass flow through openings of several sizes, after Beverloo (V17).
void bench_orifice(const Options& options, Report& report);

} // namespace talus::bench
