// Simulations for benchmarks, from the scene library that is built into the command.
#pragma once

#include "simulation/assembly.hpp"

#include <string>
#include <vector>

namespace talus::bench {

// InputError where the library has no such scene or an override does not fit.
template <int D>
Simulation<D> simulation_of(const std::string& library_name, const std::vector<std::string>& sets = {});

// From a scene given as text.
template <int D>
Simulation<D> simulation_of_text(const std::string& toml, const std::vector<std::string>& sets = {});

} // namespace talus::bench
