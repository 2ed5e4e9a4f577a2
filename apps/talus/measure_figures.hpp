// The figures of `talus measure --figures`.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <filesystem>
#include <vector>

// Into a folder that is made where it is not there; one SVG each.
template <int D>
void write_figures(const talus::Simulation<D>& simulation, const std::vector<talus::Gauge<D>>& round,
                   const std::filesystem::path& run, const std::filesystem::path& folder);
