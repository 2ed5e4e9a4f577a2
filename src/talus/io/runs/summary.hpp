// summary.json: how a run ended and what it took.
#pragma once

#include "talus/io/runs/indicators.hpp"
#include "talus/simulation/run.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace talus::io {

struct Summary {
    RunEnd end;
    Tally tally;
    QualitySummary quality;
    double simulated_time = 0;                    // [s]
    std::size_t bodies = 0, grains = 0, left = 0; // grains: of the bodies
    std::int64_t parts = 1;                       // steps of the method in a step of the clock
    std::uint64_t state_hash = 0;
    int threads = 1;
    std::string version;

    std::vector<GaugeLine> gauges;                            // last indicators
    std::vector<std::pair<std::string, scene::Value>> meters; // their results, by name
};

std::string to_json(const Summary& summary);
void write_summary(const std::filesystem::path& file, const Summary& summary); // replaced whole
// The outcome in a summary.json; empty where there is no such file or no outcome in it.
std::string read_outcome(const std::filesystem::path& file);
// The text after the first key of this name in the text of a summary, as it stands between its quotes: with JSON's
// escapes. Empty where there is none.
std::string summary_text(std::string_view summary, std::string_view key);

} // namespace talus::io
