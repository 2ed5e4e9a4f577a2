// W as a sweep wants it: in frames whose tangents diagonalise the Schur complement of each local block, so that one
// contact is solved exactly (math/coulomb.hpp). W'_αβ = T_αᵀ W_αβ T_β, q' = T_αᵀ q, r' = T_αᵀ r; T turns tangents only.
#pragma once

#include "talus/math/coulomb.hpp"
#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

template <int D>
struct TurnedDelassus : BlockRows<D> { // W'
    std::vector<LocalBlock<D>> local;  // of the symmetric part of W'_αα: a recorded W may be slightly asymmetric
    std::vector<Mat<D>> turn;          // T_α
    std::vector<Vec<D>> free_velocity; // q'

    std::size_t size() const { return free_velocity.size(); }
};

template <int D>
TurnedDelassus<D> turn_delassus(const AssembledProblem<D>& problem);

// The problem's impulses in the turned frames, in their cones, and back. A contact with w_nn ≤ 0 carries none.
template <int D>
std::vector<Vec<D>> turned_impulses(const TurnedDelassus<D>& w, const AssembledProblem<D>& problem);
template <int D>
void return_impulses(AssembledProblem<D>& problem, const TurnedDelassus<D>& w, const std::vector<Vec<D>>& impulse);

// u_α by the true row of W
template <int D>
inline Vec<D> contact_velocity(const TurnedDelassus<D>& w, const std::vector<Vec<D>>& impulse, std::size_t k)
{
    Vec<D> u = w.free_velocity[k];
    for (std::size_t j = w.begin[k]; j < w.begin[k + 1]; ++j) u += w.block[j] * impulse[w.column[j]];
    return u;
}

// b of the local problem, u_α = b + W_αα,sym r_α: its fixed point is that of the true W
template <int D>
inline Vec<D> local_free_velocity(const TurnedDelassus<D>& w, const std::vector<Vec<D>>& impulse, std::size_t k)
{
    return contact_velocity(w, impulse, k) - w.local[k] * impulse[k];
}

} // namespace talus
