// Rows leave a table of columns, the others keep their order.
#pragma once

#include "talus/exec/columns.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

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

// `rows` by growing index. What lies between two of them moves as a whole: few leave, and many stay. Columns are shared
// out among threads, each as a whole: one meeting of the threads for all of them.
template <class Table>
void erase_rows(Table& table, std::span<const std::size_t> rows)
{
    if (rows.empty()) return;
    std::vector<std::function<void()>> columns;
    for_columns<Table>([&](const auto& column) {
        auto& data = table.*column.data;
        if (column.is_optional && data.empty()) return;
        columns.push_back([&data, rows] {
            auto place = data.begin() + std::ptrdiff_t(rows[0]);
            for (std::size_t k = 0; k < rows.size(); ++k) {
                const auto first = data.begin() + std::ptrdiff_t(rows[k]) + 1;
                const auto last = k + 1 < rows.size() ? data.begin() + std::ptrdiff_t(rows[k + 1]) : data.end();
                place = std::copy(first, last, place);
            }
            data.resize(std::size_t(place - data.begin()));
        });
    });
    const auto erase = [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) columns[k]();
    };
    constexpr std::size_t few = 4096; // rows
    table.size() < few ? erase(0, columns.size()) : parallel_chunks(columns.size(), erase, 1);
}

} // namespace talus
