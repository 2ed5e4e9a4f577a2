// From a validated scene to a simulation that can step.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/scene/value.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

// The scene's bodies, laws, drivers, gauges and methods. InputError with every problem that only the geometry shows:
// grains that do not fit, overlaps beyond quality.start_overlap, shapes that have no exact contact yet.
template <int D>
Simulation<D> assemble(const scene::Value& scene, const ShapeFiles& files = no_shape_files());

enum class SceneBodies { add, present };

// The same, from a state: its materials are matched by name, and the scene's own bodies are added to it, unless they
// are present in it already (a run that is resumed).
template <int D>
Simulation<D> assemble_from(const scene::Value& scene, NamedState<D> start, SceneBodies scene_bodies,
                            const ShapeFiles& files = no_shape_files());

// Advice and trouble that do not stop a run: a time step too large for the motion or a vibration.
template <int D>
std::vector<std::string> warnings(const Simulation<D>& simulation, const scene::Value& scene);

} // namespace talus
