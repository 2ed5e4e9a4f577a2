// The loop around the sweeps: when to look, what to compare with, when to stop. Shared by both storages.
#pragma once

#include "solvers/criteria.hpp"
#include "solvers/residual.hpp"
#include "solvers/solver.hpp"

namespace talus {

// A Storage offers:
//   local_free_velocity(k), set_impulse(k, r)   the two halves of a visit
//   solve_local(k, b)                           the law
//   sweep()                                     all visits, in order, at full speed
//   publish()                                   body velocities of the problem agree with its impulses
template <int D, class Storage>
class NlgsLoop {
  public:
    NlgsLoop(ContactProblem<D>& problem, Storage& storage, const SolverOptions& options)
        : problem_(problem), storage_(storage), options_(options)
    {
    }

    SolveReport run()
    {
        SolveReport report;
        report.reached = problem_.rows.empty() || options_.stop == Stop::sweeps;
        const bool by_criterion = options_.stop != Stop::residual && options_.stop != Stop::sweeps;
        while (!problem_.rows.empty() && report.sweeps < options_.sweeps) {
            ++report.sweeps;
            const bool look = report.sweeps % options_.check_every == 0 || report.sweeps == options_.sweeps;
            const bool look_next = by_criterion && ((report.sweeps + 1) % options_.check_every == 0 ||
                                                    report.sweeps + 1 == options_.sweeps);
            if (by_criterion && (look || look_next)) {
                const double value = sampled_sweep().value(options_.stop);
                if (!look || report.sweeps == 1) continue; // the first sample has nothing to compare with
                report.criterion = value;
                report.reached = value <= options_.tolerance;
            } else {
                storage_.sweep();
                if (!look || options_.stop != Stop::residual) continue;
                judge(report);
                report.reached = report.residual <= tolerance();
            }
            if (report.reached) break;
        }
        judge(report);
        return report;
    }

  private:
    // residuals in m/s (where v_ref is 0) count as 0 below 1e-12
    double tolerance() const { return problem_.reference_velocity > 0 ? options_.tolerance : 1e-12; }

    void judge(SolveReport& report)
    {
        storage_.publish();
        const Residual residual = natural_residual(problem_);
        report.residual = residual.rms;
        report.residual_max = residual.maximum;
    }

    // a sweep that remembers (r, v) of each visit and compares them with the last ones
    Criteria<D> sampled_sweep()
    {
        sample_.resize(problem_.rows.size());
        Criteria<D> criteria;
        for (std::size_t k = 0; k < problem_.rows.size(); ++k) {
            const ContactRow<D>& row = problem_.rows[k];
            const Vec<D> b = storage_.local_free_velocity(k);
            const Vec<D> r = storage_.solve_local(k, b);
            const Vec<D> v = b + row.block * r;
            storage_.set_impulse(k, r);
            criteria.add(row.block, sample_[k].impulse, sample_[k].velocity, r, v);
            sample_[k] = {r, v};
        }
        return criteria;
    }

    struct Sample {
        Vec<D> impulse = Vec<D>::Zero(), velocity = Vec<D>::Zero();
    };
    ContactProblem<D>& problem_;
    Storage& storage_;
    const SolverOptions& options_;
    std::vector<Sample> sample_;
};

} // namespace talus
