#include "talus/report/drawing/sketch.hpp"

#include "talus/report/chains.hpp"
#include "talus/report/drawing/sketcher.hpp"
#include "talus/report/slice.hpp"

#include <algorithm>

namespace talus::report {

namespace {

constexpr std::int32_t heat_shades = 64;

Heat heat_of(const CrowdMaps& maps, MapKind kind, const std::optional<ValueRange>& range)
{
    const bool is_density = kind == MapKind::density;
    Heat map{maps.grid, is_density ? maps.density : maps.speed, {}, {}};
    map.legend = {is_density ? "density" : "speed", is_density ? "1/m²" : "m/s", {}, {}, {}};
    map.legend.range = range ? *range : range_of(map.values, true);
    for (std::int32_t k = 0; k < heat_shades; ++k) {
        const double part = (k + 0.5) / heat_shades;
        map.palette.push_back(is_density ? heat(part) : mixed(viridis(part), white, 0.45));
    }
    map.palette.push_back(neutral);
    return map;
}

// What a crowd has beside its bodies. Ways and exits have the colours of the exits where people have them.
void add_crowd(Sketch& sketch, const CrowdLook& crowd, const Subject& subject)
{
    const bool by_exit = subject.colour == Quantity::exit;
    const auto colour_of = [&](std::int32_t exit) {
        return by_exit ? std::optional(exit >= 0 ? exit : std::int32_t(crowd.exits.size())) : std::nullopt;
    };
    for (const Trail& trail : crowd.trails) sketch.paths.push_back({trail.places, colour_of(trail.exit)});
    for (std::size_t e = 0; e < crowd.exits.size(); ++e) {
        const ExitMark& exit = crowd.exits[e];
        sketch.exits.push_back({exit.name, exit.from, exit.to, colour_of(std::int32_t(e))});
    }
    if (subject.map) sketch.heat = heat_of(crowd.maps, *subject.map, subject.map_range);
    sketch.left = crowd.left;
}

} // namespace

template <int D>
Sketch sketch_of(const io::Frame<D>& frame, const Subject& subject)
{
    const CrowdLook* crowd = subject.crowd.get();
    const Colouring colouring = colouring_of(frame, subject.colour, subject.bands, subject.range, crowd);
    Sketch sketch;
    if (subject.slice) {
        sketch = sketch_of_slice(frame, colouring, *subject.slice, subject.window);
    } else {
        const Projection<D> projection = projection_of<D>(subject.view);
        sketch = laid_out(frame, projection, colouring, {}, subject.window, crowd);
        if (crowd) add_crowd(sketch, *crowd, subject);
        sketch.chains = chains_of(frame, projection);
    }
    sketch.strongest = subject.strongest ? *subject.strongest : strongest_force(sketch.chains);
    return sketch;
}

template <int D>
void reach(Subject& sequence, const io::Frame<D>& frame)
{
    Subject alone = sequence;
    alone.window.reset();
    alone.range.reset();
    alone.map_range.reset();
    alone.strongest.reset();
    const Sketch sketch = sketch_of(frame, alone);
    if (!sequence.window) sequence.window = sketch.window;
    sequence.window->lower = sequence.window->lower.cwiseMin(sketch.window.lower);
    sequence.window->upper = sequence.window->upper.cwiseMax(sketch.window.upper);
    sequence.range = joined(sequence.range, sketch.legend.range);
    sequence.strongest = std::max(sequence.strongest.value_or(0), sketch.strongest);
    if (sketch.heat) sequence.map_range = joined(sequence.map_range, sketch.heat->legend.range);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Sketch sketch_of(const io::Frame<D>&, const Subject&);                                                    \
    template void reach(Subject&, const io::Frame<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
