// checkpoint/last.h5 and previous.h5: complete states from which a run continues with the same bits.
// The old `last` becomes `previous` before the new one takes its name, so one of the two is always whole.
#pragma once

#include "talus/io/runs/run_columns.hpp"
#include "talus/io/runs/summary.hpp"

#include <filesystem>
#include <string>

namespace talus::io {

// How far the run's other files had come.
struct Counters {
    std::int64_t frames = 0;
    std::int64_t series_bytes = 0; // of series.csv
};

template <int D>
void write_checkpoint(const std::filesystem::path& run_folder, const Simulation<D>& simulation,
                      const Counters& counters, const Tally& tally);

struct Restored {
    std::filesystem::path file; // the one that was used
    bool is_previous = false;   // `last` was missing or damaged
    std::string remark;         // what the user should know; empty: nothing
    Counters counters;
    Tally tally;
};

// Into a simulation assembled from the run's own scene: bodies, shapes, contacts, clock, energy and the state of the
// drivers are replaced. InputError where neither file can be used; the simulation is unchanged then.
template <int D>
Restored read_checkpoint(const std::filesystem::path& run_folder, Simulation<D>& simulation);

// Problems of the two files; a run without checkpoints has none.
std::vector<std::string> verify_checkpoints(const std::filesystem::path& run_folder);

} // namespace talus::io
