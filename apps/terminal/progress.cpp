#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace {

// What a step costs, in visits of a closed contact, and a visit on a present server: the figures of cost.cpp.
double step_work(double bodies, double contacts, double sweeps) { return 6 * bodies + contacts * (7 + sweeps); }
constexpr double visit_seconds = 50e-9;

constexpr double dense_contacts = 3; // per body: a pile keeps two to three and a half
constexpr double usual_sweeps = 50;  // where none has been seen, for want of contacts

} // namespace

void TimeLeft::add(const ProgressState& state, double seconds)
{
    ++count_;
    const double memory = std::max(20.0, double(state.steps) / 50);
    const auto smooth = [&](double& mean, double value, double length) {
        mean += (value - mean) / std::min(double(count_), length); // a plain mean until the memory is full
    };
    const double bodies = double(state.bodies), contacts = double(state.contacts);
    const double sweeps = state.contacts > 0 ? state.sweeps : usual_sweeps;
    const double work = step_work(bodies, contacts, sweeps),
                 dense_work = step_work(bodies, dense_contacts * bodies, sweeps);
    // this machine may be slower; that it is faster cannot be told from early steps, where open contacts cost little
    const double unit = std::max(visit_seconds, work > 0 ? seconds / work : 0);
    smooth(recent_, seconds, memory);
    smooth(older_, seconds, 4 * memory);
    smooth(dense_, unit * dense_work, memory);
}

bool TimeLeft::is_rising() const { return count_ < 20 || recent_ > 1.1 * older_; }

double TimeLeft::at_most(std::int64_t steps_left) const
{
    return double(steps_left) * (is_rising() ? std::max(recent_, dense_) : recent_);
}

std::string TimeLeft::text(std::int64_t steps_left) const
{
    const std::string least = Progress::duration(at_least(steps_left));
    if (!is_rising()) return least;
    if (at_most(steps_left) < 1.2 * at_least(steps_left)) return "at least " + least;
    return least + " to " + Progress::duration(at_most(steps_left));
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
                       "{:.3g} steps/s  left {}",
                       s.step, s.steps, s.time, s.grains, s.contacts, s.sweeps, s.residual, 100 * s.interpenetration,
                       rate, left_.text(s.steps - s.step));
}

void Progress::show(const ProgressState& state, double step_seconds)
{
    left_.add(state, step_seconds);
    ++shown_steps_;
    if (!is_due()) return;
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

JobProgress::JobProgress(std::string what, std::int64_t total, double plain_interval)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1),
      interval_(terminal_ ? 0.2 : plain_interval), next_(interval_)
{
}

JobProgress::~JobProgress()
{
    if (open_line_) fmt::print(stderr, "\n");
}

void JobProgress::one_more()
{
    ++done_;
    const double seconds = watch_.seconds();
    if (total_ < 2 || seconds < next_) return;
    next_ = seconds + interval_;
    const std::string line = fmt::format("{} {}/{}  left {}", what_, done_, total_,
                                         Progress::duration(seconds / double(done_) * double(total_ - done_)));
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n");
    open_line_ = terminal_;
    std::fflush(stderr);
}
