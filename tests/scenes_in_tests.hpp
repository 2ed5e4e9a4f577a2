// Simulations from scenes written in a test, or from the library.
#pragma once

#include "talus/io/scenes/scene_file.hpp"
#include "talus/simulation/assembly.hpp"
#include "talus/simulation/scene_schema.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace talus {

inline constexpr double degree = M_PI / 180; // [rad]

inline scene::Value checked(scene::Value scene, const std::vector<std::string>& sets = {})
{
    io::apply_overrides(scene, sets);
    std::vector<Mistake> mistakes = check_scene(scene);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return scene;
}

template <int D>
Simulation<D> simulation_of(const std::string& toml, const std::vector<std::string>& sets = {})
{
    return assemble<D>(checked(io::parse_scene(toml, "test.toml"), sets));
}

// what is said of a scene that is refused
template <int D>
std::string refusal(const std::string& toml)
{
    return refusal_of([&] { simulation_of<D>(toml); });
}

template <int D>
Simulation<D> library_simulation(const std::string& name, const std::vector<std::string>& sets = {})
{
    return assemble<D>(checked(io::read_scene(std::string(TALUS_SCENES) + "/" + name + ".toml"), sets));
}

template <int D>
void advance(Simulation<D>& simulation, double until)
{
    while (simulation.clock.time() < until - 0.5 * simulation.clock.dt) simulation.step();
}

} // namespace talus
