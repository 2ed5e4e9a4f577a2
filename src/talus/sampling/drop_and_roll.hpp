// The way down of one ball among others in a box. Around the others and inside the walls, the centre of the ball is a
// point outside of larger balls and inside a smaller box; it takes the steepest way that the obstacles it touches
// leave open: straight down, or along a circle.
#pragma once

#include "talus/sampling/ball_cells.hpp"
#include "talus/shapes/polytope.hpp"

#include <optional>

namespace talus {

template <int D>
class DropAndRoll {
  public:
    DropAndRoll(const Bounds<D>& box, double largest_radius);

    // Where a ball that falls from above `place` comes to rest, on the floor of the box or on others; the last axis is
    // up and `place` is at least a radius from the walls. None where rounding let it sink into another ball.
    std::optional<Vec<D>> rest(const Vec<D>& place, double radius) const;
    void add(const PlacedBall<D>& ball);

  private:
    // What the centre of the ball stays out of: a larger ball, or all that is beyond a plane.
    struct Obstacle {
        Vec<D> centre; // of a plane: a point on it
        double reach;  // [m] radius; 0: a plane
        Vec<D> normal; // of a plane, into the box
        bool is_floor = false;

        Vec<D> out(const Vec<D>& point) const { return reach > 0 ? Vec<D>((point - centre) / reach) : normal; }
        double distance(const Vec<D>& point) const
        {
            return reach > 0 ? (point - centre).norm() - reach : (point - centre).dot(normal);
        }
    };
    using Obstacles = std::vector<Obstacle>;
    struct Way {
        Vec<D> direction;                   // unit
        std::vector<const Obstacle*> along; // what it slides on, balls first; empty: a fall
    };

    Obstacles obstacles_near(const Vec<D>& point, double radius) const;
    std::optional<Way> steepest(const Vec<D>& point, const Obstacles& obstacles) const; // none: at rest
    Vec<D> fallen(const Vec<D>& point, const Obstacles& obstacles, double room) const;
    Vec<D> rolled(const Vec<D>& point, const Way& way, const Obstacles& obstacles, double room) const;
    std::int64_t column(const Vec<D>& point, int neighbour) const;

    Bounds<D> box_;
    double largest_;  // [m]
    double touching_; // [m] closer is in contact
    BallCells<D> balls_;
    std::unordered_map<std::int64_t, double> tops_; // [m] of the balls in each column of cells
};

} // namespace talus
