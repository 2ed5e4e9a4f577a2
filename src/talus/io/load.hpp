// From files to simulations: a scene file with its overrides, the state it begins from, what a run's folder records.
#pragma once

#include "talus/scene/value.hpp"
#include "talus/simulation/assembly.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace talus::io {

// Validated, in SI units, with every default filled in. InputError with all problems.
scene::Value load_scene(const std::filesystem::path& file, const std::vector<std::string>& sets,
                        IdleKeys idle = IdleKeys::refuse);

// The folder that start.run names.
std::filesystem::path start_folder(const scene::Value& run);

// Ready to step; begins from another run's frame where [start] says so.
template <int D>
Simulation<D> load_simulation(const scene::Value& scene);

// The simulation that a run's folder records, at its first frame; its scene may have more gauges than were run.
template <int D>
Simulation<D> recorded_simulation(const std::filesystem::path& folder, const scene::Value& scene);
// ... and at another of its frames
template <int D>
void set_to_frame(Simulation<D>& simulation, const std::filesystem::path& folder, std::int64_t index);

} // namespace talus::io
