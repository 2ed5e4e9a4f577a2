#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

void TimeLeft::add(double seconds)
{
    ++count_;
    const auto smooth = [&](double& mean, double memory) {
        mean += (seconds - mean) / std::min(double(count_), memory); // a plain mean until the memory is full
    };
    smooth(fast_, 20);
    smooth(slow_, 100);
}

bool TimeLeft::is_rising() const { return count_ < 20 || fast_ > 1.1 * slow_; }

double TimeLeft::seconds(std::int64_t steps_left) const
{
    // the fast mean lags 10 steps, the slow one 50: their difference is 40 steps of growth
    const double slope = count_ > 100 ? std::max(0.0, (fast_ - slow_) / 40) : 0.0;
    const double last = std::min(fast_ + slope * double(steps_left), 10 * fast_);
    return double(steps_left) * 0.5 * (fast_ + last);
}

Progress::Progress(bool quiet, double plain_interval) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1)
{
    interval_ = terminal_ ? 0.2 : plain_interval;
    next_ = interval_;
}

Progress::~Progress() { finish(); }

std::string Progress::duration(double seconds)
{
    const auto whole = std::int64_t(std::llround(std::max(0.0, seconds)));
    if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
    if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} s", whole);
}

std::string Progress::line(const ProgressState& s) const
{
    const double rate = watch_.seconds() > 0 ? double(shown_steps_) / watch_.seconds() : 0;
    return fmt::format("step {}/{}  t {:.4g} s  grains {}  contacts {}  sweeps {}  residual {:.1e}  overlap {:.2g} %  "
                       "{:.3g} steps/s  left {}{}",
                       s.step, s.steps, s.time, s.bodies, s.contacts, s.sweeps, s.residual, 100 * s.interpenetration,
                       rate, left_.is_rising() ? "at least " : "", duration(left_.seconds(s.steps - s.step)));
}

void Progress::show(const ProgressState& state, double step_seconds)
{
    left_.add(step_seconds);
    ++shown_steps_;
    if (quiet_ || watch_.seconds() < next_) return;
    next_ = watch_.seconds() + interval_;
    if (terminal_) {
        fmt::print(stderr, "\r\033[K{}", line(state));
        open_line_ = true;
    } else {
        fmt::print(stderr, "{}\n", line(state));
    }
    std::fflush(stderr);
}

void Progress::finish()
{
    if (open_line_) fmt::print(stderr, "\n");
    open_line_ = false;
}
