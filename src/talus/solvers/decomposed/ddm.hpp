// Domain decomposition with non-linear Gauss-Seidel (BALLAST ch. 4, 5, 10; MODEL §3). Outer iterations: n sweeps on
// each sub-domain, all at once on threads, and m sweeps on the interface Γ between them.
#pragma once

#include "talus/solvers/solver_kind.hpp"

namespace talus {

// Algorithms 1 and 2: Γ after the sub-domains. The same bits for any number of threads.
SolverMakers ddm_makers();

// Algorithm 3: Γ beside the sub-domains, with a barrier after each outer iteration ("ddm_async") or only where the
// criterion is looked at ("ddm_free"). Threads see one another's changes when they come: other bits each time.
SolverMakers ddm_async_makers();

} // namespace talus
