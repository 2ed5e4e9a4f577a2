// The motion of all bodies as flat columns, four numbers a body: three of a vector and one more, which integrators
// leave alone. A plane problem lies in z = 0. What an integrator does is then a line of algebra on columns.
#pragma once

#include "talus/exec/parallel.hpp"
#include "talus/math/lanes.hpp"

namespace talus {

inline constexpr std::size_t record_size = 4; // numbers a body has in a column

struct Motion {
    LaneColumn place;        // [m] and the radius of a ball [m], or 0
    LaneColumn velocity;     // [m/s] and 0
    LaneColumn acceleration; // [m/s²] and 0; forces [N] while they are summed up
    LaneColumn angle;        // [rad] turned since it was last set to 0, and nothing
    LaneColumn spin;         // [rad/s] and the inverse of the mass [1/kg], 0 of what nothing can move
    LaneColumn turning;      // [rad/s²] and 0; torques [N m] while they are summed up

    std::size_t bodies() const { return place.size() / record_size; }
};

// f(i) for each number of a column, on threads
template <class F>
void for_numbers(const Motion& motion, F&& f)
{
    parallel_chunks(motion.bodies(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = record_size * begin; i < record_size * end; ++i) f(i);
    });
}

} // namespace talus
