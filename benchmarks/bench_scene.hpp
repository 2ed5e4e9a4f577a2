// Runs and simulations for benchmarks, from the scene library that is built into the command. A study of physics goes
// through Run, so that it computes what `talus run` does; what times single steps makes them itself.
#pragma once

#include "talus/simulation/assembly.hpp"
#include "talus/simulation/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

namespace talus::bench {

// InputError where the library has no such scene or an override does not fit.
template <int D>
RunSetup<D> setup_of(const std::string& library_name, const std::vector<std::string>& sets = {});
template <int D>
Simulation<D> simulation_of(const std::string& library_name, const std::vector<std::string>& sets = {});

// Where the scenes lie with the data that they name: installed, or in the source tree.
std::filesystem::path scenes_folder();

// From a scene given as text.
template <int D>
RunSetup<D> setup_of_text(const std::string& toml, const std::vector<std::string>& sets = {});
template <int D>
Simulation<D> simulation_of_text(const std::string& toml, const std::vector<std::string>& sets = {});

// The next step of a run, for who looks or acts between steps. RunError where there is none.
template <int D>
void take_step(Run<D>& run);

// A vector of a scene: [w, h] in 2D, [w, w, h] in 3D.
template <int D>
std::string vector_text(double across, double up)
{
    return D == 2 ? fmt::format("[{}, {}]", across, up) : fmt::format("[{0}, {0}, {1}]", across, up);
}

} // namespace talus::bench
