#include "talus/simulation/gauge_lines.hpp"

namespace talus {

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

} // namespace talus
