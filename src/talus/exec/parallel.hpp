// Loops on threads whose results do not depend on how many threads there are: chunks have a fixed size, and partial
// results are combined in the order of the chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <omp.h>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace talus {

inline int thread_count() { return omp_get_max_threads(); }
inline void set_thread_count(int threads) { omp_set_num_threads(threads); }

inline constexpr std::size_t parallel_chunk = 512; // items

// f(begin, end) on consecutive ranges of `size` items; smaller ones where an item is much work
template <class F>
void parallel_chunks(std::size_t count, F&& f, std::size_t size = parallel_chunk)
{
    const std::size_t chunks = (count + size - 1) / size;
    const auto run = [&](std::size_t chunk) { f(chunk * size, std::min(count, (chunk + 1) * size)); };
    const bool is_little = size < parallel_chunk ? chunks <= 2 : chunks <= 1 || count <= 8 * parallel_chunk;
    if (is_little || thread_count() == 1) {
        // waking other threads costs more, and much more where the cores are busy; the same chunks, so that sums are
        // the same
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
        return;
    }
#ifdef __SANITIZE_THREAD__
    // the same chunks on threads that the sanitizer can follow: it does not see OpenMP's barriers
    const std::size_t threads = std::min<std::size_t>(chunks, std::size_t(thread_count()));
    std::vector<std::jthread> crew;
    for (std::size_t t = 0; t < threads; ++t) {
        crew.emplace_back([&, t] {
            for (std::size_t chunk = t; chunk < chunks; chunk += threads) run(chunk);
        });
    }
#else
#pragma omp parallel for schedule(static)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
#endif
}

template <class F>
void parallel_for(std::size_t count, F&& f)
{
    parallel_chunks(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}

// combine(total, map(i)) over all i: per chunk in order, then over the chunks in order
template <class T, class Map, class Combine>
T parallel_reduce(std::size_t count, T identity, Map&& map, Combine&& combine)
{
    const std::size_t chunks = (count + parallel_chunk - 1) / parallel_chunk;
    struct Slot { // not T itself: neighbouring bits of a vector<bool> would race
        T value;
    };
    std::vector<Slot> partial(chunks, Slot{identity});
    parallel_chunks(count, [&](std::size_t begin, std::size_t end) {
        T total = identity;
        for (std::size_t i = begin; i < end; ++i) total = combine(total, map(i));
        partial[begin / parallel_chunk].value = total;
    });
    T total = identity;
    for (const Slot& part : partial) total = combine(total, part.value);
    return total;
}

template <class T, class Map>
T parallel_sum(std::size_t count, T zero, Map&& map)
{
    return parallel_reduce(count, zero, map, [](const T& a, const T& b) -> T { return a + b; });
}

// put(count, sum of all before it) for each of these whole numbers; returns the total
template <class T, class Put>
T scan(std::vector<T>& counts, Put&& put)
{
    static_assert(std::is_integral_v<T>); // the chunks depend on the number of threads
    const auto scan_range = [&](std::size_t begin, std::size_t end, T running) {
        for (std::size_t i = begin; i < end; ++i) {
            const T next = running + counts[i];
            put(counts[i], running);
            running = next;
        }
        return running;
    };
    constexpr std::size_t range = 8192; // worth another thread
    if (counts.size() <= range || thread_count() == 1) return scan_range(0, counts.size(), 0);
    std::vector<T> before((counts.size() + range - 1) / range);
    parallel_chunks(
        counts.size(),
        [&](std::size_t begin, std::size_t end) {
            T sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += counts[i];
            before[begin / range] = sum;
        },
        range);
    T total = 0;
    for (T& sum : before) total += std::exchange(sum, total);
    parallel_chunks(
        counts.size(), [&](std::size_t begin, std::size_t end) { scan_range(begin, end, before[begin / range]); },
        range);
    return total;
}

// offsets from counts: counts[i] becomes the sum of all before it; returns the total
template <class T>
T exclusive_scan(std::vector<T>& counts)
{
    return scan(counts, [](T& count, T before) { count = before; });
}

} // namespace talus
