#include "talus/probes/local_compacity.hpp"

#include "talus/detection/ball_grid.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/math/ball_overlap.hpp"
#include "talus/shapes/convex.hpp"

#include <cmath>
#include <limits>

namespace talus {

namespace {

constexpr int most_points = 500; // in a ball: a share of it is known to about 1 %
constexpr double least_room = 0.1;

// Spread evenly over the unit ball: the additive recurrence of the generalised golden ratio (the root of x^(D+1) = x +
// 1) over the cube around it, of which what lies in the ball is kept.
template <int D>
std::vector<Vec<D>> points_in_ball()
{
    double golden = 1.5;
    for (int iteration = 0; iteration < 60; ++iteration) golden = std::pow(1 + golden, 1.0 / (D + 1));
    std::vector<Vec<D>> points;
    Vec<D> place = Vec<D>::Constant(0.5);
    while (int(points.size()) < most_points) {
        for (int axis = 0; axis < D; ++axis) {
            place[axis] += std::pow(golden, -(axis + 1));
            place[axis] -= std::floor(place[axis]);
        }
        const Vec<D> point = 2 * place - Vec<D>::Ones();
        if (point.squaredNorm() <= 1) points.push_back(point);
    }
    return points;
}

// Walls, tools, sleepers: all that has a volume and is no grain.
template <int D>
class Obstacles {
  public:
    Obstacles(const Sample<D>& sample, double radius) : shapes_(sample.shapes), radius_(radius)
    {
        for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
            if (sample.is_grain(i)) continue;
            position_.push_back(sample.bodies.position[i]);
            orientation_.push_back(sample.bodies.orientation[i]);
            shape_.push_back(sample.bodies.shape[i]);
        }
        convex_.place(shapes_, shape_, position_, orientation_);
    }

    // The share of the ball about `centre` that they leave.
    double room(const Vec<D>& centre) const
    {
        std::vector<std::size_t> near;
        for (std::size_t k = 0; k < shape_.size(); ++k) {
            if (distance(k, centre) < radius_) near.push_back(k);
        }
        if (near.empty()) return 1;
        int free = 0;
        for (const Vec<D>& point : points_) free += is_free(near, centre + radius_ * point);
        return double(free) / double(points_.size());
    }

  private:
    double distance(std::size_t k, const Vec<D>& point) const
    {
        return convex_.distance(shapes_, k, position_[k], orientation_[k], point);
    }
    bool is_free(const std::vector<std::size_t>& near, const Vec<D>& point) const
    {
        for (const std::size_t k : near) {
            if (distance(k, point) < 0) return false;
        }
        return true;
    }

    const ShapeTable<D>& shapes_;
    double radius_;
    std::vector<Vec<D>> position_;
    std::vector<Rotation<D>> orientation_;
    std::vector<std::int32_t> shape_;
    ConvexBodies<D> convex_;
    std::vector<Vec<D>> points_ = points_in_ball<D>();
};

} // namespace

template <int D>
std::vector<double> local_compacity(const Sample<D>& sample, double radius)
{
    std::vector<std::size_t> grain; // its body
    std::vector<Vec<D>> centre;
    std::vector<double> size; // [m] radius of the ball of the same volume
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
        if (!sample.is_grain(i) || !sample.bodies.position[i].allFinite()) continue;
        grain.push_back(i);
        centre.push_back(sample.bodies.position[i]);
        size.push_back(std::pow(sample.volume(i) / ball_volume<D>(1), 1.0 / D));
    }
    BallGrid<D> grid;
    grid.file(centre, size, radius);
    const Obstacles<D> obstacles(sample, radius);
    std::vector<double> compacity(sample.bodies.size(), std::numeric_limits<double>::quiet_NaN());
    parallel_for(grid.size(), [&](std::size_t ball) {
        const auto own = std::size_t(grid.body(ball));
        double solid = 0;
        grid.for_rows_near(ball, [&](std::size_t begin, std::size_t end) {
            for (std::size_t other = begin; other < end; ++other) {
                const auto k = std::size_t(grid.body(other));
                const double distance = (centre[k] - centre[own]).norm();
                if (distance < radius + size[k]) solid += overlap_of_balls<D>(radius, size[k], distance);
            }
        });
        const double room = obstacles.room(centre[own]);
        if (room > least_room) compacity[grain[own]] = solid / (room * ball_volume<D>(radius));
    });
    return compacity;
}

template std::vector<double> local_compacity(const Sample<2>&, double);
template std::vector<double> local_compacity(const Sample<3>&, double);

} // namespace talus
