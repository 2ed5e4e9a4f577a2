#include "io/run_columns.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus::io {

void write_header(Hdf5Writer& file, const std::string& format, int dimension)
{
    file.attribute("format", format);
    file.attribute("format_version", format_version);
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

namespace {

// A list per polytope as one column: all lists end to end, and where each begins.
template <class T>
struct Joined {
    std::vector<T> items;
    std::vector<std::int64_t> start{0};

    void add(const std::vector<T>& list)
    {
        items.insert(items.end(), list.begin(), list.end());
        start.push_back(std::int64_t(items.size()));
    }
    std::vector<T> part(std::size_t i) const { return {items.begin() + start[i], items.begin() + start[i + 1]}; }
};

template <int D>
constexpr bool plain_plane = sizeof(Plane<D>) == (D + 1) * sizeof(double);

// the columns of a Joined list: a table of `width` scalars per row where the items are small structs
template <class T>
void write_joined(Hdf5Writer& file, const std::string& name, const Joined<T>& list, Scalar scalar, int width)
{
    file.table("shapes/polytopes/" + name, scalar, list.items.data(), list.items.size(), width);
    file.column("shapes/polytopes/" + name + "_start", list.start);
}

template <class T>
Joined<T> read_joined(const Hdf5Reader& file, const std::string& name, Scalar scalar, int width, std::size_t count)
{
    Joined<T> list;
    list.items.resize(file.rows("shapes/polytopes/" + name));
    file.table("shapes/polytopes/" + name, scalar, list.items.data(), list.items.size(), width);
    list.start = file.column<std::int64_t>("shapes/polytopes/" + name + "_start");
    const auto& start = list.start;
    if (start.size() != count + 1 || start.front() != 0 || !std::is_sorted(start.begin(), start.end()) ||
        start.back() != std::int64_t(list.items.size())) {
        file.fail(fmt::format("shapes/polytopes/{}_start does not fit its column", name));
    }
    return list;
}

template <int D>
void write_polytopes(Hdf5Writer& file, const std::vector<Polytope<D>>& polytopes)
{
    static_assert(plain_plane<D> && sizeof(PolytopeEdge) == 4 * sizeof(std::int32_t));
    Joined<Vec<D>> vertices;
    Joined<std::int32_t> face_offsets, face_vertices;
    Joined<Plane<D>> planes;
    Joined<PolytopeEdge> edges;
    for (const Polytope<D>& polytope : polytopes) {
        vertices.add(polytope.vertices);
        face_offsets.add(polytope.face_offsets);
        face_vertices.add(polytope.face_vertices);
        planes.add(polytope.planes);
        edges.add(polytope.edges);
    }
    write_joined(file, "vertices", vertices, Scalar::f64, D);
    write_joined(file, "face_offsets", face_offsets, Scalar::i32, 0);
    write_joined(file, "face_vertices", face_vertices, Scalar::i32, 0);
    write_joined(file, "planes", planes, Scalar::f64, D + 1);
    write_joined(file, "edges", edges, Scalar::i32, 4);
}

template <int D>
std::vector<Polytope<D>> read_polytopes(const Hdf5Reader& file)
{
    const std::size_t count = file.rows("shapes/polytopes/vertices_start") - 1;
    const auto vertices = read_joined<Vec<D>>(file, "vertices", Scalar::f64, D, count);
    const auto face_offsets = read_joined<std::int32_t>(file, "face_offsets", Scalar::i32, 0, count);
    const auto face_vertices = read_joined<std::int32_t>(file, "face_vertices", Scalar::i32, 0, count);
    const auto planes = read_joined<Plane<D>>(file, "planes", Scalar::f64, D + 1, count);
    const auto edges = read_joined<PolytopeEdge>(file, "edges", Scalar::i32, 4, count);
    std::vector<Polytope<D>> polytopes(count);
    for (std::size_t i = 0; i < count; ++i) {
        polytopes[i].vertices = vertices.part(i);
        polytopes[i].face_offsets = face_offsets.part(i);
        polytopes[i].face_vertices = face_vertices.part(i);
        polytopes[i].planes = planes.part(i);
        polytopes[i].edges = edges.part(i);
    }
    return polytopes;
}

} // namespace

template <int D>
void write_shapes(Hdf5Writer& file, const ShapeTable<D>& shapes)
{
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> detail;
    std::vector<double> radius;
    for (const Shape<D>& shape : shapes.shapes) {
        kind.push_back(std::uint8_t(shape.kind));
        detail.push_back(shape.detail);
        radius.push_back(shape.radius);
    }
    std::vector<std::string> names;
    for (int k = 0; k <= int(ShapeKind::polytope); ++k) names.push_back(shape_name<D>(ShapeKind(k)));
    file.texts("shapes/kind_names", names);
    file.column("shapes/kind", kind, Packing::deflated);
    file.column("shapes/detail", detail, Packing::deflated);
    file.column("shapes/radius", radius, Packing::deflated);

    std::vector<Vec<D>> normal, half;
    std::vector<Vec<3>> axis;
    for (const auto& wall : shapes.half_spaces) normal.push_back(wall.normal);
    for (const auto& rod : shapes.segments) half.push_back(rod.half);
    for (const auto& drum : shapes.hollow_cylinders) axis.push_back(drum.axis);
    file.column("shapes/half_spaces/normal", normal);
    file.column("shapes/segments/half", half);
    file.column("shapes/hollow_cylinders/axis", axis);
    write_polytopes(file, shapes.polytopes);
}

template <int D>
ShapeTable<D> read_shapes(const Hdf5Reader& file)
{
    ShapeTable<D> shapes;
    for (const auto& normal : file.column<Vec<D>>("shapes/half_spaces/normal")) shapes.half_spaces.push_back({normal});
    for (const auto& half : file.column<Vec<D>>("shapes/segments/half")) shapes.segments.push_back({half});
    for (const auto& axis : file.column<Vec<3>>("shapes/hollow_cylinders/axis")) {
        shapes.hollow_cylinders.push_back({axis});
    }
    shapes.polytopes = read_polytopes<D>(file);

    const auto kind = file.column<std::uint8_t>("shapes/kind");
    const auto detail = file.column<std::int32_t>("shapes/detail");
    const auto radius = file.column<double>("shapes/radius");
    if (detail.size() != kind.size() || radius.size() != kind.size()) file.fail("columns of shapes differ in length");
    for (std::size_t i = 0; i < kind.size(); ++i) {
        if (kind[i] > std::uint8_t(ShapeKind::polytope)) file.fail(fmt::format("shape {} is of unknown kind", i));
        shapes.shapes.push_back({ShapeKind(kind[i]), detail[i], radius[i]});
    }
    return shapes;
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

template <int D>
void clear_loads(BodyTable<D>& bodies)
{
    bodies.force.assign(bodies.size(), Vec<D>::Zero());
    bodies.torque.assign(bodies.size(), Ang<D>::Zero());
    bodies.reaction.assign(bodies.size(), Vec<D>::Zero());
    bodies.reaction_torque.assign(bodies.size(), Ang<D>::Zero());
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void write_shapes(Hdf5Writer&, const ShapeTable<D>&);                                                     \
    template ShapeTable<D> read_shapes<D>(const Hdf5Reader&);                                                          \
    template void clear_loads(BodyTable<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
