// The pair of tools of a scene without ballast, and how far they have come.
#pragma once

#include "railway/track_scenes.hpp"

namespace talus {

struct Tool {
    std::size_t body;
    double towards; // the sleeper, along y
    Vec<3> home;
};

inline std::vector<Tool> tools_of(const Simulation<3>& simulation)
{
    const std::size_t first = body_named(simulation, "tool 1"), second = body_named(simulation, "tool 2");
    return {{first, 1, simulation.bodies.position[first]}, {second, -1, simulation.bodies.position[second]}};
}

// [m] how far a tool has come towards the sleeper, and up
inline double advanced(const Simulation<3>& simulation, const Tool& tool)
{
    return tool.towards * (simulation.bodies.position[tool.body].y() - tool.home.y());
}
inline double raised(const Simulation<3>& simulation, const Tool& tool)
{
    return simulation.bodies.position[tool.body].z() - tool.home.z();
}

inline const std::string vibration_keys = "frequency = 25\n"; // 40 steps in a period
constexpr double pulsation = 2 * M_PI * 25;

// [m] a tool is a mass whose way is the trapezoidal sum of its speeds: of a sine it misses (ωh)²/12 of the amplitude,
// and up to as much again where a phase begins in mid-swing
inline double off_sine(const Simulation<3>& simulation, double amplitude)
{
    const double angle = pulsation * simulation.clock.dt;
    return 2 * amplitude * angle * angle / 12;
}

} // namespace talus
