// Does the decomposition change the physics? A stabilisation in small (BALLAST ch. 7): the same loaded, vibrating
// sample with one domain and with 2×2×1 to 5×5×5 sub-domains, n_DDM = 100 and n = m = 1.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_decompositions(const Options& options, Report& report);

} // namespace talus::bench
