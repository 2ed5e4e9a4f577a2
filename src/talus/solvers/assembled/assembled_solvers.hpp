// The solvers of assembled problems.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

// non-linear Gauss-Seidel on the stored Delassus matrix (SDL)
template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_nlgs(const SolverOptions& options);

// Gauss-Seidel with momentum, and the referees where that does not reach the tolerance (docs/solver.md)
template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_auto(const SolverOptions& options);

// the second referee; `sweeps` of the options and of the report count its iterations
template <int D>
std::unique_ptr<AssembledSolver<D>> make_admm(const SolverOptions& options);

} // namespace talus
