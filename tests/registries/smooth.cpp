// Contacts without friction: Gauss-Seidel with over-relaxation on the normal impulses alone,
// r_n ← max(0, r_n − ω u_n / w_nn).
#include "registries/added.hpp"
#include "talus/solvers/gauss_seidel/nlgs_visit.hpp"

namespace talus {

namespace {

template <int D>
class Smooth final : public Solver<D> {
  public:
    explicit Smooth(const SolverOptions& options)
        : options_(options), relaxation_(options.given.is_null() ? 1 : options.given.at("relaxation").number())
    {
    }
    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        for (ContactRow<D>& row : problem.rows) row.impulse.template tail<D - 1>().setZero();
        give_warm_start<D>(problem.bodies.data(), problem.rows, problem.rolling);
        SolveReport report;
        for (; report.sweeps < options_.sweeps; ++report.sweeps) {
            for (ContactRow<D>& row : problem.rows) visit(problem, row);
        }
        report.solver = options_.name;
        return report;
    }
    bool uses_partition() const override { return false; }

  private:
    void visit(ContactProblem<D>& problem, ContactRow<D>& row) const
    {
        BodyRecord<D>& c = problem.bodies[std::size_t(row.candidate)];
        BodyRecord<D>& a = problem.bodies[std::size_t(row.antagonist)];
        const double approach = row.frame.col(0).dot(relative_velocity(row, c, a)) + row.offset[0];
        const double before = row.impulse[0];
        row.impulse[0] = std::max(0.0, before - relaxation_ * approach * row.block.inverse_normal);
        give_impulse<D>(row, c, a, row.frame.col(0) * (row.impulse[0] - before));
    }
    SolverOptions options_;
    double relaxation_; // ω
};

} // namespace

SolverKind smooth_solver()
{
    return solver_kind<Smooth>(
        "smooth", "contacts without friction",
        {scene::number("relaxation", "of a visit").above(0).below(2).otherwise(scene::Value(1.0))});
}

} // namespace talus
