// A run that is kept: its folder has frames, series, checkpoints and a summary, as the command writes them.
//     run.observe(talus::run_folder(run, "out/pile"));
#pragma once

#include "talus/simulation/run.hpp"

#include <filesystem>

namespace talus {

enum class Existing { refuse, replace };

// Of a run that was set up from a scene. The folder is made, and locked as long as the run is there; InputError where
// it holds something else, or a run that is not to be replaced.
template <int D>
std::unique_ptr<Observer<D>> run_folder(const Run<D>& run, const std::filesystem::path& folder,
                                        Existing existing = Existing::refuse);

} // namespace talus
