#include "talus/events/wall.hpp"

#include <algorithm>

namespace talus {

namespace {

constexpr int most_steps = 20000;  // of one search; then the ball is looked at again
constexpr double rounding = 2e-15; // of lengths, relative to the coordinates they are made of

// A gap, or its square, and how it changes: value(t + s) ≥ value + rate·s − curvature·s²/2 for s up to `window`.
struct Opening {
    double value, rate, curvature;
    double window = never; // [s]
    double tolerance = 0;  // below it the gap is closed
};

// How long the opening stays open for sure.
double safe_step(const Opening& now)
{
    const double value = std::max(now.value, 0.0);
    if (now.curvature == 0) return now.rate < 0 ? value / -now.rate : never;
    const double root = std::sqrt(now.rate * now.rate + 2 * now.curvature * value);
    const double step = now.rate < 0 ? 2 * value / (root - now.rate) : (now.rate + root) / now.curvature;
    return std::min(step, now.window);
}

// From the nearest point of the wall's core to the centre, which lies at `centre` from the wall's place.
template <int D>
Vec<D> offset_from_core(const Wall<D>& wall, const Vec<D>& centre)
{
    if (wall.kind == ShapeKind::segment) {
        const double along = std::clamp(centre.dot(wall.direction) / wall.direction.squaredNorm(), -1.0, 1.0);
        return centre - along * wall.direction;
    }
    if (wall.kind == ShapeKind::hollow_cylinder) return centre - centre.dot(wall.direction) * wall.direction;
    return centre;
}

// Relative motion of centre and wall: places, velocities, and a bound of the acceleration.
template <int D>
struct Relative {
    Vec<D> place, velocity;
    double acceleration;
    double scale; // [m] of the coordinates
};

// The distance to a convex wall is a convex function along a straight flight: only accelerations bend it down.
template <int D>
Opening opening(const Wall<D>& wall, const Relative<D>& relative, double radius)
{
    const double tolerance = rounding * relative.scale;
    switch (wall.kind) {
    case ShapeKind::half_space:
        return {wall.direction.dot(relative.place) - radius, wall.direction.dot(relative.velocity),
                relative.acceleration, never, tolerance};
    case ShapeKind::segment: {
        const Vec<D> offset = offset_from_core(wall, relative.place);
        const double distance = offset.norm(), apart = wall.radius + radius;
        const double rate = distance > 0 ? offset.dot(relative.velocity) / distance : 0.0;
        return {distance - apart, rate, relative.acceleration, never, tolerance};
    }
    default:
        break;
    }
    // inside a hollow of room ρ for the centre: ρ² − x², whose second derivative is −2 (v² + x·a)
    const Vec<D> offset = offset_from_core(wall, relative.place);
    Vec<D> velocity = relative.velocity;
    if (wall.kind == ShapeKind::hollow_cylinder) velocity -= velocity.dot(wall.direction) * wall.direction;
    const double room = wall.radius - radius, speed = velocity.norm(), a = relative.acceleration;
    const double window = a > 0 ? std::max(speed, std::sqrt(a * room)) / a : never;
    const double fastest = a > 0 ? speed + a * window : speed;
    return {room * room - offset.squaredNorm(), -2 * offset.dot(velocity), 2 * (fastest * fastest + room * a), window,
            2 * (room + tolerance) * tolerance};
}

// Contacts within one piece of the wall's motion.
template <int D>
class Search {
  public:
    Search(const Wall<D>& wall, const typename WallMotion<D>::Piece& piece, const Flight<D>& ball,
           const Vec<D>& gravity)
        : wall_(wall), piece_(piece), ball_(ball), gravity_(gravity)
    {
        const bool is_plane = wall.kind == ShapeKind::half_space;
        const double pull = is_plane ? std::max(0.0, -wall.direction.dot(gravity)) : gravity.norm();
        even_ = pull;
        shaken_ = pull + piece.shake;
    }

    // Steps from `begin` to `end` at most; the time reached, and whether there is contact.
    WallEvent run(double begin, double end, int& steps) const
    {
        double time = begin;
        for (; steps < most_steps; ++steps) {
            const Opening now = opening_at(time, true);
            if (now.value <= now.tolerance && now.rate < 0) return {time, false};
            double step = safe_step(now);
            if (piece_.reach > 0) { // not before it is within the reach of the oscillations
                const Opening even = opening_at(time, false);
                if (even.value > 0) step = std::max(step, safe_step(even));
            }
            if (!(time + step > time)) return {time, false}; // as near as time can tell
            time += step;
            if (time >= end) return {never, false};
        }
        return {time, true};
    }

  private:
    Opening opening_at(double time, bool is_shaken) const
    {
        const Vec<D> centre = place_at(ball_, gravity_, time);
        Relative<D> relative{centre - wall_.place - piece_.base - (time - piece_.begin) * piece_.velocity,
                             velocity_at(ball_, gravity_, time) - piece_.velocity, even_, 0};
        relative.scale = centre.template lpNorm<Eigen::Infinity>() + wall_.place.template lpNorm<Eigen::Infinity>() +
                         ball_.radius + wall_.radius;
        if (is_shaken && piece_.reach > 0) {
            relative.acceleration = shaken_;
            for (const Oscillation<D>& one : piece_.oscillations) {
                const double angle = one.rate * (time - one.from) + one.phase;
                relative.place -= std::sin(angle) * one.amplitude;
                relative.velocity -= one.rate * std::cos(angle) * one.amplitude;
            }
        }
        return opening(wall_, relative, is_shaken ? ball_.radius : ball_.radius + piece_.reach);
    }

    const Wall<D>& wall_;
    const typename WallMotion<D>::Piece& piece_;
    const Flight<D>& ball_;
    const Vec<D>& gravity_;
    double even_, shaken_; // [m/s²]
};

// When gravity takes a ball to a resting plane: the first root of gap + b τ + a τ²/2 that closes it.
double fall_to_plane(double gap, double b, double a)
{
    if (gap <= 0 && b < 0) return 0;
    if (a == 0) return b < 0 ? gap / -b : never;
    const double inside = b * b - 2 * a * gap;
    if (a > 0) return b < 0 && inside >= 0 ? 2 * gap / (std::sqrt(inside) - b) : never;
    const double root = std::sqrt(std::max(inside, 0.0)); // negative only by rounding, for a ball at rest
    return b < 0 ? 2 * gap / (root - b) : (b + root) / -a;
}

// A wall at rest that the ball has fallen past can be hit no more.
template <int D>
bool is_past(const Vec<D>& place, const Vec<D>& velocity, const Vec<D>& gravity, double reach)
{
    return place.dot(gravity) > reach * gravity.norm() && velocity.dot(gravity) >= 0;
}

// Whether the flight until `limit` keeps out of the box around a segment at rest: most flights do.
template <int D>
bool misses_box(const Wall<D>& wall, const Flight<D>& ball, const Vec<D>& gravity, double limit)
{
    const Vec<D> end = place_at(ball, gravity, limit), last = velocity_at(ball, gravity, limit);
    for (int axis = 0; axis < D; ++axis) {
        double low = std::min(ball.place[axis], end[axis]), high = std::max(ball.place[axis], end[axis]);
        if (ball.velocity[axis] * last[axis] < 0) { // it turns round on the way
            const double top = ball.place[axis] - 0.5 * ball.velocity[axis] * ball.velocity[axis] / gravity[axis];
            low = std::min(low, top);
            high = std::max(high, top);
        }
        const double half = std::abs(wall.direction[axis]) + (wall.radius + ball.radius) * (1 + 1e-6);
        if (high < wall.place[axis] - half || low > wall.place[axis] + half) return true;
    }
    return false;
}

} // namespace

template <int D>
Vec<D> Wall<D>::normal_at(const Vec<D>& centre, double time) const
{
    if (kind == ShapeKind::half_space) return direction;
    const Vec<D> offset = offset_from_core(*this, Vec<D>(centre - place - motion.displacement(time)));
    const double distance = offset.norm();
    if (!(distance > 0)) return Vec<D>::Unit(D - 1);
    return (kind == ShapeKind::segment ? 1.0 : -1.0) / distance * offset;
}

template <int D>
double Wall<D>::gap(const Vec<D>& centre, double radius_of_ball, double time) const
{
    const Vec<D> relative = centre - place - motion.displacement(time);
    if (kind == ShapeKind::half_space) return direction.dot(relative) - radius_of_ball;
    const double distance = offset_from_core(*this, relative).norm();
    return (kind == ShapeKind::segment ? distance - radius : radius - distance) - radius_of_ball;
}

template <int D>
WallEvent next_contact(const Wall<D>& wall, const Flight<D>& ball, const Vec<D>& gravity, double limit)
{
    const bool is_still = wall.motion.is_still();
    if (is_still && wall.kind == ShapeKind::half_space) {
        const double gap = wall.direction.dot(ball.place - wall.place) - ball.radius;
        const double time =
            ball.time + fall_to_plane(gap, wall.direction.dot(ball.velocity), wall.direction.dot(gravity));
        return {time < limit ? time : never, false};
    }
    if (is_still && wall.kind == ShapeKind::segment && !gravity.isZero(0)) {
        const double reach = wall.direction.norm() + wall.radius + ball.radius;
        if (is_past<D>(ball.place - wall.place, ball.velocity, gravity, reach)) return {};
        if (limit < never && misses_box(wall, ball, gravity, limit)) return {};
    }
    int steps = 0;
    const auto& pieces = wall.motion.pieces();
    for (std::size_t k = wall.motion.piece_at(ball.time); k < pieces.size(); ++k) {
        const double begin = std::max(ball.time, pieces[k].begin);
        if (begin >= limit) return {};
        const WallEvent found =
            Search<D>(wall, pieces[k], ball, gravity).run(begin, std::min(limit, pieces[k].end), steps);
        if (found.time < never) return found;
    }
    return {};
}

template <int D>
double next_contact_with_fixed(const Flight<D>& ball, const Vec<D>& gravity, const Vec<D>& place, double apart,
                               double begin, double limit)
{
    const double pull = gravity.norm();
    double time = begin;
    for (;;) {
        const Vec<D> offset = place_at(ball, gravity, time) - place, velocity = velocity_at(ball, gravity, time);
        if (is_past<D>(offset, velocity, gravity, apart)) return never;
        const double distance = offset.norm(), rate = offset.dot(velocity) / distance;
        const double scale = place.template lpNorm<Eigen::Infinity>() + apart;
        const Opening now{distance - apart, rate, pull, never, rounding * scale};
        if (now.value <= now.tolerance && rate < 0) return time;
        const double step = safe_step(now);
        if (!(time + step > time)) return time;
        time += step;
        if (!(time < limit)) return never;
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template struct Wall<D>;                                                                                           \
    template WallEvent next_contact(const Wall<D>&, const Flight<D>&, const Vec<D>&, double);                          \
    template double next_contact_with_fixed(const Flight<D>&, const Vec<D>&, const Vec<D>&, double, double, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
