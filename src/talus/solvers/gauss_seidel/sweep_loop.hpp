// The loop around sweeps: when to look, what to compare with, when to stop (BALLAST §3.3).
#pragma once

#include "talus/solvers/criteria.hpp"
#include "talus/solvers/residual.hpp"
#include "talus/solvers/solver.hpp"

#include <optional>

namespace talus {

// Sweeps offers:
//   size()                                      contacts
//   local_free_velocity(k), set_impulse(k, r)   the two halves of a visit
//   solve_local(k, b), block(k)                 the law, and W_αα
//   sweep()                                     all visits, in order, at full speed
//   residual()                                  the natural map at the impulses as they are
template <int D, class Sweeps>
class SweepLoop {
  public:
    SweepLoop(Sweeps& sweeps, const SolverOptions& options) : sweeps_(sweeps), options_(options) {}

    SolveReport run()
    {
        SolveReport report;
        if (sweeps_.size() > 0 && options_.goes_by_criterion()) report.criterion = not_compared;
        std::optional<Residual> residual; // of the impulses as they are
        Patience patience;
        while (sweeps_.size() > 0 && report.sweeps < options_.sweeps) {
            ++report.sweeps;
            residual.reset();
            if (options_.goes_by_criterion() &&
                (options_.looks_at(report.sweeps) || options_.looks_at(report.sweeps + 1))) {
                const double value = judged_sweep().value(options_.stop);
                if (!options_.looks_at(report.sweeps) || report.sweeps == 1)
                    continue; // the first has nothing to compare with
                report.criterion = value;
                if (value <= options_.tolerance) break;
            } else {
                sweeps_.sweep();
                if (!options_.looks_at(report.sweeps) || options_.stop != Stop::residual) continue;
                residual = sweeps_.residual();
                if (residual->rms <= options_.tolerance) break;
                if (patience.is_out(report.sweeps, residual->rms, options_)) break;
            }
        }
        conclude(report, residual ? *residual : sweeps_.residual(), options_);
        report.updates = std::int64_t(report.sweeps) * std::int64_t(sweeps_.size());
        return report;
    }

  private:
    // a sweep that remembers (r, v) of each visit and compares them with the last ones
    Criteria<D> judged_sweep()
    {
        visited_.resize(sweeps_.size());
        Criteria<D> criteria;
        for (std::size_t k = 0; k < sweeps_.size(); ++k) {
            const Vec<D> b = sweeps_.local_free_velocity(k);
            const Vec<D> r = sweeps_.solve_local(k, b);
            const Vec<D> v = b + sweeps_.block(k) * r;
            sweeps_.set_impulse(k, r);
            criteria.add(sweeps_.block(k), visited_[k].impulse, visited_[k].velocity, r, v);
            visited_[k] = {r, v};
        }
        return criteria;
    }

    struct Visited {
        Vec<D> impulse = Vec<D>::Zero(), velocity = Vec<D>::Zero();
    };
    Sweeps& sweeps_;
    const SolverOptions& options_;
    std::vector<Visited> visited_;
};

} // namespace talus
