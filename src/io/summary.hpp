// summary.json: how a run ended and what it took. The tally is what is counted on the way; a checkpoint carries it, so
// that a resumed run sums up as if it had never stopped.
#pragma once

#include "io/indicators.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace talus::io {

struct Tally {
    double wall_seconds = 0; // [s] kept by the caller
    PhaseTimes phase_seconds{};
    std::int64_t steps = 0;
    std::int64_t contacts_last = 0, contacts_max = 0;
    std::int64_t sweeps_total = 0, sweeps_max = 0;
    double residual_last = 0, residual_worst = 0;
    std::int64_t steps_over_tolerance = 0; // solves that did not reach what was asked
    PartitionStatistics partition_last;    // of the sub-domains, where there are any
    bool reproducible = true;              // every solve gives the same bits each time
    bool quality_exceeded = false;         // set by the caller, as are the warnings
    std::vector<std::string> warnings;

    void add(const StepReport& report);
};

struct Summary {
    std::string outcome; // "done", "interrupted", "failed", "quality"
    std::string exit_reason;
    int exit_status = 0;
    Tally tally;
    double simulated_time = 0; // [s]
    std::size_t bodies = 0;
    std::uint64_t state_hash = 0;
    int threads = 1;
    std::string version;

    std::vector<GaugeLine> gauges; // last indicators
};

std::string to_json(const Summary& summary);
void write_summary(const std::filesystem::path& file, const Summary& summary); // replaced whole
// The outcome in a summary.json; empty where there is no such file or no outcome in it.
std::string read_outcome(const std::filesystem::path& file);

} // namespace talus::io
