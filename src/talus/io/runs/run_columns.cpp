#include "talus/io/runs/run_columns.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

namespace talus::io {

void write_header(Hdf5Writer& file, const std::string& format, int dimension, bool has_numbers)
{
    file.attribute("format", format);
    file.attribute("format_version", has_numbers ? format_version : format_of_all_bodies);
    file.attribute("dimension", std::int64_t{dimension});
}

int read_header(const Hdf5Reader& file, const std::string& format)
{
    if (const std::string found = file.text("format"); found != format) {
        file.fail(fmt::format("is a {} file, not a {} file", found, format));
    }
    if (const std::int64_t version = file.integer("format_version"); version > format_version) {
        file.fail(fmt::format("has format version {}; this Talus reads up to version {}, a newer one is needed",
                              version, format_version));
    }
    const std::int64_t dimension = file.integer("dimension");
    if (dimension != 2 && dimension != 3) file.fail(fmt::format("has dimension {}, not 2 or 3", dimension));
    return int(dimension);
}

void check_header(const Hdf5Reader& file, const std::string& format, int dimension)
{
    const int found = read_header(file, format);
    if (found != dimension) file.fail(fmt::format("is of a run in {}D, not {}D", found, dimension));
}

void write_groups(Hdf5Writer& file, const std::vector<BodyGroup>& groups)
{
    std::vector<std::string> name;
    std::vector<std::int32_t> first, count;
    for (const BodyGroup& group : groups) {
        name.push_back(group.name);
        first.push_back(group.first);
        count.push_back(group.count);
    }
    file.texts("groups/name", name);
    file.column("groups/first", first);
    file.column("groups/count", count);
}

std::vector<BodyGroup> read_groups(const Hdf5Reader& file)
{
    const auto name = file.texts("groups/name");
    const auto first = file.column<std::int32_t>("groups/first");
    const auto count = file.column<std::int32_t>("groups/count");
    if (first.size() != name.size() || count.size() != name.size()) file.fail("columns of groups differ in length");
    std::vector<BodyGroup> groups;
    for (std::size_t i = 0; i < name.size(); ++i) groups.push_back({name[i], first[i], count[i]});
    return groups;
}

std::vector<std::string> material_names(const MaterialTable& materials)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < materials.size(); ++i) names.push_back(materials[std::int32_t(i)].name);
    return names;
}

} // namespace talus::io
