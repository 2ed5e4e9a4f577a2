// What `run` and `check` share: a scene file, its --set overrides, and the complaint about all that is wrong with it.
#pragma once

#include "scene/value.hpp"
#include "simulation/assembly.hpp"

#include <filesystem>
#include <string>
#include <vector>

// Validated, in SI units, with every default filled in. InputError with all problems.
talus::scene::Value load_scene(const std::filesystem::path& file, const std::vector<std::string>& sets);

// The folder that start.run names.
std::filesystem::path start_folder(const talus::scene::Value& run);

// Ready to step; begins from another run's frame where [start] says so.
template <int D>
talus::Simulation<D> load_simulation(const talus::scene::Value& scene);

// The simulation that a run's folder records, at its first frame; its scene may have more gauges than were run.
template <int D>
talus::Simulation<D> recorded_simulation(const std::filesystem::path& folder, const talus::scene::Value& scene);
// ... and at another of its frames
template <int D>
void set_to_frame(talus::Simulation<D>& simulation, const std::filesystem::path& folder, std::int64_t index);

// The number of steps that cover the duration.
std::int64_t step_count(const talus::scene::Value& scene);
