// A run that is kept in its folder and goes on from its checkpoint, so that hours of it can be done in pieces; and a
// table of numbers beside it, FOLDER.csv, that a resumed run carries on where its checkpoint is.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace talus::bench {

struct KeptColumns {
    std::vector<std::string> names; // after the time
    double every = 0;               // [s]
    std::function<std::vector<double>(const Simulation<3>&)> values;
};

struct Table {
    std::vector<double> times;                          // [s]
    std::map<std::string, std::vector<double>> columns; // one value per time
};
// A file of comma-separated numbers with one line of names, the first column time. Empty where there is no such file.
Table read_table(const std::filesystem::path& file);

struct KeptRun : Table {
    double particle_steps_per_second = 0; // of this piece; 0: it was complete already
};

// To the end of the scene. RunError where a signal ends it before: the same call goes on. A table that reaches the end
// is enough, such as one from another machine.
KeptRun keep_run(const std::filesystem::path& folder, const scene::Value& scene, const KeptColumns& columns);

} // namespace talus::bench
