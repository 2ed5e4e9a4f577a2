#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/momentum.hpp"
#include "talus/solvers/newton/newton.hpp"
#include "talus/solvers/newton/newton_subset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus {

namespace {

// Sweeps without a residual clearly below the best so far: what is left does not yield to sweeps.
constexpr int patience = 512;
constexpr double clearly = 0.9;

// Gauss-Seidel with momentum on the stored matrix. A contact whose impulse turns back from one sweep to the next is
// trusted with less momentum than the others: a few that hop between two answers would stir up the rest.
template <int D>
class AcceleratedSweeps {
  public:
    explicit AcceleratedSweeps(const AssembledProblem<D>& problem)
        : w_(turn_delassus(problem)), impulse_(turned_impulses(w_, problem)), before_(impulse_), best_(impulse_),
          change_(w_.size(), Vec<D>::Zero()), trust_(w_.size(), 1.0)
    {
    }

    void sweep(double beta)
    {
        extrapolate(beta);
        for (std::size_t k = 0; k < w_.size(); ++k) {
            if (!(w_.local[k].normal > 0)) continue; // carries nothing
            impulse_[k] = solve_exactly<D>(w_.local[k], local_free_velocity(w_, impulse_, k));
        }
    }

    Residual residual(double unit) const
    {
        double sum = 0, largest = 0;
        for (std::size_t k = 0; k < w_.size(); ++k) {
            if (!(w_.local[k].normal > 0)) continue;
            const double square =
                natural_map(w_.local[k], impulse_[k], contact_velocity(w_, impulse_, k)).squaredNorm();
            sum += square;
            largest = larger_of(largest, square);
        }
        return residual_of({sum, largest}, w_.size(), unit);
    }

    void keep() { best_ = impulse_; }
    void give_best(AssembledProblem<D>& problem) const { return_impulses(problem, w_, best_); }

  private:
    void extrapolate(double beta)
    {
        for (std::size_t k = 0; k < w_.size(); ++k) {
            const Vec<D> now = impulse_[k], change = now - before_[k];
            trust_[k] = change.dot(change_[k]) < 0 ? 0.5 * trust_[k] : std::min(1.0, 1.1 * trust_[k]);
            impulse_[k] = now + beta * trust_[k] * change;
            before_[k] = now;
            change_[k] = change;
        }
    }

    TurnedDelassus<D> w_;
    std::vector<Vec<D>> impulse_, before_, best_, change_;
    std::vector<double> trust_;
};

template <int D>
class AutoAssembled final : public AssembledSolver<D> {
  public:
    explicit AutoAssembled(const SolverOptions& options) : options_(options) {}

    SolveReport solve(AssembledProblem<D>& problem) override
    {
        SolveReport report = sweep(problem);
        report.solver = "auto";
        const bool by_residual = options_.stop == Stop::residual;
        if (report.reached || report.ended == "failed" || !by_residual || !is_for_the_referees(problem)) return report;
        SolverOptions options = options_; // the documented fallback, from the best that sweeps have found
        options.operations = std::min(options.operations, most_operations);
        options.sweeps = most_factorisations;
        report = followed_by(report, "newton", make_newton<D>(options)->solve(problem));
        options.sweeps = most_iterations;
        if (!report.reached) report = followed_by(report, "admm", make_admm<D>(options)->solve(problem));
        return report;
    }

  private:
    static constexpr int most_factorisations = 1000, most_iterations = 10000;
    // Up to so many contacts the referees are asked without further thought; beyond, where so many factorisations are
    // little work. Each does at most so much: about ten seconds.
    static constexpr std::size_t few_contacts = 6000;
    static constexpr double some_factorisations = 50, most_operations = 5e10;

    static SolveReport followed_by(const SolveReport& first, const char* name, SolveReport second)
    {
        second.solver = first.solver + ", then " + name;
        second.sweeps += first.sweeps;
        second.updates += first.updates;
        return second;
    }

    static bool is_for_the_referees(const AssembledProblem<D>& problem)
    {
        if (problem.size() <= few_contacts) return true;
        const TurnedDelassus<D> w = turn_delassus(problem);
        std::vector<std::int32_t> all(w.size());
        std::iota(all.begin(), all.end(), 0);
        BlockFactor<D> factor;
        factor.analyse(ContactSubset<D>(w, std::move(all)).pattern);
        return some_factorisations * factor.operations() <= most_operations;
    }

    SolveReport sweep(AssembledProblem<D>& problem)
    {
        SolveReport report;
        report.ended = "reached";
        if (problem.size() == 0) return report;
        AcceleratedSweeps<D> sweeps(problem);
        Momentum momentum; // contacts that hop are held back one by one
        const double unit = residual_unit(problem);
        double best = std::numeric_limits<double>::infinity(), goal = best;
        int since = 0;
        bool stalled = false;
        for (report.sweeps = 1;; ++report.sweeps) {
            sweeps.sweep(momentum.next());
            if (!is_time_to_look(report.sweeps, options_.sweeps)) continue;
            const Residual residual = sweeps.residual(unit);
            momentum.look(residual.rms);
            if (residual.rms < best) {
                best = residual.rms;
                sweeps.keep();
            }
            if (residual.rms < goal) {
                goal = clearly * residual.rms;
                since = report.sweeps;
            }
            const bool by_residual = options_.stop == Stop::residual;
            if (by_residual && best <= options_.tolerance) break;
            if (report.sweeps == options_.sweeps) break;
            // nor does what overflows ever come back
            stalled = (by_residual && report.sweeps - since >= patience) || !std::isfinite(residual.rms);
            if (stalled) break;
        }
        sweeps.give_best(problem);
        conclude(report, natural_residual(problem), options_, stalled ? "stalled" : "cap");
        report.updates = std::int64_t(report.sweeps) * std::int64_t(problem.size());
        return report;
    }

    SolverOptions options_;
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_auto(const SolverOptions& options)
{
    return std::make_unique<AutoAssembled<D>>(options);
}

template std::unique_ptr<AssembledSolver<2>> make_assembled_auto(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_assembled_auto(const SolverOptions&);

} // namespace talus
