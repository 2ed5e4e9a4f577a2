// A settled deposit of 2000 random convex polyhedra, recorded (benchmarks/data/README.md): the same problem for every
// program that is measured on it.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <filesystem>
#include <string>

namespace talus::bench {

// The sample repeated tiles_x × tiles_y times side by side in one box, under gravity; `share` of it by the grains with
// the lowest x, with a wall beside them. Step 2e-4 s, alert distance 1 mm, μ = 0.7 between grains and 0.8 with walls.
Simulation<3> polyhedra_sample(int tiles_x, int tiles_y, double share = 1);

// TOML of the empty box, [m].
std::string box_of_sample(double width, double depth);

// A file of benchmarks/data, where it was installed or where it was built.
std::filesystem::path data_file(const std::string& name);

} // namespace talus::bench
