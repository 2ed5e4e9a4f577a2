// A sort on threads: runs of a fixed length, then merges of neighbours. `less` must tell any two items apart, so that
// the order is the same for any number of threads.
#pragma once

#include "talus/exec/parallel.hpp"

namespace talus {

// `scratch`: kept to reuse its memory
template <class Item, class Less>
void parallel_sort(std::vector<Item>& items, std::vector<Item>& scratch, Less&& less)
{
    constexpr std::size_t run = 8192; // worth another thread
    const std::size_t count = items.size();
    const auto at = [](std::vector<Item>& list, std::size_t place) { return list.begin() + std::ptrdiff_t(place); };
    parallel_chunks(
        count, [&](std::size_t begin, std::size_t end) { std::sort(at(items, begin), at(items, end), less); }, run);
    scratch.resize(count);
    for (std::size_t length = run; length < count; length *= 2) {
        parallel_chunks(
            count,
            [&](std::size_t begin, std::size_t end) {
                const std::size_t middle = std::min(begin + length, end);
                std::merge(at(items, begin), at(items, middle), at(items, middle), at(items, end), at(scratch, begin),
                           less);
            },
            2 * length);
        items.swap(scratch);
    }
}

} // namespace talus
