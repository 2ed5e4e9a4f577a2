#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// Smooth DEM on the cases of the published benchmark of open-source codes (Dosta et al. 2024): unit checks always, and
// of impact25k, beds, impact100k, silo and drum those that --only names. Each keeps its runs in out/bench-dosta/.
void bench_dosta(const Options& options, Report& report);

} // namespace talus::bench
