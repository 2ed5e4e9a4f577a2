#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

void TimeLeft::add(double seconds, std::int64_t steps)
{
    ++count_;
    const double memory = std::max(20.0, double(steps) / 50);
    const auto smooth = [&](double& mean, double length) {
        mean += (seconds - mean) / std::min(double(count_), length); // a plain mean until the memory is full
    };
    smooth(recent_, memory);
    smooth(older_, 4 * memory);
}

bool TimeLeft::is_rising() const { return count_ < 20 || recent_ > 1.1 * older_; }

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
    left_.add(step_seconds, state.steps);
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
