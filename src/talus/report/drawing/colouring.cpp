#include "talus/report/drawing/colouring.hpp"

#include "talus/base/error.hpp"
#include "talus/probes/local_compacity.hpp"
#include "talus/probes/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {
namespace {

constexpr std::int32_t shades = 64; // of a continuous map
constexpr int band_count = 6;
constexpr double diameters_around = 2; // of a grain: where its compacity is measured

Legend legend_of(Quantity quantity, bool is_crowd)
{
    switch (quantity) {
    case Quantity::speed:
        return {"speed", "m/s", {}, {}, {}};
    case Quantity::load:
        return {is_crowd ? "contact force" : "load", "N", {}, {}, {}};
    case Quantity::compacity:
        return {"compacity", "", {}, {}, {}};
    case Quantity::size:
        return {"diameter", "m", {}, {}, {}};
    case Quantity::rotation:
        return {"rotation rate", "rad/s", {}, {}, {}};
    case Quantity::density:
        return {"density", "1/m²", {}, {}, {}};
    case Quantity::exit:
        return {"exit", "", {}, {}, {}};
    case Quantity::material:
        break;
    }
    return {"material", "", {}, {}, {}};
}

template <int D>
void name_materials(const io::Frame<D>& frame, Colouring& colouring)
{
    std::vector<bool> is_used(frame.materials.size(), false);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        colouring.of_body[i] = frame.bodies.material[i];
        if (!is_wall(frame, i)) is_used[std::size_t(frame.bodies.material[i])] = true;
    }
    for (std::size_t m = 0; m < frame.materials.size(); ++m) {
        colouring.palette.push_back(qualitative(m));
        if (is_used[m]) colouring.legend.names.push_back({frame.materials[m], std::int32_t(m)});
    }
}

// Grey for those who stay, and for what is no person.
template <int D>
void name_exits(const io::Frame<D>& frame, const CrowdLook& crowd, Colouring& colouring)
{
    const auto nowhere = std::int32_t(crowd.exits.size());
    for (std::size_t e = 0; e < crowd.exits.size(); ++e) {
        colouring.palette.push_back(qualitative(e));
        colouring.legend.names.push_back({crowd.exits[e].name, std::int32_t(e)});
    }
    colouring.palette.push_back(neutral);
    bool some_stay = false;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        colouring.of_body[i] = crowd.exit[i] >= 0 ? crowd.exit[i] : nowhere;
        some_stay |= crowd.exit[i] < 0 && is_person(frame, i);
    }
    if (some_stay) colouring.legend.names.push_back({"stays", nowhere});
}

// Palette and legend for the values of the grains.
void choose_shades(Colouring& colouring, std::vector<double> of_grains, Quantity quantity)
{
    // at a free surface grains are much less dense than inside, where a few percent matter
    colouring.legend.range = quantity == Quantity::compacity
                                 ? upper_range_of(std::move(of_grains))
                                 : range_of(std::move(of_grains), quantity != Quantity::size);
    for (std::int32_t k = 0; k < shades; ++k) colouring.palette.push_back(viridis((k + 0.5) / shades));
}
void choose_bands(Colouring& colouring, const std::vector<double>& of_grains)
{
    double largest = 0;
    for (const double value : of_grains) {
        if (std::isfinite(value)) largest = std::max(largest, value);
    }
    if (largest == 0) largest = 1; // nothing is loaded: everything in the lowest class
    colouring.legend.range = {0, largest, false};
    colouring.legend.thresholds = halving_thresholds(largest, band_count);
    for (int k = 0; k < band_count; ++k) colouring.palette.push_back(paper_to_ink(double(k) / (band_count - 1)));
}

std::int32_t place_of(double value, const Legend& legend)
{
    if (legend.thresholds.empty()) return std::min(std::int32_t(legend.range.part_of(value) * shades), shades - 1);
    const auto above = std::lower_bound(legend.thresholds.begin(), legend.thresholds.end(), value);
    return std::int32_t(above - legend.thresholds.begin());
}

} // namespace

template <int D>
Colouring colouring_of(const io::Frame<D>& frame, Quantity quantity, bool bands, const std::optional<ValueRange>& range,
                       const CrowdLook* crowd)
{
    Colouring colouring;
    colouring.legend = legend_of(quantity, crowd != nullptr);
    const std::vector<double> values = body_values(frame, quantity, crowd);
    std::vector<double> of_free;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (moves_freely(frame, i)) of_free.push_back(values[i]);
        colouring.grains += is_grain(frame, i);
    }
    colouring.of_body.resize(values.size());
    if (quantity == Quantity::material || quantity == Quantity::exit) {
        if (bands) throw InputError("bands are classes of a number such as the load: materials and exits have none");
        quantity == Quantity::exit ? name_exits(frame, *crowd, colouring) : name_materials(frame, colouring);
        return colouring;
    }
    if (bands) {
        choose_bands(colouring, range ? std::vector{range->upper} : of_free);
    } else {
        choose_shades(colouring, std::move(of_free), quantity);
        if (crowd && quantity == Quantity::load) colouring.legend.range.lower = 0; // percussions may pull a little
        if (range) colouring.legend.range = *range;
    }
    const auto imposed = std::int32_t(colouring.palette.size());
    colouring.palette.push_back(neutral);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_neutral = !moves_freely(frame, i) || !std::isfinite(values[i]);
        colouring.of_body[i] = is_neutral ? imposed : place_of(values[i], colouring.legend);
        colouring.has_imposed |= is_neutral && !is_wall(frame, i) && !crowd; // walls of a room need no word
    }
    return colouring;
}

template <int D>
std::vector<double> body_values(const io::Frame<D>& frame, Quantity quantity, const CrowdLook* crowd)
{
    const BodyTable<D>& bodies = frame.bodies;
    if (quantity == Quantity::density || quantity == Quantity::exit) {
        if (!crowd) throw InputError("density and exit are colours of people: this is no run of a crowd");
        if (quantity == Quantity::density) return crowd->density;
        return {crowd->exit.begin(), crowd->exit.end()};
    }
    if (quantity == Quantity::compacity) {
        return local_compacity(Sample<D>{bodies, frame.shapes}, diameters_around * mean_grain_diameter(frame));
    }
    if (quantity == Quantity::load) return Snapshot<D>(bodies, frame.shapes, frame.contacts, frame.clock.dt).loads();
    std::vector<double> values(bodies.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (quantity == Quantity::speed) values[i] = bodies.velocity[i].norm();
        if (quantity == Quantity::rotation) values[i] = bodies.spin[i].norm();
        if (quantity == Quantity::size) values[i] = 2 * bounding_radius(frame.shapes, bodies.shape[i]);
        if (quantity == Quantity::material) values[i] = bodies.material[i];
    }
    return values;
}

template <int D>
double mean_grain_diameter(const io::Frame<D>& frame)
{
    double sum = 0, grains = 0;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if (!is_grain(frame, i)) continue;
        sum += 2 * bounding_radius(frame.shapes, frame.bodies.shape[i]);
        ++grains;
    }
    return grains > 0 ? sum / grains : std::numeric_limits<double>::infinity();
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Colouring colouring_of(const io::Frame<D>&, Quantity, bool, const std::optional<ValueRange>&,             \
                                    const CrowdLook*);                                                                 \
    template std::vector<double> body_values(const io::Frame<D>&, Quantity, const CrowdLook*);                         \
    template double mean_grain_diameter(const io::Frame<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
