#include "talus/crowd/fast_marching.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace talus {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int rim = 2; // blocked cells around the grid, so that no neighbour needs a test

struct Arrival {
    double time;
    std::int32_t cell;
    // the top of a heap is the largest
    bool operator<(const Arrival& other) const
    {
        return time > other.time || (time == other.time && cell > other.cell);
    }
};

// (T − value)² weight² is the squared difference along one axis; none where no neighbour is known.
struct AxisTerm {
    double value = never;
    double weight = 0;    // in units of 1/cell
    double first = never; // of the neighbour
};

class Front {
  public:
    Front(const MarchGrid& grid, std::vector<double>& arrival, std::vector<std::int32_t>& origin)
        : grid_(grid), arrival_(arrival), origin_(origin), width_(grid.nx + 2 * rim),
          time_(std::size_t(width_) * std::size_t(grid.ny + 2 * rim), never), state_(time_.size(), State::wall),
          is_given_(time_.size(), 0)
    {
        for (int j = 0; j < grid.ny; ++j) {
            for (int i = 0; i < grid.nx; ++i) {
                const std::size_t c = inner(i, j);
                if (grid.blocked[c]) continue;
                const std::int32_t padded = (j + rim) * width_ + i + rim;
                state_[padded] = State::open;
                time_[padded] = arrival[c];
                if (arrival[c] == never) continue;
                is_given_[padded] = 1;
                heap_.push_back({arrival[c], padded});
            }
        }
        std::make_heap(heap_.begin(), heap_.end());
    }

    void run()
    {
        while (!heap_.empty()) {
            const Arrival next = heap_.front();
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
            if (state_[next.cell] != State::open) continue; // it came before, by a shorter way
            state_[next.cell] = State::known;
            for (const std::int32_t step : {-1, 1, -width_, width_}) {
                if (state_[next.cell + step] == State::open) reach(next.cell + step, next.cell);
            }
        }
        for (int j = 0; j < grid_.ny; ++j) {
            for (int i = 0; i < grid_.nx; ++i) {
                const std::int32_t padded = (j + rim) * width_ + i + rim;
                arrival_[inner(i, j)] = state_[padded] == State::known ? time_[padded] : never;
            }
        }
    }

  private:
    enum class State : std::uint8_t { wall, open, known };

    std::size_t inner(int i, int j) const { return std::size_t(j) * std::size_t(grid_.nx) + std::size_t(i); }
    std::size_t inner_of(std::int32_t padded) const { return inner(padded % width_ - rim, padded / width_ - rim); }

    AxisTerm term(std::int32_t c, std::int32_t step, bool second_order) const
    {
        const double before = state_[c - step] == State::known ? time_[c - step] : never;
        const double after = state_[c + step] == State::known ? time_[c + step] : never;
        const double first = std::min(before, after);
        if (first == never) return {};
        const std::int32_t side = before <= after ? -step : step;
        // clearly earlier: then it is known whatever the order of equal ones, and where the front runs along the axis
        // round-off does not choose the order of the difference
        const double clearly = first - 1e-9 * grid_.cell;
        if (second_order && state_[c + 2 * side] == State::known && time_[c + 2 * side] < clearly) {
            return {(4 * first - time_[c + 2 * side]) / 3, 1.5, first};
        }
        return {first, 1, first};
    }

    // T from known neighbours: Σ weight² (T − value)² = (f cell)², later than those it comes from.
    double solve(std::int32_t c, double slowness, bool second_order) const
    {
        const AxisTerm x = term(c, 1, second_order), y = term(c, width_, second_order);
        const double side = slowness * grid_.cell;
        if (x.weight > 0 && y.weight > 0) {
            const double wx = x.weight * x.weight, wy = y.weight * y.weight, w = wx + wy;
            const double difference = x.value - y.value;
            const double square = w * side * side - wx * wy * difference * difference;
            if (square >= 0) {
                const double time = (wx * x.value + wy * y.value + std::sqrt(square)) / w;
                if (time >= std::max(x.first, y.first)) return time;
            }
            if (second_order) return solve(c, slowness, false);
        }
        return std::min(x.weight > 0 ? x.value + side / x.weight : never,
                        y.weight > 0 ? y.value + side / y.weight : never);
    }

    void reach(std::int32_t c, std::int32_t from)
    {
        const std::size_t cell = inner_of(c);
        if (is_given_[c] && origin_[cell] == origin_[inner_of(from)]) return; // differences know it less well
        const double time = solve(c, grid_.slowness.empty() ? 1.0 : grid_.slowness[cell], true);
        if (!(time < time_[c])) return;
        time_[c] = time;
        origin_[cell] = origin_[inner_of(from)];
        heap_.push_back({time, c});
        std::push_heap(heap_.begin(), heap_.end());
    }

    const MarchGrid& grid_;
    std::vector<double>& arrival_;
    std::vector<std::int32_t>& origin_;
    std::int32_t width_;
    std::vector<double> time_;
    std::vector<State> state_;
    std::vector<std::uint8_t> is_given_; // where the front starts
    std::vector<Arrival> heap_;
};

} // namespace

void fast_march(const MarchGrid& grid, std::vector<double>& arrival, std::vector<std::int32_t>& origin)
{
    Front(grid, arrival, origin).run();
}

} // namespace talus
