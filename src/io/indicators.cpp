#include "io/indicators.hpp"

#include <fmt/format.h>

namespace talus::io {

template <int D>
std::vector<Indicator> indicators_of(const GaugeValues<D>& values)
{
    const auto volume = [](const char* name) { return fmt::format("{}_m{}", name, D); };
    return {
        {"solid_fraction", values.solid_fraction},
        {"coordination", values.coordination},
        {"coordination_without_rattlers", values.coordination_without_rattlers},
        {"neighbours", values.neighbours},
        {"interpenetration", values.interpenetration},
        {"overlap_ratio", values.overlap_ratio},
        {"max_overlap_m", values.max_overlap},
        {volume("overlap_volume"), values.overlap_volume},
        {volume("volume"), values.volume},
        {volume("solid_volume"), values.solid_volume},
        {"grains", double(values.grains)},
        {"contacts", double(values.contacts)},
        {"active_contacts", double(values.active_contacts)},
        {"simple_pairs", double(values.simple_pairs)},
        {"double_pairs", double(values.double_pairs)},
        {"triple_pairs", double(values.triple_pairs)},
        {"mean_speed_mps", values.mean_speed},
        {"max_speed_mps", values.max_speed},
    };
}

template <int D>
std::vector<GaugeValues<D>> measure_gauges(const Simulation<D>& simulation)
{
    std::vector<GaugeValues<D>> values;
    for (const Gauge<D>& gauge : simulation.gauges) {
        values.push_back(gauge.measure(simulation.bodies, simulation.shapes, simulation.contacts));
    }
    return values;
}

template <int D>
std::vector<GaugeLine> gauge_lines(const Simulation<D>& simulation, std::span<const GaugeValues<D>> values)
{
    std::vector<GaugeLine> lines;
    for (std::size_t g = 0; g < values.size(); ++g) {
        lines.push_back({simulation.gauges[g].name(), indicators_of(values[g])});
    }
    return lines;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::vector<Indicator> indicators_of(const GaugeValues<D>&);                                              \
    template std::vector<GaugeValues<D>> measure_gauges(const Simulation<D>&);                                         \
    template std::vector<GaugeLine> gauge_lines(const Simulation<D>&, std::span<const GaugeValues<D>>);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
