// What was measured of one moment of a run, as JSON: readings and distributions by gauge, profiles of the sample.
#pragma once

#include "talus/io/runs/indicators.hpp"

#include <string>
#include <vector>

namespace talus::io {

struct MeasuredGauge {
    std::string name;
    Reading reading;
    std::vector<Distribution> distributions;
};

// Every gauge, and the profiles of the whole sample as one more, without a reading.
template <int D>
std::vector<MeasuredGauge> measure_everything(const Simulation<D>& simulation);

std::string to_json(const std::vector<MeasuredGauge>& gauges, double time);

} // namespace talus::io
