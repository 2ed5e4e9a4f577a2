// Domain decomposition with non-linear Gauss-Seidel (BALLAST ch. 4, 5, 10; MODEL §3). Outer iterations: n sweeps on
// each sub-domain, all at once on threads, and m sweeps on the interface Γ between them.
#pragma once

#include "talus/solvers/solver.hpp"

namespace talus {

// Algorithms 1 and 2: Γ after the sub-domains. The same bits for any number of threads.
template <int D>
std::unique_ptr<Solver<D>> make_ddm(const SolverOptions& options);

// Algorithm 3: Γ beside the sub-domains, with a barrier after each outer iteration ("ddm_async") or only where the
// criterion is looked at ("ddm_free"). Threads see one another's changes when they come: other bits each time.
template <int D>
std::unique_ptr<Solver<D>> make_ddm_async(const SolverOptions& options);

} // namespace talus
