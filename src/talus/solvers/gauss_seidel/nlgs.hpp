// Non-linear Gauss-Seidel (Moreau, Jean; BALLAST §3.2): sweep the contacts, solve each exactly with the others frozen.
// Two storages, same iterates: ELG keeps body velocities up to date, SDL keeps the Delassus matrix.
#pragma once

#include "talus/solvers/solver_kind.hpp"

namespace talus {

SolverMakers nlgs_elg_makers();

} // namespace talus
