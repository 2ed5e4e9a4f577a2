// The next event of each ball, the earliest on top: a tournament of eight at a time. What a change touches is known
// beforehand, a cache line on each of log₈ N levels, where a heap goes from one place that it must wait for to the
// next.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace talus {

inline constexpr double never = std::numeric_limits<double>::infinity(); // [s]

class EventQueue {
  public:
    // One event per ball. Of events at the same time that of the lowest rank comes first, so that the order of events
    // does not depend on how the balls are sorted.
    void assign(std::span<const double> times, std::span<const std::int32_t> ranks)
    {
        ranks_.assign(ranks.begin(), ranks.end());
        levels_.clear();
        if (times.empty()) return;
        for (std::size_t size = times.size(); levels_.empty() || levels_.back().size() > 1;
             size = levels_.back().size()) {
            Heat none;
            none.time.fill(never);
            levels_.emplace_back((size + width - 1) / width, none);
        }
        for (std::size_t ball = 0; ball < times.size(); ++ball) at(0, ball) = times[ball];
        for (std::size_t level = 1; level < levels_.size(); ++level) {
            for (std::size_t heat = 0; heat < levels_[level - 1].size(); ++heat) {
                at(level, heat) = levels_[level - 1][heat].first();
            }
        }
    }
    double first_time() const { return levels_.empty() ? never : levels_.back().front().first(); }
    // Whose event that is.
    std::int32_t first() const { return winner(levels_.size() - 1, 0, first_time()); }

    // Balls whose events come before `time`, in no order. Level by level, so that memory is asked for many at once.
    void collect(double time, std::vector<std::int32_t>& balls)
    {
        balls.clear();
        if (levels_.empty()) return;
        balls.push_back(0);
        for (std::size_t level = levels_.size(); level-- > 0;) {
            heats_.swap(balls);
            balls.clear();
            for (const std::int32_t heat : heats_) {
                for (std::size_t k = 0; k < width; ++k) {
                    if (!(levels_[level][std::size_t(heat)].time[k] < time)) continue;
                    const std::size_t place = width * std::size_t(heat) + k;
                    if (level > 0) __builtin_prefetch(&levels_[level - 1][place]);
                    balls.push_back(std::int32_t(place));
                }
            }
        }
    }

    void move(std::int32_t ball, double time)
    {
        std::size_t place = std::size_t(ball);
        for (std::size_t level = 0;; ++level) {
            at(level, place) = time;
            if (level + 1 == levels_.size()) return;
            place /= width;
            time = levels_[level][place].first();
            if (at(level + 1, place) == time) return;
        }
    }

  private:
    static constexpr std::size_t width = 8;
    struct alignas(64) Heat {
        std::array<double, width> time; // [s]
        double first() const
        {
            const double a = std::min(time[0], time[1]), b = std::min(time[2], time[3]);
            const double c = std::min(time[4], time[5]), d = std::min(time[6], time[7]);
            return std::min(std::min(a, b), std::min(c, d));
        }
    };

    double& at(std::size_t level, std::size_t place) { return levels_[level][place / width].time[place % width]; }
    std::int32_t winner(std::size_t level, std::size_t heat, double time) const
    {
        std::int32_t found = -1;
        for (std::size_t k = 0; k < width; ++k) {
            if (levels_[level][heat].time[k] != time) continue;
            const std::size_t place = width * heat + k;
            if (level == 0 && place >= ranks_.size()) continue;
            const std::int32_t ball = level == 0 ? std::int32_t(place) : winner(level - 1, place, time);
            if (found < 0 || ranks_[std::size_t(ball)] < ranks_[std::size_t(found)]) found = ball;
        }
        return found;
    }

    std::vector<std::vector<Heat>> levels_; // the balls' events, then the first of each eight, up to one heat
    std::vector<std::int32_t> ranks_;
    std::vector<std::int32_t> heats_; // scratch, kept to reuse its memory
};

} // namespace talus
