// What BALLAST eq. 10.3 says of a run's interpenetration, beside what was measured.
#pragma once

#include "talus/io/runs/indicators.hpp"
#include "talus/simulation/quality.hpp"

#include <filesystem>
#include <string>
#include <vector>

// Measured in one gauge over the frames of a run.
struct GaugeHistory {
    std::vector<double> contacts, mean_speed, overlap_ratio; // one per frame; overlap_ratio is Y as a share
};

// Prints the terms of the equation and the measured Y; in the range of the equation also its estimate and what other
// choices of dt and sweeps would give by the same law with its constant from this run.
void print_prediction(const std::filesystem::path& folder, const std::string& gauge, const GaugeHistory& history,
                      const std::string& process, double dt, double mean_diameter, std::int64_t steps);
