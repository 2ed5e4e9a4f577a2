#include "talus/contacts/obstacle_map.hpp"

#include "talus/exec/erase_rows.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double spare = 2;          // reaches of ground around the balls: they may go that far
constexpr std::int64_t widest = 512; // cells along an axis

} // namespace

// Returns whether they are the same obstacles in the same places as before; others may have left from between them.
template <int D>
bool ObstacleMap<D>::list(const BodyTable<D>& bodies)
{
    std::vector<Obstacle> now;
    now.reserve(obstacle_.size());
    for_bytes(bodies.imposed, all_imposed<D>, [&](std::size_t i) {
        now.push_back({std::int32_t(i), bodies.shape[i], bodies.position[i], bodies.orientation[i]});
    });
    const auto is_same = [](const Obstacle& a, const Obstacle& b) {
        return a.shape == b.shape && a.position == b.position && a.orientation == b.orientation;
    };
    const bool same = std::ranges::equal(now, obstacle_, is_same);
    obstacle_ = std::move(now);
    return same;
}

template <int D>
std::size_t ObstacleMap<D>::index_of(const Cell& cell) const
{
    std::int64_t index = 0;
    for (int axis = D - 1; axis >= 0; --axis) index = index * count_[std::size_t(axis)] + cell[std::size_t(axis)];
    return std::size_t(index);
}

template <int D>
void ObstacleMap<D>::update(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const Vec<D>& low,
                            const Vec<D>& high, double reach)
{
    const bool holds = (low.array() >= low_.array()).all() && (high.array() <= high_.array()).all();
    if (list(bodies) && holds && reach == reach_) return;
    reach_ = reach;
    low_ = low.array() - spare * reach;
    high_ = high.array() + spare * reach;
    edge_ = std::max(reach, (high_ - low_).maxCoeff() / double(widest));
    std::size_t cells = 1;
    Cell first{}, last{};
    for (int axis = 0; axis < D; ++axis) {
        const auto a = std::size_t(axis);
        count_[a] = std::int64_t((high_[axis] - low_[axis]) / edge_) + 1;
        last[a] = count_[a] - 1;
        cells *= std::size_t(count_[a]);
    }
    obstacles_.assign(cells, {});
    std::vector<std::int32_t> shape;
    std::vector<Vec<D>> position;
    std::vector<Rotation<D>> orientation;
    for (const Obstacle& obstacle : obstacle_) {
        shape.push_back(obstacle.shape);
        position.push_back(obstacle.position);
        orientation.push_back(obstacle.orientation);
    }
    convex_.place(shapes, shape, position, orientation);
    for (std::size_t k = 0; k < obstacle_.size(); ++k) mark(shapes, std::int32_t(k), first, last);
}

// Cells from `low` to `high`, both included, halved where the obstacle is near.
template <int D>
void ObstacleMap<D>::mark(const ShapeTable<D>& shapes, std::int32_t obstacle, const Cell& low, const Cell& high)
{
    const Obstacle& body = obstacle_[std::size_t(obstacle)];
    Vec<D> middle, half;
    std::size_t longest = 0;
    for (int axis = 0; axis < D; ++axis) {
        const auto a = std::size_t(axis);
        half[axis] = 0.5 * edge_ * double(high[a] - low[a] + 1);
        middle[axis] = low_[axis] + edge_ * double(low[a]) + half[axis];
        if (high[a] - low[a] > high[longest] - low[longest]) longest = a;
    }
    const double from_ball = (middle - body.position).norm() - bounding_radius(shapes, body.shape);
    const double away =
        std::max(from_ball, convex_.distance(shapes, std::size_t(obstacle), body.position, body.orientation, middle));
    if (away > reach_ + half.norm() * (1 + 1e-9)) return;
    if (low == high) {
        obstacles_[index_of(low)].push_back(obstacle);
        return;
    }
    const std::int64_t cut = (low[longest] + high[longest]) / 2;
    Cell below = high, above = low;
    below[longest] = cut;
    above[longest] = cut + 1;
    mark(shapes, obstacle, low, below);
    mark(shapes, obstacle, above, high);
}

template <int D>
std::span<const std::int32_t> ObstacleMap<D>::near(const Vec<D>& centre) const
{
    Cell cell;
    for (int axis = 0; axis < D; ++axis) {
        const auto a = std::size_t(axis);
        cell[a] = std::clamp<std::int64_t>(std::int64_t((centre[axis] - low_[axis]) / edge_), 0, count_[a] - 1);
    }
    return obstacles_[index_of(cell)];
}

template <int D>
void ObstacleMap<D>::collide(const ShapeTable<D>& shapes, const Placed<D>& ball, std::int32_t obstacle, double alert,
                             std::vector<ContactPoint<D>>& points) const
{
    const Obstacle& body = obstacle_[std::size_t(obstacle)];
    Vec<D> unused;
    const ExactStage<D> stage{shapes, convex_, alert};
    // the ball has no convex set of its own: its index is not used
    stage.collide({0, ball}, {std::size_t(obstacle), {shapes[body.shape], body.position, body.orientation}}, {}, unused,
                  points);
}

template class ObstacleMap<2>;
template class ObstacleMap<3>;

} // namespace talus
