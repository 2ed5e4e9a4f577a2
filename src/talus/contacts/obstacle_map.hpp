// What stands in the way of balls that move among bodies which nothing can move: for each square of the ground the
// obstacles near it. Made anew where an obstacle has moved or a ball has gone beyond the map; what it answers does not
// depend on when that was.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/shapes/collide.hpp"

#include <array>
#include <span>
#include <vector>

namespace talus {

template <int D>
class ObstacleMap {
  public:
    // For balls with centres between `low` and `high`; obstacles whose surface is within `reach` [m] of a centre will
    // be found.
    void update(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const Vec<D>& low, const Vec<D>& high,
                double reach);

    // Obstacles by growing index of their bodies, some of them further away.
    std::span<const std::int32_t> near(const Vec<D>& centre) const;
    std::int32_t body(std::int32_t obstacle) const { return obstacle_[std::size_t(obstacle)].body; }
    // Appends where a ball and an obstacle are nearest, up to gaps of `alert` [m]; the ball is the candidate.
    void collide(const ShapeTable<D>& shapes, const Placed<D>& ball, std::int32_t obstacle, double alert,
                 std::vector<ContactPoint<D>>& points) const;

  private:
    using Cell = std::array<std::int64_t, D>;
    struct Obstacle {
        std::int32_t body, shape;
        Vec<D> position;
        Rotation<D> orientation;
    };
    bool list(const BodyTable<D>& bodies);
    void mark(const ShapeTable<D>& shapes, std::int32_t obstacle, const Cell& low, const Cell& high);
    std::size_t index_of(const Cell& cell) const;

    Vec<D> low_ = Vec<D>::Zero(), high_ = Vec<D>::Zero(); // [m] corners of the map
    double reach_ = -1, edge_ = 1;                        // [m]
    Cell count_{};
    std::vector<Obstacle> obstacle_;
    ConvexBodies<D> convex_;
    std::vector<std::vector<std::int32_t>> obstacles_; // of each cell
};

} // namespace talus
