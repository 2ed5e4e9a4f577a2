// The progress of a run: one line that renews itself on a terminal, a plain line now and then elsewhere, with the time
// that is left.
#pragma once

#include "talus/base/stopwatch.hpp"

#include <cstdint>
#include <string>

struct ProgressState {
    std::int64_t step, steps;
    double time;                          // [s] simulated
    std::size_t bodies, grains, contacts; // grains: of the bodies, where the line is due
    int sweeps;
    double residual;
    double interpenetration; // fraction
};

// Time left from the cost of the latest steps, a fiftieth of the run at least. While steps still grow dearer (grains
// fall, contacts form) this is a lower bound; what the steps of a dense pile of the same bodies would cost is then the
// other end of a range.
class TimeLeft {
  public:
    void add(const ProgressState& state, double seconds); // of the step that led to this state
    double at_least(std::int64_t steps_left) const { return double(steps_left) * recent_; }
    double at_most(std::int64_t steps_left) const; // the same once steps are as dear as they get
    bool is_rising() const;
    std::string text(std::int64_t steps_left) const; // "12 s", "at least 12 s", "12 s to 1 min 10 s"

  private:
    double recent_ = 0, older_ = 0; // [s] per step, smoothed over the memory and over four times that
    double dense_ = 0;              // [s] per step, of a dense pile of these bodies
    std::int64_t count_ = 0;
};

class Progress {
  public:
    Progress(bool quiet, double plain_interval = 10);
    ~Progress();
    bool is_due() const { return !quiet_ && watch_.seconds() >= next_; }
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

// The same of a job that is made of many alike: pictures of a film, frames of a page.
class JobProgress {
  public:
    JobProgress(std::string what, std::int64_t total, double plain_interval = 10);
    ~JobProgress();
    void one_more(); // is done

  private:
    std::string what_;
    std::int64_t total_, done_ = 0;
    bool terminal_;
    double interval_, next_;
    talus::Stopwatch watch_;
    bool open_line_ = false;
};
