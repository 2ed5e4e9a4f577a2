// The default: block Gauss-Seidel over pairs of bodies, eight pairs at a time, with momentum (docs/solver.md).
#pragma once

#include "talus/solvers/solver.hpp"

namespace talus {

template <int D>
std::unique_ptr<Solver<D>> make_auto(const SolverOptions& options);

} // namespace talus
