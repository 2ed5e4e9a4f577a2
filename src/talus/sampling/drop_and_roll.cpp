#include "talus/sampling/drop_and_roll.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus {

namespace {

constexpr double look_ahead = 1.5; // in largest radii: how far a ball moves before its obstacles are looked for again
constexpr double cell_width = 2 + look_ahead;
constexpr double tangent = 1e-9;    // cosines below this are zero
constexpr double turn_limit = 0.35; // [rad] on two supports, then it is asked again whether both still hold

constexpr int columns_around(int dimension) { return dimension == 2 ? 3 : 9; }

} // namespace

template <int D>
DropAndRoll<D>::DropAndRoll(const Bounds<D>& box, double largest_radius)
    : box_(box), largest_(largest_radius), touching_(1e-10 * largest_radius), balls_(cell_width * largest_radius)
{
}

template <int D>
std::int64_t DropAndRoll<D>::column(const Vec<D>& point, int neighbour) const
{
    std::int64_t key = 0;
    for (int axis = 0; axis + 1 < D; ++axis, neighbour /= 3) {
        const auto cell = std::int64_t(std::floor((point[axis] - box_.lower[axis]) / (cell_width * largest_)));
        key = (key << 32) + cell + neighbour % 3 - 1;
    }
    return key;
}

template <int D>
void DropAndRoll<D>::add(const PlacedBall<D>& ball)
{
    constexpr int here = columns_around(D) / 2;
    balls_.add(ball);
    const double top = ball.position[D - 1] + ball.radius;
    const auto [entry, is_new] = tops_.try_emplace(column(ball.position, here), top);
    if (!is_new) entry->second = std::max(entry->second, top);
}

template <int D>
typename DropAndRoll<D>::Obstacles DropAndRoll<D>::obstacles_near(const Vec<D>& point, double radius) const
{
    Obstacles obstacles;
    for (int axis = 0; axis < D; ++axis) {
        const Vec<D> unit = Vec<D>::Unit(axis);
        const Vec<D> low = box_.lower + radius * unit, high = box_.upper - radius * unit;
        obstacles.push_back({low, 0, unit, axis == D - 1});
        if (axis < D - 1) obstacles.push_back({high, 0, -unit});
    }
    balls_.visit_near(point, [&](const PlacedBall<D>& ball) {
        const double reach = radius + ball.radius, farthest = reach + look_ahead * largest_;
        if ((ball.position - point).squaredNorm() > farthest * farthest) return;
        obstacles.push_back({ball.position, reach, Vec<D>::Zero()});
    });
    return obstacles;
}

// The projection of gravity on the cone of directions that enter no obstacle, over all sets of fewer than D supports:
// direction = gravity + Σ push × normal with pushes ≥ 0.
template <int D>
std::optional<typename DropAndRoll<D>::Way> DropAndRoll<D>::steepest(const Vec<D>& point,
                                                                     const Obstacles& obstacles) const
{
    const Vec<D> gravity = -Vec<D>::Unit(D - 1);
    std::vector<const Obstacle*> touched;
    for (const Obstacle& obstacle : obstacles) {
        if (obstacle.distance(point) > touching_) continue;
        if (obstacle.is_floor) return std::nullopt;
        touched.push_back(&obstacle);
    }
    const auto open = [&](const Vec<D>& direction) {
        return std::all_of(touched.begin(), touched.end(),
                           [&](const Obstacle* obstacle) { return obstacle->out(point).dot(direction) >= -tangent; });
    };
    if (open(gravity)) return Way{gravity, {}};
    for (const Obstacle* support : touched) {
        const Vec<D> out = support->out(point);
        const double push = -gravity.dot(out);
        const Vec<D> direction = gravity + push * out;
        if (push <= 0 || !open(direction)) continue;
        if (direction.norm() < tangent) return std::nullopt; // on the very top
        return Way{direction.normalized(), {support}};
    }
    if constexpr (D == 3) {
        for (std::size_t i = 0; i < touched.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const Vec<D> a = touched[i]->out(point), b = touched[k]->out(point);
                const double cosine = a.dot(b), sine_squared = 1 - cosine * cosine;
                if (sine_squared < tangent) continue;
                const double on_a = -(gravity.dot(a) - cosine * gravity.dot(b)) / sine_squared;
                const double on_b = -(gravity.dot(b) - cosine * gravity.dot(a)) / sine_squared;
                const Vec<D> direction = gravity + on_a * a + on_b * b;
                if (on_a < 0 || on_b < 0 || direction.norm() < tangent || !open(direction)) continue;
                Way way{direction.normalized(), {touched[i], touched[k]}};
                if (way.along[0]->reach == 0) std::swap(way.along[0], way.along[1]);
                return way;
            }
        }
    }
    return std::nullopt;
}

template <int D>
Vec<D> DropAndRoll<D>::fallen(const Vec<D>& point, const Obstacles& obstacles, double room) const
{
    const Vec<D> up = Vec<D>::Unit(D - 1);
    double depth = room;
    for (const Obstacle& obstacle : obstacles) {
        if (obstacle.distance(point) <= touching_) continue; // it falls past what it has just left
        if (obstacle.is_floor) depth = std::min(depth, obstacle.distance(point));
        if (obstacle.reach == 0) continue;
        const Vec<D> from = point - obstacle.centre;
        const double height = from.dot(up),
                     half = obstacle.reach * obstacle.reach - from.squaredNorm() + height * height;
        if (height > 0 && half > 0) depth = std::min(depth, height - std::sqrt(half));
    }
    return point - depth * up;
}

// point(θ) = centre + cos θ first + sin θ second, until it meets an obstacle, is lowest, or leaves its only support
template <int D>
Vec<D> DropAndRoll<D>::rolled(const Vec<D>& point, const Way& way, const Obstacles& obstacles, double room) const
{
    const Obstacle& support = *way.along.front();
    Vec<D> centre = support.centre;
    if (way.along.size() > 1) { // the circle lies in the plane through the point across the line of the two supports
        const Obstacle& other = *way.along[1];
        const Vec<D> axis = other.reach > 0 ? Vec<D>((other.centre - support.centre).normalized()) : other.normal;
        centre += (point - support.centre).dot(axis) * axis;
    }
    const Vec<D> first = point - centre, second = first.norm() * way.direction;
    const double up_first = first[D - 1], up_second = second[D - 1];
    double angle = std::min(room / first.norm(), std::atan2(-up_second, -up_first));
    angle = std::min(angle, way.along.size() > 1 ? turn_limit : std::atan2(up_first, -up_second));
    for (const Obstacle& obstacle : obstacles) {
        if (std::find(way.along.begin(), way.along.end(), &obstacle) != way.along.end()) continue;
        // distance(θ) = constant + amplitude × cos(θ − phase), up to a factor; it enters where this falls through zero
        const Vec<D> from = centre - obstacle.centre;
        const bool is_ball = obstacle.reach > 0;
        const Vec<D> gradient = is_ball ? Vec<D>(2 * from) : obstacle.normal;
        const double constant = is_ball ? from.squaredNorm() + first.squaredNorm() - obstacle.reach * obstacle.reach
                                        : from.dot(obstacle.normal);
        const double along_first = gradient.dot(first), along_second = gradient.dot(second);
        const double amplitude = std::hypot(along_first, along_second);
        if (amplitude <= std::abs(constant)) continue;
        double enters = std::atan2(along_second, along_first) + std::acos(-constant / amplitude);
        enters -= 2 * M_PI * std::floor(enters / (2 * M_PI));
        if (enters > 2 * M_PI - 1e-6) enters = 0;
        angle = std::min(angle, enters);
    }
    return centre + std::cos(angle) * first + std::sin(angle) * second;
}

template <int D>
std::optional<Vec<D>> DropAndRoll<D>::rest(const Vec<D>& place, double radius) const
{
    Vec<D> point = place;
    double top = box_.lower[D - 1];
    for (int n = 0; n < columns_around(D); ++n) {
        if (const auto found = tops_.find(column(point, n)); found != tops_.end()) top = std::max(top, found->second);
    }
    point[D - 1] = top + radius;
    const double reach = look_ahead * largest_, least_move = 1e-12 * largest_;
    int stalls = 0;
    while (true) {
        const Obstacles obstacles = obstacles_near(point, radius);
        const Vec<D> start = point;
        bool at_rest = false;
        for (double room = reach; room > 0.01 * reach && !at_rest; room = reach - (point - start).norm()) {
            const std::optional<Way> way = steepest(point, obstacles);
            const Vec<D> next = !way                 ? point
                                : way->along.empty() ? fallen(point, obstacles, room)
                                                     : rolled(point, *way, obstacles, room);
            stalls = (next - point).norm() < least_move ? stalls + 1 : 0;
            at_rest = !way || stalls > 2;
            point = next;
        }
        if (!at_rest) continue;
        const bool sunk = std::any_of(obstacles.begin(), obstacles.end(),
                                      [&](const Obstacle& obstacle) { return obstacle.distance(point) < -touching_; });
        return sunk ? std::nullopt : std::optional(point);
    }
}

template class DropAndRoll<2>;
template class DropAndRoll<3>;

} // namespace talus
