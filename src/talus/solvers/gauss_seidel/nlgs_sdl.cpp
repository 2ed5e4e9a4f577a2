#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/assembled/turned_delassus.hpp"
#include "talus/solvers/gauss_seidel/sweep_loop.hpp"
#include "talus/solvers/gauss_seidel/with_local_solver.hpp"

namespace talus {

namespace {

// The sweeps, in the turned frames.
template <int D, LocalSolver local>
struct SdlSweeps {
    AssembledProblem<D>& problem;
    TurnedDelassus<D> w = turn_delassus(problem);
    std::vector<Vec<D>> impulse = turned_impulses(w, problem);

    std::size_t size() const { return w.size(); }
    const LocalBlock<D>& block(std::size_t k) const { return w.local[k]; }
    Vec<D> local_free_velocity(std::size_t k) const { return talus::local_free_velocity(w, impulse, k); }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const
    {
        return solve_locally<D, local>(w.local[k], b, impulse[k]);
    }
    void set_impulse(std::size_t k, const Vec<D>& r) { impulse[k] = r; }
    void sweep()
    {
        for (std::size_t k = 0; k < size(); ++k) {
            const Vec<D> b = local_free_velocity(k);
            if (b[0] >= 0 && impulse[k][0] == 0) continue; // apart and was apart
            impulse[k] = solve_local(k, b);
        }
    }
    Residual residual() const
    {
        return_impulses(problem, w, impulse);
        return natural_residual(problem);
    }
};

template <int D, LocalSolver local>
class NlgsSdl final : public AssembledSolver<D> {
  public:
    explicit NlgsSdl(const SolverOptions& options) : options_(options) {}

    SolveReport solve(AssembledProblem<D>& problem) override
    {
        SdlSweeps<D, local> sweeps{problem};
        SolveReport report = SweepLoop<D, SdlSweeps<D, local>>(sweeps, options_).run();
        report.solver = "nlgs";
        return report;
    }

    void set_tolerance(double tolerance) override { options_.tolerance = tolerance; }

  private:
    SolverOptions options_;
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_nlgs(const SolverOptions& options)
{
    return with_local_solver<AssembledSolver, NlgsSdl, D>(options);
}

template std::unique_ptr<AssembledSolver<2>> make_assembled_nlgs(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_assembled_nlgs(const SolverOptions&);

} // namespace talus
