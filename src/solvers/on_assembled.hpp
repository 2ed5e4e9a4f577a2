// Any solver of assembled problems as the solver of a step: assemble, solve, give the impulses to the bodies.
#pragma once

#include "solvers/assembled_problem.hpp"

namespace talus {

template <int D>
class OnAssembled final : public Solver<D> {
  public:
    // `tolerance` is that of the solver
    OnAssembled(std::unique_ptr<AssembledSolver<D>> solver, double tolerance)
        : solver_(std::move(solver)), tolerance_(tolerance)
    {
    }

    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        AssembledProblem<D> assembled = assemble(problem);
        // where v_ref is 0, residuals are in m/s and 1e-12 counts as 0
        if (!(problem.reference_velocity > 0)) assembled.unit = 1e-12 / tolerance_;
        SolveReport report = solver_->solve(assembled);
        for (std::size_t k = 0; k < problem.rows.size(); ++k) {
            ContactRow<D>& row = problem.rows[k];
            row.impulse = assembled.impulse[k];
            give_impulse<D>(row, problem.bodies[row.candidate], problem.bodies[row.antagonist],
                            row.frame * row.impulse);
        }
        const Residual residual = natural_residual(problem); // at the velocities that the bodies now have
        report.residual = residual.rms;
        report.residual_max = residual.maximum;
        return report;
    }

    void set_tolerance(double tolerance) override
    {
        tolerance_ = tolerance;
        solver_->set_tolerance(tolerance);
    }
    bool uses_partition() const override { return false; }

  private:
    std::unique_ptr<AssembledSolver<D>> solver_;
    double tolerance_;
};

} // namespace talus
