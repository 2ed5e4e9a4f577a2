#include "talus/detection/pair_sorter.hpp"

#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

#include <algorithm>
#include <limits>

namespace talus {

namespace {

template <class F>
void for_each_pair(const std::vector<std::vector<Pair>>& buffers, std::size_t total, const SharedCounters& counters,
                   F&& f)
{
    std::vector<std::size_t> first; // pairs before each buffer
    for (const auto& buffer : buffers) first.push_back(buffer.size());
    exclusive_scan(first);
    parallel_chunks(total, [&](std::size_t begin, std::size_t end) {
        std::size_t b = std::size_t(std::upper_bound(first.begin(), first.end(), begin) - first.begin()) - 1;
        while (begin < end) {
            const std::size_t last = std::min(end, first[b] + buffers[b].size());
            const std::vector<Pair>& buffer = buffers[b];
            for (std::size_t k = begin - first[b]; k < last - first[b]; ++k) {
                if (k + prefetch_ahead < buffer.size())
                    counters.prefetch(std::size_t(buffer[k + prefetch_ahead].first));
                f(buffer[k]);
            }
            begin = last;
            ++b;
        }
    });
}

void sort_row(std::int32_t* begin, std::int32_t* end)
{
    if (end - begin > 24) {
        std::sort(begin, end);
        return;
    }
    for (std::int32_t* next = begin + 1; next < end; ++next) {
        const std::int32_t value = *next;
        std::int32_t* place = next;
        for (; place > begin && place[-1] > value; --place) *place = place[-1];
        *place = value;
    }
}

void drop_repeated(PairRows& rows)
{
    std::uint32_t kept = 0, begin = 0;
    for (std::size_t body = 0; body + 1 < rows.start.size(); ++body) {
        const std::uint32_t end = rows.start[body + 1], row = kept;
        for (std::uint32_t k = begin; k < end; ++k) {
            if (kept == row || rows.second[kept - 1] != rows.second[k]) rows.second[kept++] = rows.second[k];
        }
        rows.start[body + 1] = kept;
        begin = end;
    }
    rows.second.resize(kept);
}

} // namespace

std::vector<std::vector<Pair>>& PairSorter::clear(std::size_t buffers)
{
    found_.resize(buffers);
    for (auto& buffer : found_) buffer.clear();
    return found_;
}

void PairSorter::sort(std::size_t bodies, PairRows& rows)
{
    std::size_t total = 0;
    for (const auto& buffer : found_) total += buffer.size();
    if (total >= std::numeric_limits<std::uint32_t>::max()) {
        throw RunError("detection: more than 4 000 000 000 candidate pairs; the bodies overlap almost all");
    }

    rows.start.assign(bodies + 1, 0);
    rows.second.resize(total);
    SharedCounters counters(rows.start, total);
    for_each_pair(found_, total, counters, [&](const Pair& pair) { counters.count(std::size_t(pair.first)); });
    counters.scan();
    for_each_pair(found_, total, counters,
                  [&](const Pair& pair) { rows.second[counters.take(std::size_t(pair.first))] = pair.second; });

    const bool repeated = parallel_reduce(
        bodies, false,
        [&](std::size_t body) {
            std::int32_t* const begin = rows.second.data() + rows.start[body];
            std::int32_t* const end = rows.second.data() + rows.start[body + 1];
            sort_row(begin, end);
            return std::adjacent_find(begin, end) != end;
        },
        [](bool a, bool b) { return a || b; });
    if (repeated) drop_repeated(rows);
}

void list_pairs(const PairRows& rows, std::vector<Pair>& pairs)
{
    pairs.resize(rows.second.size());
    const std::size_t bodies = rows.start.empty() ? 0 : rows.start.size() - 1;
    parallel_for(bodies, [&](std::size_t body) {
        for (std::uint32_t k = rows.start[body]; k < rows.start[body + 1]; ++k) {
            pairs[k] = {std::int32_t(body), rows.second[k]};
        }
    });
}

} // namespace talus
