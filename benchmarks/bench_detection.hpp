// `talus bench detection`: time per call of every detection method against the number of bodies.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void run_detection(const Options& options, Report& report);

} // namespace talus::bench
