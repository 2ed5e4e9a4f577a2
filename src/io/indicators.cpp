#include "io/indicators.hpp"

#include "probes/inertial_number.hpp"

namespace talus::io {

void write_reading(JsonWriter& json, const Reading& reading)
{
    for (std::size_t c = 0; c < reading.columns().size(); ++c) json.entry(reading.columns()[c], reading.values()[c]);
    if (const Maybe inertia = reading["inertial_number"]) json.entry("regime", regime_of(*inertia));
}

template <int D>
std::vector<GaugeLine> measure_gauges(const Simulation<D>& simulation, const IsDue<D>& is_due)
{
    const Snapshot<D> snapshot = simulation.snapshot();
    std::vector<GaugeLine> lines;
    for (const Gauge<D>& gauge : simulation.gauges) {
        lines.push_back({gauge.name(), !is_due || is_due(gauge) ? gauge.measure(snapshot) : Reading{}});
    }
    return lines;
}

template std::vector<GaugeLine> measure_gauges(const Simulation<2>&, const IsDue<2>&);
template std::vector<GaugeLine> measure_gauges(const Simulation<3>&, const IsDue<3>&);

} // namespace talus::io
