// Any solver of assembled problems as the solver of a step: assemble, solve, give the impulses to the bodies.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

template <int D>
class OnAssembled final : public Solver<D> {
  public:
    // `options` are those of the solver
    OnAssembled(std::unique_ptr<AssembledSolver<D>> solver, const SolverOptions& options)
        : solver_(std::move(solver)), options_(options)
    {
    }

    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        AssembledProblem<D> assembled = assemble_matrix(problem);
        SolveReport report = solver_->solve(assembled);
        for (std::size_t k = 0; k < problem.rows.size(); ++k) {
            ContactRow<D>& row = problem.rows[k];
            row.impulse = assembled.impulse[k];
            give_impulse<D>(row, problem.bodies[row.candidate], problem.bodies[row.antagonist],
                            row.frame * row.impulse);
        }
        const std::string why = report.ended == "reached" ? "stalled" : report.ended;
        conclude(report, natural_residual(problem), options_,
                 why.c_str()); // at the velocities that the bodies now have
        return report;
    }

    void set_tolerance(double aimed, double) override
    {
        options_.tolerance = aimed;
        solver_->set_tolerance(aimed);
    }
    bool uses_partition() const override { return false; }

  private:
    std::unique_ptr<AssembledSolver<D>> solver_;
    SolverOptions options_;
};

} // namespace talus
