// The stopping criteria of BALLAST §3.3, from two visits of each contact one sweep apart.
#pragma once

#include "talus/math/coulomb.hpp"
#include "talus/solvers/solver.hpp"

#include <cmath>
#include <limits>

namespace talus {

// The value of a criterion as long as there have not been two visits to compare.
inline constexpr double not_compared = std::numeric_limits<double>::max();

template <int D>
class Criteria {
  public:
    // r and v of one contact at the last visit and at this one; reference energies are half-sums of the two iterates
    void add(const LocalBlock<D>& block, const Vec<D>& r_before, const Vec<D>& v_before, const Vec<D>& r_now,
             const Vec<D>& v_now)
    {
        const Vec<D> mean = 0.5 * (r_now + r_before), change = v_now - v_before;
        const Vec<D> w_mean = block * mean;
        const Vec<D> w_before = block * r_before, w_now = block * r_now;
        work_ += mean.dot(change);
        energy_ += mean.dot(w_mean);
        change_ += change.squaredNorm();
        velocity_ += 0.5 * (w_before.squaredNorm() + w_now.squaredNorm());
        power_ += change.squaredNorm() * mean.squaredNorm();
        if (r_now.squaredNorm() > 0) ++active_;
    }

    // the sums of other contacts
    void add(const Criteria& other)
    {
        work_ += other.work_;
        energy_ += other.energy_;
        change_ += other.change_;
        velocity_ += other.velocity_;
        power_ += other.power_;
        active_ += other.active_;
    }

    // 0/0 counts as 0
    double value(Stop which) const
    {
        switch (which) {
        case Stop::mean_dvor:
            return ratio(std::abs(work_), energy_);
        case Stop::quad_dv:
            return std::sqrt(ratio(change_, velocity_));
        case Stop::quad_dvr:
            return ratio(std::sqrt(double(active_) * power_), energy_);
        case Stop::residual:
        case Stop::sweeps:
            break;
        }
        return 0;
    }

  private:
    static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }
    double work_ = 0, energy_ = 0, change_ = 0, velocity_ = 0, power_ = 0;
    long active_ = 0;
};

} // namespace talus
