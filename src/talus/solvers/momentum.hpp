// Nesterov's momentum for Gauss-Seidel sweeps: begin the next sweep at r + β (r − r_before). It gains where the sweeps
// creep, and starts again from none when a look at the residual shows that it has risen.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

class Momentum {
  public:
    // β of the sweep to come
    double next()
    {
        if (stopped_) return 0;
        const double t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
        const double beta = std::min(most, (t_ - 1) / t);
        t_ = t;
        return beta;
    }
    void stop() { stopped_ = true; } // plain sweeps from here on
    void look(double residual)
    {
        if (residual > risen * last_) t_ = 1;
        last_ = residual;
    }

  private:
    static constexpr double most = 0.9;   // beyond, polyhedra oscillate more than they gain
    static constexpr double risen = 1.05; // by less it wavers, where a load finds its way through a jammed region
    double t_ = 1;
    double last_ = std::numeric_limits<double>::infinity();
    bool stopped_ = false;
};

// Sweeps after which the residual is looked at: early, for the problem may be easy, then rarely, for a look costs a
// third of a sweep.
inline bool is_time_to_look(int sweep, int cap)
{
    return sweep == 1 || sweep == 2 || sweep == 4 || sweep % 8 == 0 || sweep == cap;
}

} // namespace talus
