#include "talus/detection/verlet.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/detection/linked_cells.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

#include <algorithm>
#include <limits>

namespace talus {

namespace {

constexpr double first_skin = 0.10; // of the mean diameter, before any motion is known

// Cost of one call with a list, in units of one search by cells: `skin` in mean diameters, used for `calls` calls.
// The coefficients are fitted to `talus bench detection`; only the choice of the skin depends on them.
double cost_per_call(double skin, double calls) { return (1.0 + 1.2 * skin) / calls + 0.2 + 0.6 * skin; }

} // namespace

template <int D>
auto VerletLists<D>::compare(const BallsAndWalls<D>& seen) const -> Change
{
    const std::size_t bodies = seen.centre.size();
    if (seen.reach != reach_ || bodies != centre_.size()) return {};
    Change none;
    none.bodies = false;
    Change change = parallel_reduce(
        bodies, none,
        [&](std::size_t body) {
            Change here;
            here.bodies = seen.radius[body] != radius_[body] || is_passive(seen, body) != (passive_[body] != 0);
            if (seen.radius[body] >= 0 && is_finite<D>(seen.centre[body])) {
                const double square = squared_distance<D>(seen.centre[body], centre_[body]);
                // NaN: a grain that was lost when the list was built has come back
                here.moved = square >= 0 ? square : std::numeric_limits<double>::infinity();
            }
            return here;
        },
        [](const Change& a, const Change& b) {
            return Change{a.bodies || b.bodies, std::max(a.moved, b.moved)};
        });
    change.moved = std::sqrt(change.moved);
    return change;
}

// How fast the grains move and how long the bodies stay the same: all that the choice of the skin depends on.
template <int D>
void VerletLists<D>::learn(const Change& change)
{
    ++calls_;
    ++calls_since_change_;
    if (change.bodies) {
        if (rebuilds_ > 0) steady_calls_ = double(calls_since_change_);
        calls_since_change_ = 0;
    } else {
        steady_calls_ = std::max(steady_calls_, double(calls_since_change_));
        pace_ = change.moved / double(calls_);
    }
}

template <int D>
double VerletLists<D>::choose_skin(const BallsAndWalls<D>& seen) const
{
    if (chosen_skin_ > 0) return chosen_skin_;
    struct Sum {
        double radius = 0, balls = 0;
    };
    const Sum sum = parallel_reduce(
        seen.radius.size(), Sum{},
        [&](std::size_t body) {
            return is_ball(seen, body) ? Sum{seen.radius[body], 1} : Sum{};
        },
        [](const Sum& a, const Sum& b) {
            return Sum{a.radius + b.radius, a.balls + b.balls};
        });
    const double diameter = sum.balls > 0 ? 2 * sum.radius / sum.balls : 0;
    if (pace_ < 0) return first_skin * diameter;

    double best = 0, least = 1; // without a list
    for (const double skin : {0.02, 0.03, 0.045, 0.065, 0.09, 0.12, 0.15, 0.2, 0.25, 0.3}) {
        const double calls = std::min(std::floor(0.5 * skin * diameter / std::max(pace_, 1e-300)) + 1, steady_calls_);
        const double cost = cost_per_call(skin, calls);
        if (cost < least) {
            least = cost;
            best = skin;
        }
    }
    return best * diameter;
}

template <int D>
void VerletLists<D>::build(const BallsAndWalls<D>& seen)
{
    ++rebuilds_;
    calls_ = 0;
    skin_ = choose_skin(seen);
    const std::size_t bodies = seen.centre.size();
    centre_.resize(bodies);
    radius_.resize(bodies);
    passive_.resize(bodies);
    reach_ = seen.reach;
    const double largest = parallel_reduce(
        bodies, 0.0,
        [&](std::size_t body) {
            centre_[body] = seen.centre[body];
            passive_[body] = is_passive(seen, body);
            return radius_[body] = seen.radius[body];
        },
        [](double a, double b) { return std::max(a, b); });
    // distances are known to rounding only, about a few bits of the largest pair
    margin_ = 0.5 * skin_ * (1 - 1e-6) - 8 * std::numeric_limits<double>::epsilon() * (largest + reach_);

    cells_.file(seen, seen.reach + skin_);
    auto& found = collect_ball_pairs(cells_, sorter_, 1);
    if (skin_ == 0) collect_wall_pairs(cells_, seen, 0, found.back()); // the list is already the answer
    sorter_.sort(seen.centre.size(), list_);
}

template <int D>
void VerletLists<D>::filter(const BallsAndWalls<D>& seen, double moved, std::vector<Pair>& pairs)
{
    wall_pairs_.clear();
    collect_wall_pairs(cells_, seen, moved * (1 + 1e-9), wall_pairs_);
    std::sort(wall_pairs_.begin(), wall_pairs_.end());
    wall_pairs_.erase(std::unique(wall_pairs_.begin(), wall_pairs_.end()), wall_pairs_.end());
    const auto walls_from = [&](std::size_t body) {
        return std::lower_bound(wall_pairs_.begin(), wall_pairs_.end(), Pair{std::int32_t(body), 0});
    };

    const std::size_t bodies = seen.centre.size();
    within_.resize(list_.second.size());
    std::vector<std::size_t> offset((bodies + parallel_chunk - 1) / parallel_chunk);
    parallel_chunks(bodies, [&](std::size_t begin, std::size_t end) {
        std::size_t count = std::size_t(walls_from(end) - walls_from(begin));
        for (std::size_t i = begin; i < end; ++i) {
            const Vec<D> centre = seen.centre[i];
            const double radius = seen.radius[i];
            for (std::uint32_t k = list_.start[i]; k < list_.start[i + 1]; ++k) {
                // bodies in no spatial order: each partner is a cache miss
                if (k + prefetch_ahead < list_.second.size()) {
                    const std::int32_t later = list_.second[k + prefetch_ahead];
                    __builtin_prefetch(&seen.centre[later]);
                    __builtin_prefetch(&seen.radius[later]);
                }
                const std::size_t j = std::size_t(list_.second[k]);
                within_[k] = balls_within<D>(centre, radius, seen.centre[j], seen.radius[j], seen.reach);
                count += within_[k];
            }
        }
        offset[begin / parallel_chunk] = count;
    });
    pairs.resize(exclusive_scan(offset));
    parallel_chunks(bodies, [&](std::size_t begin, std::size_t end) {
        Pair* out = pairs.data() + offset[begin / parallel_chunk];
        auto wall = walls_from(begin);
        const auto last_wall = walls_from(end);
        for (std::size_t i = begin; i < end; ++i) {
            Pair* const row = out;
            const std::int32_t first = std::int32_t(i);
            for (std::uint32_t k = list_.start[i]; k < list_.start[i + 1]; ++k) {
                if (within_[k]) *out++ = {first, list_.second[k]};
            }
            if (wall == last_wall || wall->first != first) continue;
            Pair* const middle = out;
            while (wall != last_wall && wall->first == first) *out++ = *wall++;
            std::inplace_merge(row, middle, out);
        }
    });
}

template <int D>
void VerletLists<D>::find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs)
{
    Change change = compare(seen);
    learn(change);
    if (change.bodies || !(change.moved <= margin_)) {
        build(seen);
        change.moved = 0;
    }
    if (skin_ > 0) {
        filter(seen, change.moved, pairs);
    } else {
        list_pairs(list_, pairs);
    }
}

template class VerletLists<2>;
template class VerletLists<3>;

} // namespace talus
