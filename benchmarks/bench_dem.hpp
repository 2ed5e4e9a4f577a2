// Smooth DEM beside LAMMPS and LIGGGHTS: the same packing, law and time step, in the same run.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

void bench_dem(const Options& options, Report& report);

} // namespace talus::bench
