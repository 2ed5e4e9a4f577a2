// The test every method ends with, written once so that all methods return the same pairs to the last bit:
// |c_i - c_j| <= r_i + r_j + reach for two balls, distance(c_i) - r_i <= reach for a ball and a wall.
#pragma once

#include "talus/detection/detector.hpp"

#include <cmath>

namespace talus {

template <int D>
inline double squared_distance(const Vec<D>& a, const Vec<D>& b)
{
    double sum = 0;
    for (int axis = 0; axis < D; ++axis) sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

template <int D>
inline bool balls_within(const Vec<D>& a, double radius_a, const Vec<D>& b, double radius_b, double reach)
{
    const double limit = radius_a + radius_b + reach;
    return squared_distance<D>(a, b) <= limit * limit;
}

template <int D>
inline bool is_finite(const Vec<D>& point)
{
    double sum = 0; // x - x is 0 for a finite number and NaN for all others
    for (int axis = 0; axis < D; ++axis) sum += point[axis] - point[axis];
    return sum == 0;
}

// Walls have no ball, and a body lost to NaN or infinity touches nothing: the simulation reports it elsewhere.
template <int D>
inline bool is_ball(const BallsAndWalls<D>& seen, std::size_t body)
{
    return seen.radius[body] >= 0 && std::isfinite(seen.radius[body]) && is_finite<D>(seen.centre[body]);
}

template <int D>
inline bool is_passive(const BallsAndWalls<D>& seen, std::size_t body)
{
    return !seen.passive.empty() && seen.passive[body] != 0;
}

inline Pair ordered(std::int32_t a, std::int32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; }

// for a body that is_ball
template <int D>
inline bool touches_wall(const BallsAndWalls<D>& seen, const WallBound<D>& wall, std::int32_t body)
{
    if (body == wall.body || (is_passive(seen, body) && is_passive(seen, wall.body))) return false;
    return wall.distance(seen.centre[body]) - seen.radius[body] <= seen.reach;
}

} // namespace talus
