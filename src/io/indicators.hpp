// The values of a gauge as names and numbers, units in the names: one list for series.csv and summary.json.
#pragma once

#include "simulation/simulation.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace talus::io {

struct Indicator {
    std::string name;
    std::optional<double> value;
};

struct GaugeLine {
    std::string gauge;
    std::vector<Indicator> indicators;
};

template <int D>
std::vector<Indicator> indicators_of(const GaugeValues<D>& values);

// one entry per gauge of the simulation, now
template <int D>
std::vector<GaugeValues<D>> measure_gauges(const Simulation<D>& simulation);

template <int D>
std::vector<GaugeLine> gauge_lines(const Simulation<D>& simulation, std::span<const GaugeValues<D>> values);

} // namespace talus::io
