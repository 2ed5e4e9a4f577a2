#include "solvers/nlgs.hpp"
#include "solvers/nlgs_loop.hpp"
#include "solvers/nlgs_visit.hpp"

namespace talus {

namespace {

template <int D, LocalSolver local>
struct ElgStorage {
    ContactProblem<D>& problem;
    ElgVisit<D, local> visit{problem.bodies.data(), problem.rows.data()};

    Vec<D> local_free_velocity(std::size_t k) const { return visit.local_free_velocity(k); }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const
    {
        return solve_locally<D, local>(problem.rows[k].block, b, problem.rows[k].impulse);
    }
    void set_impulse(std::size_t k, const Vec<D>& impulse) const
    {
        visit.set_impulse(k, impulse);
        roll(k);
    }
    void sweep() const
    {
        const std::size_t rows = problem.rows.size();
        if (problem.rolling.empty()) {
            for (std::size_t k = 0; k < rows; ++k) visit(k);
        } else {
            for (std::size_t k = 0; k < rows; ++k) {
                visit(k);
                roll(k);
            }
        }
    }
    void publish() const {} // the bodies are always up to date

    void roll(std::size_t k) const
    {
        if (problem.rolling.empty()) return;
        const ContactRow<D>& row = problem.rows[k];
        visit_rolling(problem.rolling[k], row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
    }
};

// The impulses the rows start from, given to the bodies.
template <int D>
void give_warm_start(ContactProblem<D>& problem)
{
    for (const ContactRow<D>& row : problem.rows) {
        if (row.impulse.squaredNorm() == 0) continue;
        give_impulse<D>(row, problem.bodies[row.candidate], problem.bodies[row.antagonist], row.frame * row.impulse);
    }
    for (std::size_t k = 0; k < problem.rolling.size(); ++k) {
        BodyRecord<D>& c = problem.bodies[problem.rows[k].candidate];
        BodyRecord<D>& a = problem.bodies[problem.rows[k].antagonist];
        c.spin += c.inverse_inertia * problem.rolling[k].impulse;
        a.spin -= a.inverse_inertia * problem.rolling[k].impulse;
    }
}

template <int D, LocalSolver local>
class NlgsElg final : public Solver<D> {
  public:
    explicit NlgsElg(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        give_warm_start(problem);
        ElgStorage<D, local> storage{problem};
        return NlgsLoop<D, ElgStorage<D, local>>(problem, storage, options_).run();
    }

  private:
    SolverOptions options_;
};

} // namespace

template <int D>
std::unique_ptr<Solver<D>> make_nlgs_elg(const SolverOptions& options)
{
    if (options.local == "projection") return std::make_unique<NlgsElg<D, LocalSolver::projection>>(options);
    return std::make_unique<NlgsElg<D, LocalSolver::exact>>(options);
}

template std::unique_ptr<Solver<2>> make_nlgs_elg(const SolverOptions&);
template std::unique_ptr<Solver<3>> make_nlgs_elg(const SolverOptions&);

} // namespace talus
