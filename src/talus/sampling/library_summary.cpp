#include "talus/sampling/library_summary.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

template <class Value>
Spread spread_of(std::size_t count, Value&& value)
{
    Spread spread{value(0), 0, value(0)};
    for (std::size_t k = 0; k < count; ++k) {
        spread.least = std::min<double>(spread.least, value(k));
        spread.most = std::max<double>(spread.most, value(k));
        spread.mean += value(k) / double(count);
    }
    return spread;
}

} // namespace

double LibrarySummary::size_passing(double share) const
{
    const auto found = std::lower_bound(passing.begin(), passing.end(), share * (1 - 1e-12),
                                        [](const SievePoint& point, double wanted) { return point.passing < wanted; });
    return found == passing.end() ? passing.back().size : found->size;
}

double LibrarySummary::share_passing(double size) const
{
    const auto beyond = std::upper_bound(passing.begin(), passing.end(), size,
                                         [](double opening, const SievePoint& point) { return opening < point.size; });
    return beyond == passing.begin() ? 0 : (beyond - 1)->passing;
}

template <int D>
LibrarySummary summary_of(const std::vector<Polytope<D>>& grains)
{
    LibrarySummary all;
    all.dimension = D;
    for (const Polytope<D>& grain : grains) all.grains.push_back(measure_grain(grain));
    const std::size_t count = grains.size();
    all.vertices = spread_of(count, [&](std::size_t k) { return double(grains[k].vertices.size()); });
    all.faces = spread_of(count, [&](std::size_t k) { return double(grains[k].face_count()); });
    all.elongation = spread_of(count, [&](std::size_t k) { return all.grains[k].elongation; });
    all.flatness = spread_of(count, [&](std::size_t k) { return all.grains[k].flatness; });
    all.sphericity = spread_of(count, [&](std::size_t k) { return all.grains[k].sphericity; });
    all.sieve_size = spread_of(count, [&](std::size_t k) { return all.grains[k].sieve_size; });
    all.volume = spread_of(count, [&](std::size_t k) { return all.grains[k].volume; });
    for (const GrainMeasures& grain : all.grains) all.passing.push_back({grain.sieve_size, grain.volume});
    std::sort(all.passing.begin(), all.passing.end(),
              [](const SievePoint& a, const SievePoint& b) { return a.size < b.size; });
    double below = 0;
    for (SievePoint& point : all.passing) point.passing = below += point.passing;
    for (SievePoint& point : all.passing) point.passing /= below;
    return all;
}

std::vector<double> sieve_openings(double smallest, double largest)
{
    static constexpr double series[] = {1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8};
    std::vector<double> openings;
    for (int decade = int(std::floor(std::log10(smallest))) - 1; openings.empty() || openings.back() < largest;
         ++decade) {
        for (const double step : series) {
            const double opening = step * std::pow(10.0, decade);
            if (opening <= smallest) openings.assign(1, opening);
            if (opening > smallest && (openings.empty() || openings.back() < largest)) openings.push_back(opening);
        }
    }
    return openings;
}

template LibrarySummary summary_of(const std::vector<Polytope<2>>&);
template LibrarySummary summary_of(const std::vector<Polytope<3>>&);

} // namespace talus
