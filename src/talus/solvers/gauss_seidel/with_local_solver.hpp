// A solver in one of its two variants: one contact is solved as `local` of the options says.
#pragma once

#include "talus/solvers/gauss_seidel/nlgs_visit.hpp"
#include "talus/solvers/solver_kind.hpp"

namespace talus {

// Made is Solver or AssembledSolver.
template <template <int> class Made, template <int, LocalSolver> class Method, int D>
std::unique_ptr<Made<D>> with_local_solver(const SolverOptions& options)
{
    if (options.local == "projection") return std::make_unique<Method<D, LocalSolver::projection>>(options);
    return std::make_unique<Method<D, LocalSolver::exact>>(options);
}

template <template <int, LocalSolver> class Method>
SolverMakers makers_with_local_solver()
{
    return {with_local_solver<Solver, Method, 2>, with_local_solver<Solver, Method, 3>};
}

} // namespace talus
