// Peak resident memory of a million spheres in contact.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_memory(const Options& options, Report& report);

} // namespace talus::bench
