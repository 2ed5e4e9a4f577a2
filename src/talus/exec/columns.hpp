// Tables of columns (structure of arrays) that describe themselves. A table lists its columns once: name, unit, what it
// is, where it lies. Files, checkpoints, hashes, histories, erasing rows are loops over that list, so a column added
// there is in all of them.
#pragma once

#include "talus/base/hash.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <vector>

namespace talus {

enum class Role {
    constant, // what a row is, for good
    state,    // what a step starts from and changes
    history,  // of a contact, kept from step to step
    load,     // written by drivers, used up in the step
    result,   // what the last step gave
};

template <class Table, class T>
struct Column {
    const char* name;
    const char* unit;
    Role role;
    std::vector<T> Table::*data;
    bool is_optional = false; // empty where nobody needs it

    bool is(std::initializer_list<Role> roles) const
    {
        return std::find(roles.begin(), roles.end(), role) != roles.end();
    }
};

// Calls visit(column) for each column that Table::columns() lists.
template <class Table, class Visit>
void for_columns(Visit&& visit)
{
    std::apply([&](const auto&... column) { (visit(column), ...); }, Table::columns());
}
template <class Table, class Visit>
void for_columns(std::initializer_list<Role> roles, Visit&& visit)
{
    for_columns<Table>([&](const auto& column) {
        if (column.is(roles)) visit(column);
    });
}

// 0 of a number, a vector or a turn
template <class T>
T zero_of()
{
    if constexpr (requires { T::Zero(); }) {
        return T::Zero();
    } else {
        return T{};
    }
}

// Rows of `from` behind those of `to`. Optional columns that one of them has and the other not are filled with zeros.
template <class Table>
void append_rows(Table& to, const Table& from, std::initializer_list<Role> roles)
{
    const std::size_t before = to.size(), added = from.size();
    for_columns<Table>(roles, [&](const auto& column) {
        auto& target = to.*column.data;
        const auto& source = from.*column.data;
        using T = typename std::remove_reference_t<decltype(target)>::value_type;
        if (column.is_optional && target.empty() && source.empty()) return;
        target.resize(before, zero_of<T>());
        target.insert(target.end(), source.begin(), source.end());
        target.resize(before + added, zero_of<T>());
    });
}

// Columns of these roles with as many rows as the table, all zero.
template <class Table>
void clear_columns(Table& table, std::initializer_list<Role> roles)
{
    const std::size_t rows = table.size();
    for_columns<Table>(roles, [&](const auto& column) {
        auto& data = table.*column.data;
        using T = typename std::remove_reference_t<decltype(data)>::value_type;
        data.assign(column.is_optional ? 0 : rows, zero_of<T>());
    });
}

template <class Table>
void hash_columns(Hash& hash, const Table& table, std::initializer_list<Role> roles)
{
    for_columns<Table>(roles, [&](const auto& column) {
        const auto& data = table.*column.data;
        hash.add_bytes(data.data(), data.size() * sizeof(data[0]));
    });
}

// Bytes of a row in columns of these roles, optional ones not counted.
template <class Table>
std::size_t row_bytes(std::initializer_list<Role> roles)
{
    std::size_t bytes = 0;
    for_columns<Table>(roles, [&]<class Owner, class T>(const Column<Owner, T>& column) {
        if (!column.is_optional) bytes += sizeof(T);
    });
    return bytes;
}

} // namespace talus
