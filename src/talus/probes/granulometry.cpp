// Granulometry of the gauge: the diameters (of the bounding balls) below which 10, 50 and 90 % of the grains' volume
// lie, and the whole cumulative curve.
#include "talus/probes/indicator_files.hpp"

#include <algorithm>
#include <numeric>

namespace talus {

namespace {

struct Size {
    double diameter, volume; // [m], [m³] or [m²]
};

template <int D>
std::vector<Size> sizes_in(const View<D>& view)
{
    std::vector<Size> sizes;
    for (const std::int32_t i : view.grains()) {
        const double radius = bounding_radius(view.sample().shapes, view.sample().bodies.shape[std::size_t(i)]);
        sizes.push_back({2 * radius, view.sample().volume(std::size_t(i))});
    }
    std::sort(sizes.begin(), sizes.end(), [](const Size& a, const Size& b) { return a.diameter < b.diameter; });
    return sizes;
}

// (diameter, share of the volume in grains up to it), one entry per grain
std::vector<Size> cumulative(std::vector<Size> sizes)
{
    double total = 0, sum = 0;
    for (const Size& size : sizes) total += size.volume;
    for (Size& size : sizes) {
        sum += size.volume;
        size.volume = sum / total;
    }
    return sizes;
}

double diameter_at(const std::vector<Size>& curve, double share)
{
    for (const Size& size : curve) {
        if (size.volume >= share) return size.diameter;
    }
    return curve.back().diameter;
}

template <int D>
std::vector<Maybe> measure_sizes(const View<D>& view)
{
    const std::vector<Size> curve = cumulative(sizes_in(view));
    if (curve.empty()) return std::vector<Maybe>(3);
    return {diameter_at(curve, 0.1), diameter_at(curve, 0.5), diameter_at(curve, 0.9)};
}

template <int D>
std::vector<Distribution> size_curve(const View<D>& view)
{
    const std::vector<Size> curve = cumulative(sizes_in(view));
    if (curve.empty()) return {};
    Distribution passing{
        "sizes", "Granulometry", "diameter [m]", "share of the volume passing", Distribution::Kind::line, {}, {}};
    constexpr std::size_t points = 100;
    const std::size_t step = std::max<std::size_t>(1, curve.size() / points);
    for (std::size_t k = 0; k < curve.size(); k += step) {
        passing.x.push_back(curve[k].diameter);
        passing.y.push_back(curve[k].volume);
    }
    passing.x.push_back(curve.back().diameter);
    passing.y.push_back(1);
    return {passing};
}

} // namespace

template <int D>
Indicator<D> granulometry()
{
    return {"sizes",
            "granulometry: diameters below which 10, 50 and 90 % of the volume of the grains lie; the whole curve",
            false,
            false,
            {"d10_m", "d50_m", "d90_m"},
            measure_sizes<D>,
            size_curve<D>};
}

template Indicator<2> granulometry();
template Indicator<3> granulometry();

} // namespace talus
