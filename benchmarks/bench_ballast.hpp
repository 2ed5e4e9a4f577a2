// BALLAST's studies on a track (REFERENCE R5), each with the document's table beside ours.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_tamping(const Options& options, Report& report);       // one cycle to its end
void bench_withdrawal(const Options& options, Report& report);    // what it does to compacity, over seeds
void bench_stabilisation(const Options& options, Report& report); // settlement and compacity, in small
void bench_time_steps(const Options& options, Report& report);    // §10.2
void bench_adaptive_load(const Options& options, Report& report); // §10.1
void bench_equal_overlap(const Options& options, Report& report); // sweeps against what is left of overlap
void bench_full_cycle(const Options& options, Report& report);    // windows in each phase at full size

} // namespace talus::bench
