// A run from its first step: the folder, the scene in it, the loop. `run` and `prepare` share it.
#pragma once

#include "run_loop.hpp"

struct NewRun {
    std::filesystem::path out;
    RunPlan plan;
    std::string command_line;
    bool vtk = false;
};

talus::io::Provenance provenance_of(const std::string& command_line, const talus::scene::Value& scene);

// Writes the folder, which is empty or missing, and steps to the end; returns the exit status.
template <int D>
int begin_run(talus::Simulation<D>& simulation, const talus::scene::Value& scene, const NewRun& run);
