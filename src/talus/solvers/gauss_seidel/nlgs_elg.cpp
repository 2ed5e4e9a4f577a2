#include "talus/solvers/gauss_seidel/nlgs.hpp"
#include "talus/solvers/gauss_seidel/sweep_loop.hpp"
#include "talus/solvers/gauss_seidel/with_local_solver.hpp"

namespace talus {

namespace {

template <int D, LocalSolver local>
struct ElgSweeps {
    ContactProblem<D>& problem;
    ElgRowVisit<D, local> visit{{problem.bodies.data(), problem.rows.data()},
                                problem.rolling.empty() ? nullptr : problem.rolling.data()};

    std::size_t size() const { return problem.rows.size(); }
    const LocalBlock<D>& block(std::size_t k) const { return problem.rows[k].block; }
    Vec<D> local_free_velocity(std::size_t k) const { return visit.local_free_velocity(k); }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const { return visit.solve_local(k, b); }
    void set_impulse(std::size_t k, const Vec<D>& impulse) const { visit.set_impulse(k, impulse); }
    void sweep() const
    {
        for (std::size_t k = 0; k < size(); ++k) visit(k);
    }
    Residual residual() const { return natural_residual(problem); } // the bodies are always up to date
};

template <int D, LocalSolver local>
class NlgsElg final : public Solver<D> {
  public:
    explicit NlgsElg(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        give_warm_start<D>(problem.bodies.data(), problem.rows, problem.rolling);
        ElgSweeps<D, local> sweeps{problem};
        SolveReport report = SweepLoop<D, ElgSweeps<D, local>>(sweeps, options_).run();
        report.solver = "nlgs";
        return report;
    }

    void set_tolerance(double aimed, double good_enough) override
    {
        options_.tolerance = aimed;
        options_.good_enough = good_enough;
    }
    bool uses_partition() const override { return false; }

  private:
    SolverOptions options_;
};

} // namespace

SolverMakers nlgs_elg_makers() { return makers_with_local_solver<NlgsElg>(); }

} // namespace talus
