// Verification that is too slow for a test: the random close packings of V18 and V19 (VERIFICATION.md).
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_packing(const Options& options, Report& report);

} // namespace talus::bench
