// How good, how soon: the residual against sweeps and seconds for every solver on the same recorded problems.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

// The step recorded from a deposit of 2000 polyhedra, and with --problems every FCLIB problem of a folder; where the
// folder has a siconos.csv (columns problem, nc, cpu_s, err_scaled), times are compared with its fastest rows.
void bench_convergence(const Options& options, Report& report);

} // namespace talus::bench
