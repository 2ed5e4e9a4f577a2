// Items by group, those of one group in their own order: a stable counting sort on threads. The order does not depend
// on their number.
#pragma once

#include "talus/exec/parallel.hpp"

#include <cstdint>
#include <span>

namespace talus {

struct Grouped {
    std::vector<std::int32_t> items;
    std::vector<std::size_t> begin; // of each group, and the end

    std::span<const std::int32_t> of(std::size_t group) const
    {
        return std::span(items).subspan(begin[group], begin[group + 1] - begin[group]);
    }
};

// Items 0 … count − 1; group_of(i) is from 0 to groups − 1, or −1 for an item that is left out.
template <class GroupOf>
void group_items(Grouped& result, std::size_t count, std::size_t groups, GroupOf&& group_of)
{
    // ranges long enough that a row of counters is no more than they are
    const std::size_t range = std::max(parallel_chunk, groups), ranges = (count + range - 1) / range;
    std::vector<std::uint32_t> next(ranges * groups, 0); // [range][group]: how many, then where the next one goes
    const auto on_ranges = [&](auto&& place) {
        parallel_chunks(
            count,
            [&](std::size_t first, std::size_t last) {
                std::uint32_t* const here = next.data() + first / range * groups;
                for (std::size_t i = first; i < last; ++i) {
                    if (const std::int32_t group = group_of(i); group >= 0) place(i, here[group]++);
                }
            },
            range);
    };
    on_ranges([](std::size_t, std::uint32_t) {});
    result.begin.assign(groups + 1, 0);
    parallel_for(groups, [&](std::size_t g) {
        for (std::size_t r = 0; r < ranges; ++r) result.begin[g] += next[r * groups + g];
    });
    result.items.resize(exclusive_scan(result.begin));
    parallel_for(groups, [&](std::size_t g) {
        auto running = std::uint32_t(result.begin[g]);
        for (std::size_t r = 0; r < ranges; ++r) running += std::exchange(next[r * groups + g], running);
    });
    on_ranges([&](std::size_t i, std::uint32_t at) { result.items[at] = std::int32_t(i); });
}

} // namespace talus
