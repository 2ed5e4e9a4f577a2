// Contacts of the gauge: points, those that transmit a force, and pairs of bodies that touch in one point (a vertex or
// crossed edges), in two (an edge on a face), in three or more (face on face): simple, double, triple (BALLAST §6.2).
#include "talus/probes/indicator_files.hpp"

#include <algorithm>
#include <array>

namespace talus {

template <int D>
Indicator<D> contact_counts()
{
    const auto measure = [](const View<D>& view) -> std::vector<Maybe> {
        const Neighbours<D>& neighbours = view.snapshot.neighbours();
        double active = 0;
        std::array<double, 3> pairs{};
        for (const std::int32_t row : view.rows()) {
            const std::size_t k = std::size_t(row);
            active += neighbours.is_active(k);
            if (!neighbours.opens_pair(k) || !neighbours.touches(k)) continue;
            ++pairs[std::size_t(std::clamp(neighbours.points(k), 1, 3)) - 1];
        }
        return {double(view.rows().size()), active, pairs[0], pairs[1], pairs[2]};
    };
    return {
        "contacts",
        "contact points (open ones within the alert distance too), those with a force; simple, double, triple pairs",
        true,
        false,
        {"contacts", "active_contacts", "simple_pairs", "double_pairs", "triple_pairs"},
        measure};
}

template Indicator<2> contact_counts();
template Indicator<3> contact_counts();

} // namespace talus
