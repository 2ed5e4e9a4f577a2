#include "talus/base/error.hpp"
#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/assembled/problem_units.hpp"
#include "talus/solvers/newton/newton.hpp"

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
        const SolveReport report = solver_->solve(scaled);
        problem = out_of_units(scaled, std::move(problem), units);
        return report;
    }
    void set_tolerance(double tolerance) override { solver_->set_tolerance(tolerance); }

  private:
    std::unique_ptr<AssembledSolver<D>> solver_;
};

template <int D>
struct NamedSolver {
    const char* name;
    std::unique_ptr<AssembledSolver<D>> (*make)(const SolverOptions&);
};

template <int D>
constexpr NamedSolver<D> known[] = {
    {"auto", make_assembled_auto<D>},
    {"nlgs", make_assembled_nlgs<D>},
    {"newton", make_newton<D>},
    {"admm", make_admm<D>},
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_solver(const SolverOptions& options)
{
    std::string names;
    for (const NamedSolver<D>& solver : known<D>) {
        if (options.name == solver.name) return std::make_unique<InUnits<D>>(solver.make(options));
        names += (names.empty() ? "\"" : ", \"") + std::string(solver.name) + "\"";
    }
    throw InputError("there is no solver \"" + options.name + "\" for a problem by its matrix; there is " + names);
}

template std::unique_ptr<AssembledSolver<2>> make_assembled_solver(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_assembled_solver(const SolverOptions&);

} // namespace talus
