// Wall-clock time, by phase of the step.
#pragma once

#include <chrono>

namespace talus {

class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    // seconds since the last lap (or the start)
    double lap()
    {
        const auto now = Clock::now();
        const double elapsed = std::chrono::duration<double>(now - start_).count();
        start_ = now;
        return elapsed;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

} // namespace talus
