// Rows leave a table of columns, the others keep their order.
#pragma once

#include "talus/exec/columns.hpp"

#include <algorithm>
#include <span>

namespace talus {

// Where the flag is 0.
inline std::vector<std::size_t> rows_not_kept(std::span<const std::uint8_t> kept)
{
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!kept[i]) rows.push_back(i);
    }
    return rows;
}

// `rows` by growing index. What lies between two of them moves as a whole: few leave, and many stay.
template <class Table>
void erase_rows(Table& table, std::span<const std::size_t> rows)
{
    if (rows.empty()) return;
    for_columns<Table>([&](const auto& column) {
        auto& data = table.*column.data;
        if (column.is_optional && data.empty()) return;
        auto place = data.begin() + std::ptrdiff_t(rows[0]);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const auto first = data.begin() + std::ptrdiff_t(rows[k]) + 1;
            const auto last = k + 1 < rows.size() ? data.begin() + std::ptrdiff_t(rows[k + 1]) : data.end();
            place = std::copy(first, last, place);
        }
        data.resize(std::size_t(place - data.begin()));
    });
}

} // namespace talus
