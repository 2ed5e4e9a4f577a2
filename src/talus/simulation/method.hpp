// Methods: what scene.method names. Each makes the engine that carries a scene through time.
#pragma once

#include "talus/scene/kinds.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace talus {

template <int D>
class Simulation;

// Puts its engine into the simulation, which has its bodies, drivers and clock; `scene` is checked and has its
// defaults.
template <int D>
using MethodMaker = void (*)(Simulation<D>& simulation, const scene::Value& scene);

struct MethodKind : scene::NamedKind<MethodMaker> {
    std::vector<std::string> aliases;
    // What a user should know before a run; null: nothing.
    std::vector<std::string> (*warnings_2d)(const Simulation<2>&, const scene::Value&) = nullptr;
    std::vector<std::string> (*warnings_3d)(const Simulation<3>&, const scene::Value&) = nullptr;
};

MethodKind contact_dynamics_method();
MethodKind dem_method();

// The registry; a program may add to it.
std::vector<MethodKind>& method_kinds();
const MethodKind* find_method(std::string_view name); // or alias; null: none
const MethodKind& method_of(const scene::Value& scene);
std::vector<std::string> method_names(); // with aliases

} // namespace talus
