#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// Moreau's compression box: the stress tensor against the forces on 21 diameters (R4), and against the walls (V21).
void bench_compression(const Options& options, Report& report);

} // namespace talus::bench
