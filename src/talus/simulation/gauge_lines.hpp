// The readings of gauges as names and numbers: one list for series.csv and summary.json.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace talus {

struct GaugeLine {
    std::string gauge;
    Reading reading; // nothing where it was not due
};

// One entry per gauge of the simulation, now; all of them are due without `is_due`.
template <int D>
using IsDue = std::function<bool(const Gauge<D>&)>;
template <int D>
std::vector<GaugeLine> measure_gauges(const Simulation<D>& simulation, const IsDue<D>& is_due = {});

} // namespace talus
