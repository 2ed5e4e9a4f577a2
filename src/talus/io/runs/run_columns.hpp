// What run.h5 and the checkpoints have in common: the header, the shapes, the named groups of bodies.
#pragma once

#include "talus/io/files/hdf5_file.hpp"
#include "talus/simulation/simulation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace talus::io {

// 1 had no clusters and no meshes; 3 has numbers of bodies, and is written where bodies have left.
inline constexpr std::int64_t format_version = 3, format_of_all_bodies = 2;

// Attributes `format` ("talus-run", "talus-frames", "talus-checkpoint"), `format_version` and `dimension`.
void write_header(Hdf5Writer& file, const std::string& format, int dimension, bool has_numbers = false);
// InputError where the file is of another kind or of a newer version; returns the dimension.
int read_header(const Hdf5Reader& file, const std::string& format);
// ... or of another dimension
void check_header(const Hdf5Reader& file, const std::string& format, int dimension);

// Indices are checked where they are read: a shape that refers to what is not there is an InputError.
template <int D>
void write_shapes(Hdf5Writer& file, const ShapeTable<D>& shapes);
template <int D>
ShapeTable<D> read_shapes(const Hdf5Reader& file);

void write_groups(Hdf5Writer& file, const std::vector<BodyGroup>& groups);
std::vector<BodyGroup> read_groups(const Hdf5Reader& file);

std::vector<std::string> material_names(const MaterialTable& materials);

// The columns of a table by their names, those of the roles. Optional ones are there where they are not empty.
template <class Table>
void write_columns(Hdf5Writer& file, const std::string& group, const Table& table, std::initializer_list<Role> roles,
                   Packing packing = Packing::plain)
{
    for_columns<Table>(roles, [&](const auto& column) {
        const auto& data = table.*column.data;
        if (!column.is_optional || !data.empty()) file.column(group + column.name, data, packing);
    });
}

struct RowRange {
    std::size_t first, count;
};
// Some rows of them, or all.
template <class Table>
void read_columns(const Hdf5Reader& file, const std::string& group, Table& table, std::initializer_list<Role> roles,
                  std::optional<RowRange> rows = {})
{
    for_columns<Table>(roles, [&]<class Owner, class T>(const Column<Owner, T>& column) {
        const std::string name = group + column.name;
        auto& data = table.*column.data;
        if (column.is_optional && !file.has(name)) {
            data.clear();
        } else {
            data = rows ? file.column<T>(name, rows->first, rows->count) : file.column<T>(name);
        }
    });
}

} // namespace talus::io
