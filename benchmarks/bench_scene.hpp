// Runs and simulations for benchmarks, from the scene library that is built into the command. A study of physics goes
// through Run, so that it computes what `talus run` does; what times single steps makes them itself.
#pragma once

#include "benchmarks/bench.hpp"
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

// A study by the method of --method: overrides of its scene, with `dem` those that only smooth contact needs; and the
// path of its rows.
std::vector<std::string> sets_of_method(const Options& options, const std::vector<std::string>& dem);
std::string path_of_method(const Options& options, const std::string& path);

// Smooth grains where nothing is thrown: the stiffness is then that of the column of grains, an overlap of a hundredth
// of a radius under the weight of all above. Restitution 0 would have a critical damper, which pulls.
inline const std::vector<std::string> smooth_column = {"dem.fastest=0.1", "contact.restitution=0.05"};

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
