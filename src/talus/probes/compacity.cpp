// Compacity ρ = V_grains / V_gauge, with grains cut exactly at the surface of the gauge (BALLAST §6.2). Where grains
// overlap, the common volume counts in both.
#include "talus/probes/indicator_files.hpp"

namespace talus {

template <int D>
Indicator<D> compacity()
{
    const auto measure = [](const View<D>& view) -> std::vector<Maybe> {
        double solid = 0;
        for (const auto& part : view.parts()) solid += part.volume;
        const bool is_empty = view.grains().empty();
        return {is_empty ? Maybe{} : ratio(solid, view.volume), view.volume, solid, double(view.grains().size())};
    };
    const std::string unit = volume_unit<D>;
    return {"compacity",
            "share of the volume that grains fill, cut exactly at the surface of the gauge",
            true,
            false,
            {"compacity", "volume_" + unit, "solid_volume_" + unit, "grains"},
            measure};
}

template Indicator<2> compacity();
template Indicator<3> compacity();

} // namespace talus
