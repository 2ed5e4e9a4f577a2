// Nesterov's momentum for Gauss-Seidel sweeps: begin the next sweep at r + β (r − r_before). It gains where the sweeps
// creep. It is dropped when a look at the residual shows that it has risen; and where it does not help for long,
// because some contacts hop between two answers, plain sweeps take over for a while, twice as long each time.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

class Momentum {
  public:
    enum class WhenStuck { pause, go_on };
    explicit Momentum(WhenStuck when_stuck = WhenStuck::pause) : when_stuck_(when_stuck) {}

    // β of the sweep to come
    double next()
    {
        if (plain_ > 0) {
            --plain_;
            return 0;
        }
        const double t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
        const double beta = std::min(most, (t_ - 1) / t);
        t_ = t;
        return beta;
    }
    void stop() { plain_ = std::numeric_limits<int>::max(); } // plain sweeps from here on
    void look(double residual)
    {
        if (residual > last_) t_ = 1;
        last_ = residual;
        if (residual < clearly * best_) {
            best_ = residual;
            looks_ = 0;
        } else if (when_stuck_ == WhenStuck::pause && plain_ == 0 && ++looks_ == patience) {
            plain_ = pause_;
            pause_ = std::min(2 * pause_, 1 << 20);
            looks_ = 0;
            t_ = 1;
        }
    }

  private:
    static constexpr double most = 0.9;    // beyond, polyhedra oscillate more than they gain
    static constexpr double clearly = 0.9; // below the best so far
    static constexpr int patience = 8;     // looks
    WhenStuck when_stuck_;
    double t_ = 1;
    double last_ = std::numeric_limits<double>::infinity(), best_ = last_;
    int looks_ = 0; // since the residual was last clearly below the best
    int plain_ = 0; // sweeps without momentum still to come
    int pause_ = 64;
};

// Sweeps after which the residual is looked at: early, for the problem may be easy, then rarely, for a look costs a
// third of a sweep.
inline bool is_time_to_look(int sweep, int cap)
{
    return sweep == 1 || sweep == 2 || sweep == 4 || sweep % 8 == 0 || sweep == cap;
}

} // namespace talus
