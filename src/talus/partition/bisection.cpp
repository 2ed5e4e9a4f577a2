#include "talus/partition/bisection.hpp"

#include <algorithm>

namespace talus {

namespace {

constexpr std::ptrdiff_t leaf = 16; // grains: a few kilobytes of a solver's records

template <int D>
using Place = typename std::vector<WeightedGrain<D>>::iterator;

template <int D>
int longest_axis(Place<D> begin, Place<D> end)
{
    Vec<D> lower = begin->centre, upper = begin->centre;
    for (auto grain = begin; grain != end; ++grain) {
        lower = lower.cwiseMin(grain->centre);
        upper = upper.cwiseMax(grain->centre);
    }
    int axis = 0;
    (upper - lower).maxCoeff(&axis);
    return axis;
}

template <int D>
auto along(int axis)
{
    return [axis](const WeightedGrain<D>& a, const WeightedGrain<D>& b) {
        return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis] : a.body < b.body;
    };
}

// Where the grains before it have the weight nearest to `target`: halve the range that holds the place, as often as
// needed; the work shrinks with it.
template <int D>
Place<D> split(Place<D> begin, Place<D> end, int axis, std::int64_t target)
{
    std::int64_t before = 0;
    while (end - begin > 1) {
        const auto middle = begin + (end - begin) / 2;
        std::nth_element(begin, middle, end, along<D>(axis));
        std::int64_t half = 0;
        for (auto grain = begin; grain != middle; ++grain) half += grain->weight;
        if (before + half < target) {
            before += half;
            begin = middle;
        } else {
            end = middle;
        }
    }
    return begin != end && 2 * (target - before) > begin->weight ? end : begin;
}

template <int D>
void order(Place<D> begin, Place<D> end)
{
    if (end - begin <= leaf) {
        std::sort(begin, end, [](const auto& a, const auto& b) { return a.body < b.body; });
        return;
    }
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, along<D>(longest_axis<D>(begin, end)));
    order<D>(begin, middle);
    order<D>(middle, end);
}

// between the two sides
template <int D>
double place_of_cut(Place<D> begin, Place<D> middle, Place<D> end, int axis)
{
    if (begin == end) return 0;
    const auto highest = [&] { return std::max_element(begin, middle, along<D>(axis))->centre[axis]; };
    const auto lowest = [&] { return std::min_element(middle, end, along<D>(axis))->centre[axis]; };
    if (middle == end) return std::nextafter(highest(), std::numeric_limits<double>::infinity());
    if (middle == begin) return lowest();
    const double low = highest(), high = lowest();
    return low < high ? std::min(high, low + 0.5 * (high - low)) : high;
}

template <int D>
struct Divider {
    std::vector<Cut>& cuts;
    std::vector<std::size_t>& begins;
    Place<D> first;

    void divide(Place<D> begin, Place<D> end, int parts)
    {
        if (parts == 1) {
            begins.push_back(std::size_t(begin - first));
            order<D>(begin, end);
            return;
        }
        std::int64_t weight = 0;
        for (auto grain = begin; grain != end; ++grain) weight += grain->weight;
        const int low = parts / 2;
        const int axis = begin == end ? 0 : longest_axis<D>(begin, end);
        const auto middle = split<D>(begin, end, axis, weight * low / parts);
        cuts.push_back({axis, place_of_cut<D>(begin, middle, end, axis)});
        divide(begin, middle, low);
        divide(middle, end, parts - low);
    }
};

} // namespace

template <int D>
std::vector<std::size_t> Bisection<D>::divide(std::vector<WeightedGrain<D>>& grains, int parts)
{
    cuts.clear();
    std::vector<std::size_t> begins;
    Divider<D>{cuts, begins, grains.begin()}.divide(grains.begin(), grains.end(), parts);
    begins.push_back(grains.size());
    return begins;
}

template <int D>
int Bisection<D>::part_of(const Vec<D>& point) const
{
    int first = 0, parts = int(cuts.size()) + 1;
    std::size_t cut = 0;
    while (parts > 1) {
        const int low = parts / 2;
        if (point[cuts[cut].axis] < cuts[cut].place) {
            cut += 1;
            parts = low;
        } else {
            cut += std::size_t(low);
            first += low;
            parts -= low;
        }
    }
    return first;
}

template class Bisection<2>;
template class Bisection<3>;

} // namespace talus
