#include "talus/report/view/view_shapes.hpp"

#include "talus/report/view/view_packet.hpp"
#include "talus/shapes/convex_parts.hpp"

#include <limits>

namespace talus::report {

namespace {

enum Kind : std::uint8_t { ball, half_space, segment, hollow_ball, hollow_cylinder, mesh };
constexpr const char* kind_names = R"(["ball","half_space","segment","hollow_ball","hollow_cylinder","mesh"])";

Kind kind_of(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::ball:
        return ball;
    case ShapeKind::half_space:
        return half_space;
    case ShapeKind::segment:
        return segment;
    case ShapeKind::hollow_ball:
        return hollow_ball;
    case ShapeKind::hollow_cylinder:
        return hollow_cylinder;
    case ShapeKind::polytope:
    case ShapeKind::cluster:
    case ShapeKind::mesh:
        break;
    }
    return mesh;
}

void append(std::vector<float>& to, const Vec<3>& v)
{
    for (int k = 0; k < 3; ++k) to.push_back(float(v[k]));
}

// The meshes end to end.
class MeshLists {
  public:
    template <int D>
    void add(const Polytope<D>& part);
    void add(const TriangleMesh& surface);
    std::int32_t close(); // what was added since the last call is one mesh; its row

    void write(Packet& packet) const
    {
        packet.array("mesh_vertex_start", vertex_start_);
        packet.array("mesh_triangle_start", triangle_start_);
        packet.array("mesh_edge_start", edge_start_);
        packet.array("mesh_vertices", vertices_, 3);
        packet.array("mesh_triangles", triangles_, 3);
        packet.array("mesh_edges", edges_, 2);
        packet.array("mesh_half_extent", half_extent_, 3);
        packet.array("mesh_centre", centre_, 3);
    }

  private:
    std::uint32_t next_vertex() const { return std::uint32_t(vertices_.size() / 3) - vertex_start_.back(); }
    void add_vertices(const auto& vertices)
    {
        for (const auto& vertex : vertices) append(vertices_, in_space(vertex));
    }
    void add_fan(std::span<const std::int32_t> corners, std::uint32_t first);
    void add_outline(const Polytope<2>& part, std::uint32_t first);
    void add_outline(const Polytope<3>& part, std::uint32_t first);

    std::vector<float> vertices_, half_extent_, centre_;
    std::vector<std::uint32_t> triangles_, edges_, vertex_start_{0}, triangle_start_{0}, edge_start_{0};
};

template <int D>
void MeshLists::add(const Polytope<D>& part)
{
    const std::uint32_t first = next_vertex();
    add_vertices(part.vertices);
    add_outline(part, first);
}

void MeshLists::add_fan(std::span<const std::int32_t> corners, std::uint32_t first)
{
    for (std::size_t k = 2; k < corners.size(); ++k) {
        for (const std::size_t corner : {std::size_t(0), k - 1, k}) {
            triangles_.push_back(first + std::uint32_t(corners[corner]));
        }
    }
}

void MeshLists::add_outline(const Polytope<2>& part, std::uint32_t first)
{
    std::vector<std::int32_t> corners; // counter-clockwise
    const std::size_t count = part.vertices.size();
    for (std::size_t k = 0; k < count; ++k) {
        corners.push_back(std::int32_t(k));
        edges_.push_back(first + std::uint32_t(k));
        edges_.push_back(first + std::uint32_t((k + 1) % count));
    }
    add_fan(corners, first);
}

void MeshLists::add_outline(const Polytope<3>& part, std::uint32_t first)
{
    for (std::size_t f = 0; f < part.face_count(); ++f) add_fan(part.face(f), first);
    for (const PolytopeEdge& edge : part.edges) {
        for (const std::int32_t vertex : edge.vertices) edges_.push_back(first + std::uint32_t(vertex));
    }
}

void MeshLists::add(const TriangleMesh& surface)
{
    const std::uint32_t first = next_vertex();
    add_vertices(surface.vertices);
    for (const auto& triangle : surface.triangles) {
        for (const std::int32_t vertex : triangle) triangles_.push_back(first + std::uint32_t(vertex));
    }
}

std::int32_t MeshLists::close()
{
    Vec<3> lower = Vec<3>::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    for (std::size_t v = 3 * vertex_start_.back(); v < vertices_.size(); v += 3) {
        const Vec<3> vertex(vertices_[v], vertices_[v + 1], vertices_[v + 2]);
        lower = lower.cwiseMin(vertex);
        upper = upper.cwiseMax(vertex);
    }
    if (next_vertex() == 0) lower = upper = Vec<3>::Zero();
    append(half_extent_, 0.5 * (upper - lower));
    append(centre_, 0.5 * (upper + lower));
    vertex_start_.push_back(std::uint32_t(vertices_.size() / 3));
    triangle_start_.push_back(std::uint32_t(triangles_.size() / 3));
    edge_start_.push_back(std::uint32_t(edges_.size() / 2));
    return std::int32_t(vertex_start_.size()) - 2;
}

template <int D>
Vec<3> vector_of(const ShapeTable<D>& shapes, const Shape<D>& shape)
{
    const auto row = std::size_t(shape.detail);
    if (shape.kind == ShapeKind::half_space) return in_space(shapes.half_spaces[row].normal);
    if (shape.kind == ShapeKind::segment) return in_space(shapes.segments[row].half);
    if (shape.kind == ShapeKind::hollow_cylinder) return shapes.hollow_cylinders[row].axis;
    return Vec<3>::Zero();
}

template <int D>
class ShapeColumns {
  public:
    explicit ShapeColumns(const ShapeTable<D>& shapes) : shapes_(shapes) {}

    void add(std::int32_t index)
    {
        const Shape<D>& shape = shapes_[index];
        kind_.push_back(kind_of(shape.kind));
        radius_.push_back(float(shape.radius));
        append(vector_, vector_of(shapes_, shape));
        if (kind_.back() != mesh) {
            mesh_.push_back(-1);
            return;
        }
        for (const Polytope<D>& part : convex_parts(shapes_, index)) meshes_.add(part);
        if (shape.kind == ShapeKind::mesh) meshes_.add(shapes_.meshes[std::size_t(shape.detail)]);
        mesh_.push_back(meshes_.close());
    }
    void write(Packet& packet) const
    {
        packet.array("shape_kind", kind_);
        packet.array("shape_radius", radius_);
        packet.array("shape_vector", vector_, 3);
        packet.array("shape_mesh", mesh_);
        meshes_.write(packet);
    }

  private:
    const ShapeTable<D>& shapes_;
    std::vector<std::uint8_t> kind_;
    std::vector<float> radius_, vector_;
    std::vector<std::int32_t> mesh_;
    MeshLists meshes_;
};

} // namespace

template <int D>
std::string shapes_packet(const io::Frame<D>& constants, const ShownBodies& shown)
{
    const BodyTable<D>& bodies = constants.bodies;
    const std::size_t count = shown.count(bodies.shape.size());
    std::vector<std::int32_t> row(constants.shapes.size(), shown.is_some() ? -1 : 0); // of each shape in the packet
    for (std::size_t k = 0; k < count; ++k) row[std::size_t(bodies.shape[shown.body(k)])] = 0;
    ShapeColumns<D> shapes(constants.shapes);
    std::int32_t next = 0;
    for (std::size_t s = 0; s < row.size(); ++s) {
        if (row[s] < 0) continue;
        row[s] = next++;
        shapes.add(std::int32_t(s));
    }
    std::vector<std::int32_t> shape, material;
    std::vector<float> mass;
    std::vector<std::uint32_t> index;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = shown.body(k);
        shape.push_back(row[std::size_t(bodies.shape[i])]);
        material.push_back(bodies.material[i]);
        mass.push_back(float(bodies.mass[i]));
        index.push_back(std::uint32_t(i));
    }
    Packet packet;
    packet.fact("kinds", kind_names);
    packet.fact("bodies", std::to_string(count));
    packet.array("body_shape", shape);
    packet.array("body_material", material);
    packet.array("body_mass", mass);
    if (shown.is_some()) packet.array("body_index", index);
    shapes.write(packet);
    return packet.bytes();
}

template std::string shapes_packet(const io::Frame<2>&, const ShownBodies&);
template std::string shapes_packet(const io::Frame<3>&, const ShownBodies&);

} // namespace talus::report
