// Free flight between two impacts: a parabola from where the ball was at its last impact. Positions at any time follow
// from that one record, so that a prediction does not depend on when it is made, and a resumed run repeats it.
#pragma once

#include "talus/math/space.hpp"

#include <cstdint>

namespace talus {

// A ball as the search for events reads it: one cache line in 2D.
template <int D>
struct alignas(D == 2 ? 64 : 16) Flight {
    Vec<D> place, velocity;            // [m], [m/s] at `time`
    double time;                       // [s] of its last impact, or of the start
    double radius;                     // [m]
    std::uint32_t impacts;             // so far: an event that was predicted before the last one is void
    std::int32_t next, previous, cell; // in its cell's list
};

template <int D>
Vec<D> place_at(const Flight<D>& ball, const Vec<D>& gravity, double time)
{
    const double flown = time - ball.time;
    return ball.place + flown * (ball.velocity + (0.5 * flown) * gravity);
}

template <int D>
Vec<D> velocity_at(const Flight<D>& ball, const Vec<D>& gravity, double time)
{
    return ball.velocity + (time - ball.time) * gravity;
}

} // namespace talus
