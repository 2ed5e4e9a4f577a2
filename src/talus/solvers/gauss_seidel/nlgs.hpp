// Non-linear Gauss-Seidel (Moreau, Jean; BALLAST §3.2): sweep the contacts, solve each exactly with the others frozen.
// Two storages, same iterates: ELG keeps body velocities up to date, SDL keeps the Delassus matrix.
#pragma once

#include "talus/solvers/solver.hpp"

namespace talus {

template <int D>
std::unique_ptr<Solver<D>> make_nlgs_elg(const SolverOptions& options);
template <int D>
std::unique_ptr<Solver<D>> make_nlgs_sdl(const SolverOptions& options);

} // namespace talus
