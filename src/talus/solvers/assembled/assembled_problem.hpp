// A contact problem by its Delassus matrix: find r in Coulomb's cones with u = W r + q and the contact law between u
// and r at every contact. What a recorded problem is, and what any step's problem becomes when it is assembled.
#pragma once

#include "talus/solvers/residual.hpp"
#include "talus/solvers/solver.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace talus {

// W by block rows, columns in increasing order, the diagonal block always there. It may be rank-deficient, and slightly
// asymmetric where it was recorded elsewhere.
template <int D>
struct BlockRows {
    std::vector<std::size_t> begin; // of each block row; one more at the end
    std::vector<std::int32_t> column;
    std::vector<Mat<D>> block; // W_αβ [1/kg], components normal, tangential(s)
};

template <int D>
struct AssembledProblem : BlockRows<D> {
    std::vector<Vec<D>> free_velocity; // q [m/s], the law's offset included
    std::vector<double> friction;      // μ
    std::vector<Vec<D>> impulse;       // r [N s], where the solver starts and what it returns
    double unit = 0;                   // [m/s] in which residuals are told; 0: the rms of q
    double reference_velocity = 0;     // [m/s] v_ref of the run that recorded it (MODEL §2); 0: not known

    std::size_t size() const { return free_velocity.size(); }
};

// Recorded coefficients of friction go up to here: their squares are numbers.
inline constexpr double largest_friction = 1e100;

// u_α = Σ_β W_αβ r_β + q_α
template <int D>
Vec<D> contact_velocity(const AssembledProblem<D>& problem, std::size_t k)
{
    Vec<D> u = problem.free_velocity[k];
    for (std::size_t j = problem.begin[k]; j < problem.begin[k + 1]; ++j) {
        u += problem.block[j] * problem.impulse[problem.column[j]];
    }
    return u;
}

// W_αα
template <int D>
const Mat<D>& diagonal_block(const AssembledProblem<D>& problem, std::size_t k)
{
    const auto first = problem.column.begin() + std::ptrdiff_t(problem.begin[k]);
    const auto last = problem.column.begin() + std::ptrdiff_t(problem.begin[k + 1]);
    return problem.block[std::size_t(std::lower_bound(first, last, std::int32_t(k)) - problem.column.begin())];
}

// A step's problem with its matrix. Rolling friction has no place in W: refused by name.
template <int D>
AssembledProblem<D> assemble_matrix(const ContactProblem<D>& problem);

// How well (r, u = W r + q) satisfies the law, whatever the algorithm.
struct ProblemErrors {
    double scaled = 0;         // rms over contacts of the natural map scaled by W_αα, over the rms of q
    double scaled_max = 0;     // its largest contact
    double run = 0;            // the same rms in units of v_ref where it is known, else 0
    double siconos = 0;        // ‖r − P_K(r − u − μ‖u_T‖n)‖ / max(‖q‖, ‖r‖, ‖u‖)
    double cone_violation = 0; // largest ‖r_T‖ − μ r_N, over the largest ‖r‖; also −r_N
    double worst_approach = 0; // [m/s] largest −u_N
    double dissipation = 0;    // [J] −Σ r_T·u_T
    std::size_t left_out = 0;  // contacts that carry nothing: no positive compliance along the normal
};
template <int D>
ProblemErrors judge(const AssembledProblem<D>& problem);

// [m/s] in which natural_residual() tells: the problem's unit, the rms of q where it has none, 1 where that is 0
template <int D>
double residual_unit(const AssembledProblem<D>& problem);

// The rms over contacts of the scaled natural map in units of `problem.unit`, and its largest contact.
template <int D>
Residual natural_residual(const AssembledProblem<D>& problem);

template <int D>
class AssembledSolver {
  public:
    virtual ~AssembledSolver() = default;
    virtual SolveReport solve(AssembledProblem<D>& problem) = 0;
    virtual void set_tolerance(double) {} // of the problems to come
};

// By its name among the kinds of solvers that can (solver_kind.hpp). Refuses other names.
template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_solver(const SolverOptions& options);

} // namespace talus
