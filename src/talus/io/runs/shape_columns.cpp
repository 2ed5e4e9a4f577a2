// The shapes of a run as columns. A list per shape (the vertices of each polytope) is one column with all lists end to
// end, and a column `…_start` that says where each begins.
#include "talus/io/runs/run_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace talus::io {

namespace {

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

// the columns of a Joined list: a table of `width` scalars per row where the items are small structs
template <class T>
void write_joined(Hdf5Writer& file, const std::string& name, const Joined<T>& list, Scalar scalar, int width)
{
    file.table("shapes/" + name, scalar, list.items.data(), list.items.size(), width);
    file.column("shapes/" + name + "_start", list.start);
}

template <class T>
Joined<T> read_joined(const Hdf5Reader& file, const std::string& name, Scalar scalar, int width, std::size_t count)
{
    Joined<T> list;
    list.items.resize(file.rows("shapes/" + name));
    file.table("shapes/" + name, scalar, list.items.data(), list.items.size(), width);
    list.start = file.column<std::int64_t>("shapes/" + name + "_start");
    const auto& start = list.start;
    if (start.size() != count + 1 || start.front() != 0 || !std::is_sorted(start.begin(), start.end()) ||
        start.back() != std::int64_t(list.items.size())) {
        file.fail(fmt::format("shapes/{}_start does not fit its column", name));
    }
    return list;
}

std::size_t count_lists(const Hdf5Reader& file, const std::string& name)
{
    const std::size_t starts = file.rows("shapes/" + name + "_start");
    if (starts == 0) file.fail(fmt::format("shapes/{}_start is empty", name));
    return starts - 1;
}

template <class Indices>
bool all_below(const Indices& indices, std::size_t limit)
{
    return std::all_of(indices.begin(), indices.end(), [&](auto i) { return i >= 0 && std::size_t(i) < limit; });
}

template <int D>
constexpr bool plain_plane = sizeof(Plane<D>) == (D + 1) * sizeof(double);

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
    write_joined(file, "polytopes/vertices", vertices, Scalar::f64, D);
    write_joined(file, "polytopes/face_offsets", face_offsets, Scalar::i32, 0);
    write_joined(file, "polytopes/face_vertices", face_vertices, Scalar::i32, 0);
    write_joined(file, "polytopes/planes", planes, Scalar::f64, D + 1);
    write_joined(file, "polytopes/edges", edges, Scalar::i32, 4);
}

template <int D>
bool holds_together(const Polytope<D>& polytope)
{
    const auto& offsets = polytope.face_offsets;
    return !polytope.vertices.empty() && offsets.size() == polytope.face_count() + 1 && offsets.front() == 0 &&
           std::is_sorted(offsets.begin(), offsets.end()) &&
           offsets.back() == std::int32_t(polytope.face_vertices.size()) &&
           all_below(polytope.face_vertices, polytope.vertices.size()) &&
           std::all_of(polytope.edges.begin(), polytope.edges.end(), [&](const PolytopeEdge& edge) {
               return all_below(edge.vertices, polytope.vertices.size()) &&
                      all_below(edge.faces, polytope.face_count());
           });
}

template <int D>
std::vector<Polytope<D>> read_polytopes(const Hdf5Reader& file)
{
    const std::size_t count = count_lists(file, "polytopes/vertices");
    const auto vertices = read_joined<Vec<D>>(file, "polytopes/vertices", Scalar::f64, D, count);
    const auto face_offsets = read_joined<std::int32_t>(file, "polytopes/face_offsets", Scalar::i32, 0, count);
    const auto face_vertices = read_joined<std::int32_t>(file, "polytopes/face_vertices", Scalar::i32, 0, count);
    const auto planes = read_joined<Plane<D>>(file, "polytopes/planes", Scalar::f64, D + 1, count);
    const auto edges = read_joined<PolytopeEdge>(file, "polytopes/edges", Scalar::i32, 4, count);
    std::vector<Polytope<D>> polytopes(count);
    for (std::size_t i = 0; i < count; ++i) {
        polytopes[i].vertices = vertices.part(i);
        polytopes[i].face_offsets = face_offsets.part(i);
        polytopes[i].face_vertices = face_vertices.part(i);
        polytopes[i].planes = planes.part(i);
        polytopes[i].edges = edges.part(i);
        if (!holds_together(polytopes[i])) file.fail(fmt::format("the faces of polytope {} do not hold together", i));
    }
    return polytopes;
}

void write_clusters(Hdf5Writer& file, const std::vector<Cluster>& clusters)
{
    std::vector<std::int32_t> first, count;
    for (const Cluster& cluster : clusters) {
        first.push_back(cluster.first);
        count.push_back(cluster.count);
    }
    file.column("shapes/clusters/first", first);
    file.column("shapes/clusters/count", count);
}

std::vector<Cluster> read_clusters(const Hdf5Reader& file, std::size_t polytopes)
{
    if (!file.has("shapes/clusters")) return {}; // format version 1
    const auto first = file.column<std::int32_t>("shapes/clusters/first");
    const auto count = file.column<std::int32_t>("shapes/clusters/count");
    if (first.size() != count.size()) file.fail("columns of clusters differ in length");
    std::vector<Cluster> clusters;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] < 0 || count[i] < 0 || std::size_t(first[i]) + std::size_t(count[i]) > polytopes) {
            file.fail(fmt::format("cluster {} has parts that are not there", i));
        }
        clusters.push_back({first[i], count[i]});
    }
    return clusters;
}

using Triangle = std::array<std::int32_t, 3>;

void write_meshes(Hdf5Writer& file, const std::vector<TriangleMesh>& meshes)
{
    Joined<Vec<3>> vertices;
    Joined<Triangle> triangles;
    for (const TriangleMesh& mesh : meshes) {
        vertices.add(mesh.vertices);
        triangles.add(mesh.triangles);
    }
    write_joined(file, "meshes/vertices", vertices, Scalar::f64, 3);
    write_joined(file, "meshes/triangles", triangles, Scalar::i32, 3);
}

std::vector<TriangleMesh> read_meshes(const Hdf5Reader& file)
{
    if (!file.has("shapes/meshes")) return {}; // format version 1
    const std::size_t count = count_lists(file, "meshes/vertices");
    const auto vertices = read_joined<Vec<3>>(file, "meshes/vertices", Scalar::f64, 3, count);
    const auto triangles = read_joined<Triangle>(file, "meshes/triangles", Scalar::i32, 3, count);
    std::vector<TriangleMesh> meshes;
    for (std::size_t i = 0; i < count; ++i) {
        meshes.push_back({vertices.part(i), triangles.part(i)});
        for (const Triangle& triangle : meshes.back().triangles) {
            if (all_below(triangle, meshes.back().vertices.size())) continue;
            file.fail(fmt::format("a triangle of mesh {} has a vertex that is not there", i));
        }
    }
    return meshes;
}

// How many entries the list of a kind has; balls and bowls need none.
template <int D>
std::size_t details_of(const ShapeTable<D>& shapes, ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::half_space:
        return shapes.half_spaces.size();
    case ShapeKind::segment:
        return shapes.segments.size();
    case ShapeKind::hollow_cylinder:
        return shapes.hollow_cylinders.size();
    case ShapeKind::polytope:
        return shapes.polytopes.size();
    case ShapeKind::cluster:
        return shapes.clusters.size();
    case ShapeKind::mesh:
        return shapes.meshes.size();
    case ShapeKind::ball:
    case ShapeKind::hollow_ball:
        break;
    }
    return std::size_t(1) << 31;
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
    for (int k = 0; k < shape_kinds; ++k) names.push_back(shape_name<D>(ShapeKind(k)));
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
    write_clusters(file, shapes.clusters);
    write_meshes(file, shapes.meshes);
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
    shapes.clusters = read_clusters(file, shapes.polytopes.size());
    shapes.meshes = read_meshes(file);

    const auto kind = file.column<std::uint8_t>("shapes/kind");
    const auto detail = file.column<std::int32_t>("shapes/detail");
    const auto radius = file.column<double>("shapes/radius");
    if (detail.size() != kind.size() || radius.size() != kind.size()) file.fail("columns of shapes differ in length");
    for (std::size_t i = 0; i < kind.size(); ++i) {
        if (kind[i] >= shape_kinds) file.fail(fmt::format("shape {} is of unknown kind", i));
        const auto known = ShapeKind(kind[i]);
        if (detail[i] < 0 || std::size_t(detail[i]) >= details_of(shapes, known)) {
            file.fail(fmt::format("shape {} is a {} that is not there", i, shape_name<D>(known)));
        }
        shapes.shapes.push_back({known, detail[i], radius[i]});
    }
    return shapes;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void write_shapes(Hdf5Writer&, const ShapeTable<D>&);                                                     \
    template ShapeTable<D> read_shapes<D>(const Hdf5Reader&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
