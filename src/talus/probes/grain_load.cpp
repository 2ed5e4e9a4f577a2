// Load of a grain: the sum of the normal components of its contact forces (MOREAU §4); classes in geometric progression
// of ratio 2 below the largest.
#include "talus/probes/indicator_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

template <int D>
std::vector<double> loads_in(const View<D>& view)
{
    std::vector<double> loads; // [N]
    for (const std::int32_t i : view.grains()) loads.push_back(view.snapshot.loads()[std::size_t(i)]);
    return loads;
}

template <int D>
std::vector<Maybe> measure_load(const View<D>& view)
{
    const std::vector<double> loads = loads_in(view);
    if (loads.empty()) return std::vector<Maybe>(2);
    double sum = 0;
    for (const double load : loads) sum += load;
    return {sum / double(loads.size()), *std::max_element(loads.begin(), loads.end())};
}

template <int D>
std::vector<Distribution> load_classes(const View<D>& view)
{
    const std::vector<double> loads = loads_in(view);
    const double largest = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
    if (!(largest > 0)) return {};
    constexpr int classes = 8; // the first one takes all that is smaller
    Distribution share{"loads",
                       "Load of the grains",
                       fmt::format("log2 of the load over the largest ({:.3g} N), rounded up", largest),
                       "share of the grains",
                       Distribution::Kind::bars,
                       std::vector<double>(classes),
                       std::vector<double>(classes, 0.0)};
    for (int c = 0; c < classes; ++c) share.x[std::size_t(classes - 1 - c)] = -c;
    for (const double load : loads) {
        const int halvings = load > 0 ? int(std::log2(largest / load)) : classes;
        share.y[std::size_t(classes - 1 - std::clamp(halvings, 0, classes - 1))] += 1.0 / double(loads.size());
    }
    return {share};
}

} // namespace

template <int D>
Indicator<D> grain_load()
{
    return {"load",
            "mean and largest load of the grains: the sum of the normal forces on each; its distribution",
            false,
            false,
            {"mean_load_N", "max_load_N"},
            measure_load<D>,
            load_classes<D>};
}

template Indicator<2> grain_load();
template Indicator<3> grain_load();

} // namespace talus
