// The progress of a run: one line that renews itself on a terminal, a plain line now and then elsewhere, with the time
// that is left.
#pragma once

#include "base/stopwatch.hpp"

#include <cstdint>
#include <string>

struct ProgressState {
    std::int64_t step, steps;
    double time; // [s] simulated
    std::size_t bodies, contacts;
    int sweeps;
    double residual;
    double interpenetration; // fraction
};

// Time left from the cost of the latest steps. A step that still grows dearer (grains fall, contacts form) is
// extrapolated along its trend, up to a tenfold; a young run says "at least".
class TimeLeft {
  public:
    void add(double seconds); // of one step
    double seconds(std::int64_t steps_left) const;
    bool is_rising() const;

  private:
    double fast_ = 0, slow_ = 0; // smoothed seconds per step, over about 20 and 100 steps
    std::int64_t count_ = 0;
};

class Progress {
  public:
    Progress(bool quiet, double plain_interval = 10);
    ~Progress();
    void show(const ProgressState& state, double step_seconds);
    void finish(); // leaves the last state on the screen

    static std::string duration(double seconds); // "2 h 05 min", "3 min 20 s", "12 s"

  private:
    std::string line(const ProgressState& state) const;

    bool quiet_, terminal_;
    double interval_, next_ = 0;
    talus::Stopwatch watch_;
    TimeLeft left_;
    std::int64_t shown_steps_ = 0;
    bool open_line_ = false;
};
