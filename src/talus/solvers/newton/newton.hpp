// The referee (docs/referee.md): solves what Gauss-Seidel does not, to any accuracy, for problems of up to some
// thousand contacts. Semi-smooth Newton steps close to a solution, a central path to come close, sparse factorisations
// in both.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

// `sweeps` of the options and of the report count factorisations.
template <int D>
std::unique_ptr<AssembledSolver<D>> make_newton(const SolverOptions& options);

} // namespace talus
