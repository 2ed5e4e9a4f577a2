// How many contacts a second the solvers visit, on settled boxes of 10 000 grains.
#pragma once

#include "benchmarks/bench.hpp"
#include "talus/solvers/contact_problem.hpp"
#include "talus/solvers/solver.hpp"

namespace talus::bench {

struct UpdateRate {
    double rate;        // [1/s] every contact that the solver keeps counts, each sweep; preparation apart
    double preparation; // [s] warm start or assembly, one sweep and the residual
};
// The best of several runs.
template <int D>
UpdateRate updates_per_second(const ContactProblem<D>& problem, SolverOptions solver);

void bench_solver(const Options& options, Report& report);

} // namespace talus::bench
