#include "talus/detection/sweep_and_prune.hpp"

#include "talus/detection/all_pairs.hpp"
#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <limits>

namespace talus {

namespace {

// Cheap where few neighbours have changed places; gives up (false) after `budget` moves.
template <class T>
bool insertion_sort(std::vector<T>& values, std::size_t budget)
{
    for (std::size_t next = 1; next < values.size(); ++next) {
        const T value = values[next];
        std::size_t place = next;
        for (; place > 0 && value < values[place - 1]; --place) values[place] = values[place - 1];
        values[place] = value;
        const std::size_t moves = next - place;
        if (moves > budget) return false;
        budget -= moves;
    }
    return true;
}

} // namespace

template <int D>
void SweepAndPrune<D>::choose_axis(const BallsAndWalls<D>& seen)
{
    const std::size_t bodies = seen.centre.size();
    const auto over_balls = [&](auto&& f) {
        return parallel_sum(bodies, Vec<D>(Vec<D>::Zero()),
                            [&](std::size_t body) -> Vec<D> { return is_ball(seen, body) ? f(body) : Vec<D>::Zero(); });
    };
    const Vec<D> mean =
        over_balls([&](std::size_t body) { return seen.centre[body]; }) / double(std::max<std::size_t>(bodies, 1));
    const Vec<D> spread =
        over_balls([&](std::size_t body) -> Vec<D> { return (seen.centre[body] - mean).cwiseAbs2(); });
    int widest = 0;
    for (int axis = 1; axis < D; ++axis) {
        if (spread[axis] > spread[widest]) widest = axis;
    }
    // another axis must be clearly better: changing it costs a full sort
    if (axis_ < 0 || spread[widest] > 1.5 * spread[axis_]) {
        axis_ = widest;
        end_.clear();
    }
}

template <int D>
void SweepAndPrune<D>::sort_ends(const BallsAndWalls<D>& seen)
{
    const std::size_t bodies = seen.centre.size();
    const bool keep_order = end_.size() == bodies;
    if (!keep_order) {
        end_.resize(bodies);
        for (std::size_t body = 0; body < bodies; ++body) end_[body].body = std::int32_t(body);
    }
    parallel_for(bodies, [&](std::size_t k) {
        const std::size_t body = std::size_t(end_[k].body);
        end_[k].low = is_ball(seen, body) ? seen.centre[body][axis_] - seen.radius[body]
                                          : std::numeric_limits<double>::infinity();
    });
    if (!keep_order || !insertion_sort(end_, 64 * bodies)) std::sort(end_.begin(), end_.end());
    ball_.resize(bodies);
    parallel_for(bodies, [&](std::size_t k) { ball_[k] = {seen.centre[end_[k].body], seen.radius[end_[k].body]}; });
}

template <int D>
void SweepAndPrune<D>::find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs)
{
    choose_axis(seen);
    sort_ends(seen);
    const std::size_t bodies = seen.centre.size();
    const std::size_t balls = std::size_t(
        std::lower_bound(end_.begin(), end_.end(), End{std::numeric_limits<double>::infinity(), 0}) - end_.begin());
    const int prune_axis = (axis_ + 1) % D;

    auto& found = sorter_.clear((balls + parallel_chunk - 1) / parallel_chunk + 1);
    parallel_chunks(balls, [&](std::size_t begin, std::size_t end) {
        auto& buffer = found[begin / parallel_chunk];
        for (std::size_t i = begin; i < end; ++i) {
            const Ball me = ball_[i];
            const double high = me.centre[axis_] + me.radius + seen.reach;
            const double limit = high + 8 * std::numeric_limits<double>::epsilon() * (std::abs(high) + me.radius);
            for (std::size_t j = i + 1; j < balls && end_[j].low <= limit; ++j) {
                const double offset = me.centre[prune_axis] - ball_[j].centre[prune_axis];
                const double contact = me.radius + ball_[j].radius + seen.reach;
                if (offset * offset > contact * contact) continue;
                if (!balls_within<D>(me.centre, me.radius, ball_[j].centre, ball_[j].radius, seen.reach)) continue;
                if (is_passive(seen, end_[i].body) && is_passive(seen, end_[j].body)) continue;
                buffer.push_back(ordered(end_[i].body, end_[j].body));
            }
        }
    });
    test_every_wall(seen, found.back());
    sorter_.sort(bodies, rows_);
    list_pairs(rows_, pairs);
}

template class SweepAndPrune<2>;
template class SweepAndPrune<3>;

} // namespace talus
