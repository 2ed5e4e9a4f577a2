// Interpenetration p = V_pen / V_gauge and Y = V_pen / V_grains, from the exact common volume of each touching pair
// (BALLAST §6.1). A pair counts in the gauge where its first contact point lies.
#include "talus/exec/parallel.hpp"
#include "talus/probes/indicator_files.hpp"
#include "talus/probes/pair_overlap.hpp"

#include <algorithm>

namespace talus {

namespace {

template <int D>
std::vector<PairOverlap> overlaps(const View<D>& view)
{
    const Sample<D>& sample = view.sample();
    const auto& rows = view.rows();
    const Neighbours<D>& neighbours = view.snapshot.neighbours();
    std::vector<PairOverlap> found(rows.size());
    const auto look = [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::size_t k = std::size_t(rows[r]);
            if (!neighbours.opens_pair(k)) continue;
            std::size_t grain = std::size_t(view.contacts().candidate[k]);
            std::size_t other = std::size_t(view.contacts().antagonist[k]);
            if (!sample.is_grain(grain)) std::swap(grain, other);
            found[r] = overlap_of_pair(sample, grain, other, neighbours.smallest_gap(k));
        }
    };
    parallel_chunks(rows.size(), look, 128); // a common volume is much work
    return found;
}

template <int D>
std::vector<Maybe> measure(const View<D>& view)
{
    double volume = 0, deepest = 0, solid = 0;
    for (const PairOverlap& pair : overlaps(view)) {
        volume += pair.volume;
        deepest = std::max(deepest, pair.depth);
    }
    for (const auto& part : view.parts()) solid += part.volume;
    if (view.grains().empty()) return {Maybe{}, Maybe{}, Maybe{}, Maybe{}};
    return {ratio(volume, view.volume), ratio(volume, solid), volume, deepest};
}

} // namespace

template <int D>
Indicator<D> interpenetration()
{
    return {"interpenetration",
            "common volume of touching pairs over the volume of the gauge, and over that of the grains (Y)",
            true,
            false,
            {"interpenetration", "overlap_ratio", std::string("overlap_volume_") + volume_unit<D>, "max_overlap_m"},
            measure<D>};
}

template Indicator<2> interpenetration();
template Indicator<3> interpenetration();

} // namespace talus
