// The box around all sources, and its Morton curve.
#pragma once

#include "talus/drivers/long_range/sources.hpp"
#include "talus/exec/parallel.hpp"

#include <array>
#include <cstdint>
#include <limits>

namespace talus {

template <int D>
struct SourceBox {
    Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity());
    Vec<D> high = Vec<D>::Constant(-std::numeric_limits<double>::infinity());

    SourceBox with(const SourceBox& other) const { return {low.cwiseMin(other.low), high.cwiseMax(other.high)}; }
    Vec<D> centre() const { return 0.5 * (low + high); }
    Vec<D> extent() const { return high - low; }
    double distance(const Vec<D>& place) const
    {
        return (low - place).cwiseMax(place - high).cwiseMax(Vec<D>::Zero()).norm();
    }
    double farthest(const Vec<D>& place) const { return (high - place).cwiseMax(place - low).norm(); }
};

template <int D>
SourceBox<D> box_of(const Sources<D>& sources)
{
    return parallel_reduce(
        sources.size(), SourceBox<D>{},
        [&](std::size_t k) {
            return SourceBox<D>{sources.place[k], sources.place[k]};
        },
        [](const SourceBox<D>& a, const SourceBox<D>& b) { return a.with(b); });
}

// A source and its place in an order.
struct SourceKey {
    std::uint64_t code;
    std::uint32_t source;
    bool operator<(const SourceKey& other) const
    {
        return code != other.code ? code < other.code : source < other.source;
    }
};

inline constexpr int morton_levels = 21; // halvings of the box along each axis

template <int D>
std::uint64_t morton_code(const std::array<std::uint64_t, D>& cell)
{
    std::uint64_t code = 0;
    for (int level = 0; level < morton_levels; ++level) {
        for (int axis = 0; axis < D; ++axis) {
            code |= (cell[std::size_t(axis)] >> level & 1) << (D * level + axis);
        }
    }
    return code;
}

} // namespace talus
