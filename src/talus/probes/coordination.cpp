// Coordination number z: bodies (walls too) that a grain exchanges a force with, mean over the grains of the gauge; the
// same without rattlers; and all neighbours that touch (BALLAST has both, in §6.2 and §10.2). Rattlers are left out
// again and again: grains with fewer force-transmitting neighbours than balance needs, D + 1 without friction, 2 with.
#include "talus/probes/indicator_files.hpp"

namespace talus {

template <int D>
Indicator<D> coordination()
{
    const auto measure = [](const View<D>& view) -> std::vector<Maybe> {
        const Neighbours<D>& neighbours = view.snapshot.neighbours();
        const auto& held = view.snapshot.held();
        double pushing = 0, touching = 0, held_grains = 0, pushing_held = 0;
        for (const std::int32_t i : view.grains()) {
            pushing += neighbours.pushing()[std::size_t(i)];
            touching += neighbours.touching()[std::size_t(i)];
            if (held[std::size_t(i)] < 0) continue;
            ++held_grains;
            pushing_held += held[std::size_t(i)];
        }
        const double grains = double(view.grains().size());
        return {ratio(pushing, grains), ratio(pushing_held, held_grains), ratio(touching, grains),
                ratio(grains - held_grains, grains)};
    };
    return {"coordination",
            "neighbours that transmit a force, with and without rattlers; neighbours that touch; share of rattlers",
            true,
            false,
            {"coordination", "coordination_without_rattlers", "neighbours", "rattlers"},
            measure};
}

template Indicator<2> coordination();
template Indicator<3> coordination();

} // namespace talus
