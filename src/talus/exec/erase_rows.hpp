// Rows leave a table of columns, the others keep their order.
#pragma once

#include "talus/exec/columns.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace talus {

// use(place) for each of these bytes that is `wanted`: quick where they are few.
template <class Use>
void for_bytes(std::span<const std::uint8_t> bytes, std::uint8_t wanted, Use&& use)
{
    for (std::size_t from = 0; from < bytes.size();) {
        const void* const found = std::memchr(bytes.data() + from, wanted, bytes.size() - from);
        if (!found) return;
        const auto place = std::size_t(static_cast<const std::uint8_t*>(found) - bytes.data());
        use(place);
        from = place + 1;
    }
}

// Where the flag is 0.
inline std::vector<std::size_t> rows_not_kept(std::span<const std::uint8_t> kept)
{
    std::vector<std::size_t> rows;
    for_bytes(kept, 0, [&](std::size_t row) { rows.push_back(row); });
    return rows;
}

// Where the rows of a table go to when some leave: rows that stay lie in runs, each of which moves as a whole.
class Runs {
  public:
    Runs(std::span<const std::size_t> leaving, std::size_t rows) : leaving_(leaving), rows_(rows) {}
    std::size_t staying() const { return rows_ - leaving_.size(); }
    // use(first, last, shift) for the runs of those that stay at places first to last − 1, and come from `shift` higher
    template <class Use>
    void for_places(std::size_t begin, std::size_t end, Use&& use) const
    {
        std::size_t shift = shift_at(begin);
        while (begin < end) {
            const std::size_t next = shift < leaving_.size() ? leaving_[shift] - shift : rows_;
            const std::size_t last = std::min(end, next);
            if (begin < last) use(begin, last, shift);
            begin = std::max(begin, last);
            ++shift;
        }
    }

  private:
    // How many have left before the row that comes to `place`: leaving_[k] − k grows with k, if slowly.
    std::size_t shift_at(std::size_t place) const
    {
        std::size_t low = 0, high = leaving_.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            leaving_[middle] - middle <= place ? low = middle + 1 : high = middle;
        }
        return low;
    }
    std::span<const std::size_t> leaving_;
    std::size_t rows_;
};

// `rows` by growing index. On threads by blocks of places: what comes from behind a block is put aside before anything
// moves.
template <class Table>
void erase_rows(Table& table, std::span<const std::size_t> rows)
{
    if (rows.empty()) return;
    const std::size_t count = table.size();
    const Runs runs(rows, count);
    const std::size_t staying = runs.staying();
    const std::size_t block = std::max<std::size_t>(8192, 2 * rows.size()); // few come from behind it
    const std::size_t blocks = (staying + block - 1) / block;
    const auto on_blocks = [&](auto&& use) {
        parallel_chunks(
            staying, [&](std::size_t begin, std::size_t end) { use(begin / block, begin, end); }, block);
    };
    for_columns<Table>([&]<class Owner, class T>(const Column<Owner, T>& column) {
        auto& data = table.*column.data;
        if (column.is_optional && data.empty()) return;
        std::vector<T> aside(blocks * rows.size());
        on_blocks([&](std::size_t b, std::size_t, std::size_t end) {
            const std::size_t from = end > rows.size() ? end - rows.size() : 0;
            runs.for_places(from, end, [&](std::size_t first, std::size_t last, std::size_t shift) {
                for (std::size_t place = std::max(first, end > shift ? end - shift : 0); place < last; ++place)
                    aside[b * rows.size() + place - from] = data[place + shift];
            });
        });
        on_blocks([&](std::size_t b, std::size_t begin, std::size_t end) {
            const std::size_t from = end > rows.size() ? end - rows.size() : 0;
            runs.for_places(begin, end, [&](std::size_t first, std::size_t last, std::size_t shift) {
                const std::size_t inside = std::max(first, std::min(last, end > shift ? end - shift : 0));
                if (shift > 0)
                    std::copy(data.begin() + std::ptrdiff_t(first + shift),
                              data.begin() + std::ptrdiff_t(inside + shift), data.begin() + std::ptrdiff_t(first));
                for (std::size_t place = inside; place < last; ++place)
                    data[place] = aside[b * rows.size() + place - from];
            });
        });
        data.resize(staying);
    });
}

} // namespace talus
