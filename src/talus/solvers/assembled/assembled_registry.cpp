#include "talus/base/error.hpp"
#include "talus/solvers/assembled/problem_units.hpp"
#include "talus/solvers/solver_kind.hpp"

namespace talus {

namespace {

// A solver that sees every problem in units of its own.
template <int D>
class InUnits final : public AssembledSolver<D> {
  public:
    explicit InUnits(std::unique_ptr<AssembledSolver<D>> solver) : solver_(std::move(solver)) {}

    SolveReport solve(AssembledProblem<D>& problem) override
    {
        const ProblemUnits units = units_of(problem);
        AssembledProblem<D> scaled = in_units(problem, units);
        SolveReport report = solver_->solve(scaled);
        problem = out_of_units(scaled, std::move(problem), units);
        return report;
    }
    void set_tolerance(double tolerance) override { solver_->set_tolerance(tolerance); }

  private:
    std::unique_ptr<AssembledSolver<D>> solver_;
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_solver(const SolverOptions& options)
{
    std::vector<std::string> known;
    for (const SolverKind& kind : solver_kinds()) {
        const AssembledMaker<D> make = kind.assembled.in<D>();
        if (make && kind.name == options.name) return std::make_unique<InUnits<D>>(make(options));
        if (make) known.push_back(kind.name);
    }
    throw InputError("there is no solver " + scene::in_quotes(options.name) +
                     " for a problem by its matrix; there is " + scene::listed(known));
}

template std::unique_ptr<AssembledSolver<2>> make_assembled_solver(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_assembled_solver(const SolverOptions&);

} // namespace talus
