// Alternating direction method of multipliers on the assembled problem (Boyd et al., Found. Trends Mach. Learn. 3,
// 2011; for friction: Acary, Brémond, Huber, INRIA RR-9221, 2018). With W scaled by its diagonal D and de Saxcé's s =
// μ‖u_T‖ taken from the last iterate,
//   r ← (W + ρ D)⁻¹ (ρ D z − y − q − s n),   z ← P_K(r + y/(ρ D)),   y ← y + ρ D (r − z),
// so that −y becomes u + s n. One factorisation serves many iterations, redundant contacts do not hurt, and what Newton
// steps break it mends slowly: the referee for problems on which Newton steps stall.
#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/newton/newton_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace talus {

namespace {

template <int D>
class Admm final : public AssembledSolver<D> {
  public:
    explicit Admm(const SolverOptions& options) : options_(options) {}

    SolveReport solve(AssembledProblem<D>& problem) override
    {
        begin(problem);
        SolveReport report;
        report.solver = "admm";
        bool stalled = false;
        int next_change = looks_apart, since = 0;
        double goal = error_;
        Work work{options_.operations};
        const auto is_done = [&] {
            return error_ <= options_.tolerance || report.sweeps >= options_.sweeps || stalled;
        };
        if (!is_done()) analyse();
        if (!is_done() && work.is_granted(factor_.operations())) factorise();
        while (!is_done() && work.is_granted(factor_.operations_of_solve())) {
            iterate();
            if (++report.sweeps % looks_apart != 0) continue;
            look();
            if (error_ < 0.9 * goal) {
                goal = error_;
                since = 0;
            }
            stalled = ++since > patience;
            if (report.sweeps >= next_change && is_out_of_balance() && work.is_granted(factor_.operations())) {
                factorise();
                next_change = 2 * report.sweeps;
            }
        }
        return_impulses(problem, w_, best_);
        report.updates = std::int64_t(report.sweeps) * std::int64_t(contacts_.size());
        conclude(report, natural_residual(problem), options_, stalled ? "stalled" : "cap");
        return report;
    }
    void set_tolerance(double tolerance) override { options_.tolerance = tolerance; }

  private:
    static constexpr double relaxation = 1.6;      // of r, towards the far side of z
    static constexpr double first_penalty = 0.1;   // ρ
    static constexpr int looks_apart = 10;         // iterations
    static constexpr double out_of_balance = 5;    // between the two residuals, above which ρ is changed
    static constexpr double change_of_penalty = 2; // each time by so much, and ever more rarely
    static constexpr int patience = 400;           // looks within which the error must fall by a tenth

    void begin(const AssembledProblem<D>& problem)
    {
        w_ = turn_delassus(problem);
        unit_ = residual_unit(problem);
        best_ = turned_impulses(w_, problem);
        contacts_.clear();
        for (std::size_t k = 0; k < w_.size(); ++k) {
            const bool carries = w_.local[k].normal > 0 && !is_open_contact(w_.free_velocity[k][0]);
            if (carries) contacts_.push_back(std::int32_t(k));
            if (!carries) best_[k].setZero();
        }
        penalty_ = first_penalty;
        z_ = best_;
        error_ = error(z_);
        y_.assign(w_.size(), Vec<D>::Zero());
        for (const std::int32_t k : contacts_) {
            y_[k] = -contact_velocity(w_, z_, std::size_t(k));
            y_[k][0] -= w_.local[k].friction * y_[k].template tail<D - 1>().norm();
        }
    }

    // rms of the scaled natural map, in the problem's unit; cf. natural_residual()
    double error(const std::vector<Vec<D>>& r) const
    {
        double sum = 0;
        for (const std::int32_t k : contacts_) {
            sum += natural_map<D>(w_.local[k], r[k], contact_velocity(w_, r, std::size_t(k))).squaredNorm();
        }
        return std::sqrt(sum / double(std::max<std::size_t>(w_.size(), 1))) / unit_;
    }

    double scale(std::int32_t k) const { return penalty_ * w_.local[k].mean_diagonal(); } // ρ D

    void analyse()
    {
        subset_.emplace(w_, contacts_);
        factor_.analyse(subset_->pattern);
    }
    void factorise()
    {
        const BlockPattern& pattern = subset_->pattern;
        std::vector<Mat<D>> matrix(subset_->source.size());
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            for (std::size_t j = pattern.begin[k]; j < pattern.begin[k + 1]; ++j) {
                matrix[j] = w_.block[subset_->source[j]];
                if (pattern.column[j] == std::int32_t(k)) matrix[j] += scale(contacts_[k]) * Mat<D>::Identity();
            }
        }
        factor_.factorise(matrix);
    }

    void iterate()
    {
        std::vector<Vec<D>> r(contacts_.size());
        for (std::size_t i = 0; i < r.size(); ++i) {
            const std::int32_t k = contacts_[i];
            r[i] = scale(k) * z_[k] - y_[k] - w_.free_velocity[k];
            r[i][0] -= w_.local[k].friction * y_[k].template tail<D - 1>().norm();
        }
        factor_.solve(r);
        primal_ = dual_ = 0;
        for (std::size_t i = 0; i < r.size(); ++i) {
            const std::int32_t k = contacts_[i];
            const double d = scale(k);
            const Vec<D> bold = relaxation * r[i] + (1 - relaxation) * z_[k];
            const Vec<D> next = project_on_cone<D>(bold + y_[k] / d, w_.local[k].friction);
            y_[k] += d * (bold - next);
            primal_ += (d * (r[i] - next)).squaredNorm();
            dual_ += (d * (next - z_[k])).squaredNorm();
            z_[k] = next;
        }
    }

    void look()
    {
        const double e = error(z_);
        if (!(e < error_)) return;
        error_ = e;
        best_ = z_;
    }

    // another ρ where r − z or the change of z is left behind
    bool is_out_of_balance()
    {
        const double ratio = std::sqrt(primal_ / std::max(dual_, std::numeric_limits<double>::min())) / penalty_;
        if (ratio > 1 / out_of_balance && ratio < out_of_balance) return false;
        penalty_ *= ratio > 1 ? change_of_penalty : 1 / change_of_penalty;
        return true;
    }

    SolverOptions options_;
    TurnedDelassus<D> w_;
    double unit_ = 1;                    // [m/s]
    std::vector<std::int32_t> contacts_; // that may carry an impulse
    std::vector<Vec<D>> z_, y_, best_;
    double penalty_ = first_penalty, error_ = 0; // of the best
    double primal_ = 0, dual_ = 0;
    std::optional<ContactSubset<D>> subset_;
    BlockFactor<D> factor_;
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_admm(const SolverOptions& options)
{
    return std::make_unique<Admm<D>>(options);
}

template std::unique_ptr<AssembledSolver<2>> make_admm(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_admm(const SolverOptions&);

} // namespace talus
