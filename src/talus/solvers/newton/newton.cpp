#include "talus/solvers/newton/newton.hpp"

#include "talus/solvers/newton/newton_path.hpp"
#include "talus/solvers/newton/newton_step.hpp"

#include <utility>

namespace talus {

namespace {

constexpr int starting_sweeps = 100;
constexpr int repairing_sweeps = 50;      // after a Newton step: what it breaks at single contacts
constexpr int sweeps_instead = 250;       // where the step does not help
constexpr double largest_proximal = 1e-2; // α
constexpr double polish_from = 1e-4;      // share of the path's first error from which it is polished

// Newton steps within which the error must be halved
constexpr int at_once = 1, patiently = 12, to_the_last = 60;

// Operations of one factorisation of the whole W above which the path is dear, and patient polishing comes first; and
// above which the path is not for it: it takes minutes, and in large piles turns back far from a solution.
constexpr double dear = 5e8, too_dear = 5e9;

template <int D>
class Search {
  public:
    Search(AssembledProblem<D>& problem, const SolverOptions& options)
        : problem_(problem), options_(options), w_(turn_delassus(problem)), unit_(residual_unit(problem)),
          best_(turned_impulses(w_, problem)), work_{options.operations}
    {
        for (std::size_t k = 0; k < w_.size(); ++k) {
            const bool carries = w_.local[k].normal > 0 && !is_open_contact(w_.free_velocity[k][0]);
            if (carries) contacts_.push_back(std::int32_t(k));
            if (!carries) best_[k].setZero();
        }
        error_ = error(best_);
        if (std::isfinite(error_)) return;
        for (Vec<D>& r : best_) r.setZero(); // a start that overflows is none
        error_ = error(best_);
    }

    SolveReport run()
    {
        Impulses r = best_;
        if (!done()) {
            sweep(r, starting_sweeps);
            keep(r);
        }
        const double cost = done() ? 0 : path_operations();
        polish(best_, cost > dear ? patiently : at_once);
        if (cost <= too_dear) follow_path(cost);
        polish(best_, to_the_last);
        return report();
    }

  private:
    using Impulses = std::vector<Vec<D>>;

    bool done() const { return error_ <= options_.tolerance || has_had_enough(); }
    bool has_had_enough() const { return iterations_ >= options_.sweeps || work_.spent > work_.most; }

    // rms of the scaled natural map, in the problem's unit; cf. natural_residual()
    double error(const Impulses& r) const
    {
        double sum = 0;
        for (const std::int32_t k : contacts_) {
            sum += natural_map<D>(w_.local[k], r[k], contact_velocity(w_, r, std::size_t(k))).squaredNorm();
        }
        return std::sqrt(sum / double(std::max<std::size_t>(w_.size(), 1))) / unit_;
    }
    double keep(const Impulses& r)
    {
        const double e = error(r);
        if (e < error_) {
            error_ = e;
            best_ = r;
        }
        return e;
    }

    void sweep(Impulses& r, int times)
    {
        if (!work_.is_granted(2.0 * D * D * times * double(w_.column.size()))) return;
        updates_ += std::int64_t(times) * std::int64_t(contacts_.size());
        for (int i = 0; i < times; ++i) {
            for (const std::int32_t k : contacts_) {
                r[k] = solve_exactly<D>(w_.local[k], local_free_velocity(w_, r, std::size_t(k)));
            }
        }
    }

    // r + length·step in its cones
    Impulses moved(const Impulses& r, const Impulses& step, double length) const
    {
        Impulses next = r;
        for (const std::int32_t k : contacts_) {
            next[k] = project_on_cone<D>(r[k] + length * step[k], w_.local[k].friction);
        }
        return next;
    }

    struct Outcome {
        double length; // of the step that helped; 0: none did
        Impulses bold; // where the whole step and its sweeps led, better or not
    };

    // One Newton step from r, of error e, shortened until it helps. Where it does not by itself take the error to a
    // tenth, sweeps repair it first: the step is right about the whole, and wrong about contacts that change status.
    Outcome improve(Impulses& r, double& e, double alpha)
    {
        ++iterations_;
        const Impulses step = newton_step(w_, contacts_, r, alpha, work_);
        Outcome outcome{0, r};
        if (step.empty()) return outcome;
        for (const double length : {1.0, 0.25, 0.0625}) {
            Impulses next = moved(r, step, length);
            double reached = keep(next);
            if (!std::isfinite(reached)) return outcome;
            if (reached > 0.1 * e) {
                sweep(next, repairing_sweeps);
                reached = keep(next);
            }
            if (length == 1) outcome.bold = next;
            if (!(reached < 0.9 * e)) continue;
            r = std::move(next);
            e = reached;
            outcome.length = length;
            return outcome;
        }
        return outcome;
    }

    // Newton steps from r, the proximal α going down as they succeed and up as they fail. When all have failed it leaps
    // to where the boldest one led, uphill: near an equilibrium that friction makes unstable there is no solution.
    void polish(Impulses r, int steps)
    {
        double e = error(r), halved = e;
        double alpha = std::min(largest_proximal, e);
        Impulses bold;
        for (int waited = 0; waited < steps && !done(); ++waited) {
            Outcome outcome = improve(r, e, alpha);
            if (done()) return;
            if (outcome.length > 0) {
                alpha *= outcome.length == 1 ? 0.1 : 2;
                bold.clear();
            } else if (steps == at_once) {
                return;
            } else {
                if (bold.empty()) bold = std::move(outcome.bold);
                if (alpha < largest_proximal) {
                    sweep(r, sweeps_instead);
                    alpha *= 10;
                } else {
                    r = std::exchange(bold, {});
                    alpha = std::min(largest_proximal, error(r));
                }
                e = keep(r);
            }
            if (e > 0.5 * halved) continue;
            halved = e;
            waited = -1;
        }
    }

    double path_operations() const
    {
        BlockFactor<D> factor;
        factor.analyse(ContactSubset<D>(w_, contacts_).pattern);
        return factor.operations();
    }

    // Along the central path; at every tenth of the error a Newton step tries to end it.
    void follow_path(double cost)
    {
        CentralPath<D> path(w_, contacts_);
        Impulses r = best_;
        path.impulses(r);
        double next = polish_from * error(r);
        while (!done()) {
            ++iterations_;
            if (!work_.is_granted(cost) || !path.advance()) return;
            path.impulses(r);
            const double e = keep(r);
            if (!std::isfinite(e)) return;
            if (e > next) continue;
            polish(r, at_once);
            next = 0.1 * e;
        }
    }

    SolveReport report()
    {
        return_impulses(problem_, w_, best_);
        for (std::size_t k = 0; k < w_.size(); ++k) put_inside(problem_.impulse[k], problem_.friction[k]);
        SolveReport report;
        report.solver = "newton";
        report.sweeps = iterations_;
        conclude(report, natural_residual(problem_), options_, has_had_enough() ? "cap" : "stalled");
        report.updates = updates_;
        return report;
    }

    // the last bit too
    static void put_inside(Vec<D>& r, double friction)
    {
        r = project_on_cone<D>(r, friction);
        if (r.template tail<D - 1>().norm() > friction * r[0]) r.template tail<D - 1>() *= 1 - 1e-15;
    }

    AssembledProblem<D>& problem_;
    const SolverOptions& options_;
    TurnedDelassus<D> w_;
    double unit_;                        // [m/s]
    std::vector<std::int32_t> contacts_; // that may carry an impulse
    Impulses best_;
    double error_ = 0; // of the best
    int iterations_ = 0;
    Work work_;
    std::int64_t updates_ = 0;
};

template <int D>
class Newton final : public AssembledSolver<D> {
  public:
    explicit Newton(const SolverOptions& options) : options_(options) {}

    SolveReport solve(AssembledProblem<D>& problem) override { return Search<D>(problem, options_).run(); }
    void set_tolerance(double tolerance) override { options_.tolerance = tolerance; }

  private:
    SolverOptions options_;
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_newton(const SolverOptions& options)
{
    return std::make_unique<Newton<D>>(options);
}

template std::unique_ptr<AssembledSolver<2>> make_newton(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_newton(const SolverOptions&);

} // namespace talus
