// Crowds: cost of a step by the three treatments of contact, and the methods of detection that CROWD §2.3 weighs.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_crowd(const Options& options, Report& report);

} // namespace talus::bench
