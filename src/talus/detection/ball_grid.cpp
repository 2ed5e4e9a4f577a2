#include "talus/detection/ball_grid.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

#include <algorithm>
#include <limits>

namespace talus {

namespace {

constexpr std::uint32_t unfiled = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t cells_per_chunk = 256;

template <int D>
bool can_be_filed(const Vec<D>& centre, double radius)
{
    return radius >= 0 && is_finite<D>(centre);
}

} // namespace

template <int D>
void BallGrid<D>::survey(std::span<const Vec<D>> centre, std::span<const double> radius)
{
    struct Cloud {
        Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity());
        Vec<D> high = Vec<D>::Constant(-std::numeric_limits<double>::infinity());
        double largest = 0;
        std::size_t balls = 0;
    };
    const Cloud cloud = parallel_reduce(
        centre.size(), Cloud{},
        [&](std::size_t i) {
            return can_be_filed<D>(centre[i], radius[i]) ? Cloud{centre[i], centre[i], radius[i], 1} : Cloud{};
        },
        [](const Cloud& a, const Cloud& b) {
            return Cloud{a.low.cwiseMin(b.low), a.high.cwiseMax(b.high), std::max(a.largest, b.largest),
                         a.balls + b.balls};
        });
    low_ = cloud.low;
    high_ = cloud.high;
    largest_ = cloud.largest;
    balls_ = cloud.balls;
}

// `rim` cells to the largest pair; larger ones where balls are so far apart that most would be empty.
template <int D>
void BallGrid<D>::lay_out(double reach)
{
    const Vec<D> extent = high_ - low_;
    double edge = std::max((2 * largest_ + reach) / rim * (1 + 1e-9), std::numeric_limits<double>::min());
    const double most_cells = 4.0 * double(balls_) + 512;
    const auto cells = [&] {
        double product = 1;
        for (int axis = 0; axis < D; ++axis) product *= std::floor(extent[axis] / edge) + 1 + 2 * rim;
        return product;
    };
    while (!(cells() <= most_cells)) edge *= 1.2;
    // round-off must not put two neighbours a cell too far apart
    edge += 1e-9 * edge + 8 * std::numeric_limits<double>::epsilon() * (low_.cwiseAbs() + extent).maxCoeff();
    inverse_edge_ = 1 / edge;
    std::int64_t step = 1;
    for (int axis = 0; axis < D; ++axis) {
        stride_[std::size_t(axis)] = step;
        step *= cell_along(axis, high_[axis]) + 1 + rim;
    }
    start_.assign(std::size_t(step) + 1, 0);
}

template <int D>
void BallGrid<D>::file(std::span<const Vec<D>> centre, std::span<const double> radius, double reach)
{
    survey(centre, radius);
    body_.resize(balls_);
    radius_.resize(balls_ + wide_read);
    for (auto& column : coordinate_) column.resize(balls_ + wide_read);
    if (balls_ == 0) return;
    lay_out(reach);
    cell_.resize(centre.size());
    SharedCounters counters(start_, centre.size());
    parallel_for(centre.size(), [&](std::size_t i) {
        cell_[i] = unfiled;
        if (!can_be_filed<D>(centre[i], radius[i])) return;
        Cell cell;
        for (int axis = 0; axis < D; ++axis) cell[std::size_t(axis)] = cell_along(axis, centre[i][axis]);
        cell_[i] = std::uint32_t(index_of(cell));
        counters.count(cell_[i]);
    });
    counters.scan();
    parallel_for(centre.size(), [&](std::size_t i) {
        if (cell_[i] != unfiled) body_[counters.take(cell_[i])] = std::int32_t(i);
    });
    parallel_chunks(
        start_.size() - 1,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) {
                std::sort(body_.begin() + start_[c], body_.begin() + start_[c + 1]);
            }
            for (std::size_t k = start_[begin]; k < start_[end]; ++k) {
                const auto i = std::size_t(body_[k]);
                for (int axis = 0; axis < D; ++axis) coordinate_[std::size_t(axis)][k] = centre[i][axis];
                radius_[k] = radius[i];
            }
        },
        cells_per_chunk);
}

template class BallGrid<2>;
template class BallGrid<3>;

} // namespace talus
