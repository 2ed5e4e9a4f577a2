#include "io/vtk.hpp"

#include "io/durable_file.hpp"
#include "shapes/convex_parts.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <span>
#include <string>

namespace talus::io {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "the headers below say LittleEndian");

namespace {

constexpr const char* parts[] = {"grains", "contacts", "solids"};

// One array of a piece: its declaration, and its bytes for the appended part.
struct Array {
    std::string name, type;
    int components;
    std::string bytes;
};

template <class T>
Array array_of(std::string name, const char* type, int components, const std::vector<T>& values)
{
    return {std::move(name), type, components,
            std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
}
Array floats(std::string name, int components, const std::vector<float>& values)
{
    return array_of(std::move(name), "Float32", components, values);
}
Array integers(std::string name, const std::vector<std::int32_t>& values)
{
    return array_of(std::move(name), "Int32", 1, values);
}

void push(std::vector<float>& list, const Vec<2>& v) { list.insert(list.end(), {float(v[0]), float(v[1]), 0.0f}); }
void push(std::vector<float>& list, const Vec<3>& v)
{
    list.insert(list.end(), {float(v[0]), float(v[1]), float(v[2])});
}
// a spin in the plane turns about z
void push_spin(std::vector<float>& list, const Ang<2>& w) { list.insert(list.end(), {0.0f, 0.0f, float(w[0])}); }
void push_spin(std::vector<float>& list, const Ang<3>& w) { push(list, Vec<3>(w)); }

struct PolyData {
    std::vector<float> points;
    std::vector<Array> point_data, cell_data;
    struct Cells {
        std::vector<std::int32_t> connectivity, offsets;
        void end_cell() { offsets.push_back(std::int32_t(connectivity.size())); }
    };
    Cells verts, lines, polys; // cell data follow this order

    std::size_t point_count() const { return points.size() / 3; }
    void one_vert_per_point()
    {
        for (std::size_t i = 0; i < point_count(); ++i) {
            verts.connectivity.push_back(std::int32_t(i));
            verts.end_cell();
        }
    }
};

void write(const fs::path& file, const PolyData& data)
{
    std::string xml = "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                      "<PolyData>\n";
    xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
                       "NumberOfPolys=\"{}\">\n",
                       data.point_count(), data.verts.offsets.size(), data.lines.offsets.size(),
                       data.polys.offsets.size());
    std::vector<Array> appended;
    std::uint64_t offset = 0;
    const auto section = [&](const char* name, std::vector<Array> arrays) {
        xml += fmt::format("<{}>\n", name);
        for (Array& array : arrays) {
            xml += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                               "offset=\"{}\"/>\n",
                               array.type, array.name, array.components, offset);
            offset += sizeof(std::uint64_t) + array.bytes.size();
            appended.push_back(std::move(array));
        }
        xml += fmt::format("</{}>\n", name);
    };
    const auto cells = [&](const char* name, const PolyData::Cells& of) {
        section(name, {integers("connectivity", of.connectivity), integers("offsets", of.offsets)});
    };
    section("PointData", data.point_data);
    section("CellData", data.cell_data);
    section("Points", {floats("points", 3, data.points)});
    cells("Verts", data.verts);
    cells("Lines", data.lines);
    cells("Polys", data.polys);
    xml += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";

    DurableFile out(file);
    out.write(xml);
    for (const Array& array : appended) {
        const std::uint64_t size = array.bytes.size();
        out.write(std::span<const std::uint64_t>(&size, 1));
        out.write(array.bytes);
    }
    out.write("\n</AppendedData>\n</VTKFile>\n");
    out.commit();
}

// What is known of a body, point by point or cell by cell.
struct BodyArrays {
    std::vector<float> radius, velocity, spin;
    std::vector<std::int32_t> material, body;

    template <int D>
    void add(const Simulation<D>& simulation, std::size_t i)
    {
        const BodyTable<D>& bodies = simulation.bodies;
        radius.push_back(float(simulation.shapes[bodies.shape[i]].radius));
        push(velocity, bodies.velocity[i]);
        push_spin(spin, bodies.spin[i]);
        material.push_back(bodies.material[i]);
        body.push_back(std::int32_t(i));
    }
    std::vector<Array> arrays() const
    {
        return {floats("radius", 1, radius), floats("velocity", 3, velocity), floats("spin", 3, spin),
                integers("material", material), integers("body", body)};
    }
};

template <int D>
PolyData grains_of(const Simulation<D>& simulation)
{
    PolyData data;
    BodyArrays known;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (simulation.shapes[simulation.bodies.shape[i]].kind != ShapeKind::ball) continue;
        push(data.points, simulation.bodies.position[i]);
        known.add(simulation, i);
    }
    data.one_vert_per_point();
    data.point_data = known.arrays();
    return data;
}

template <int D>
PolyData contacts_of(const Simulation<D>& simulation)
{
    const ContactTable<D>& contacts = simulation.contacts;
    PolyData data;
    std::vector<float> normal, force, gap;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        push(data.points, contacts.point[c]);
        push(normal, contacts.normal[c]);
        force.push_back(float(contacts.impulse[c].norm() / simulation.clock.dt));
        gap.push_back(float(contacts.gap[c]));
    }
    data.one_vert_per_point();
    data.point_data = {floats("normal", 3, normal), floats("force", 1, force), floats("gap", 1, gap),
                       integers("candidate", contacts.candidate), integers("antagonist", contacts.antagonist)};
    return data;
}

using Loops = std::vector<std::vector<std::int32_t>>; // of vertices to be drawn

Loops loops_of(const Polytope<2>& polygon)
{
    std::vector<std::int32_t> loop(polygon.vertices.size());
    for (std::size_t i = 0; i < loop.size(); ++i) loop[i] = std::int32_t(i);
    return {loop};
}
Loops loops_of(const Polytope<3>& polyhedron)
{
    Loops loops;
    for (std::size_t f = 0; f < polyhedron.face_count(); ++f) {
        const auto face = polyhedron.face(f);
        loops.emplace_back(face.begin(), face.end());
    }
    return loops;
}

// What is drawn of a body, in its own frame: the parts of a solid, a mesh.
template <int D>
struct Surface {
    std::span<const Vec<D>> vertices;
    Loops loops;
};

void add_mesh(std::vector<Surface<2>>&, const ShapeTable<2>&, const Shape<2>&) {} // meshes live in space
void add_mesh(std::vector<Surface<3>>& surfaces, const ShapeTable<3>& shapes, const Shape<3>& shape)
{
    if (shape.kind != ShapeKind::mesh) return;
    const TriangleMesh& mesh = shapes.meshes[std::size_t(shape.detail)];
    Loops loops;
    for (const auto& triangle : mesh.triangles) loops.emplace_back(triangle.begin(), triangle.end());
    surfaces.push_back({mesh.vertices, std::move(loops)});
}

template <int D>
std::vector<Surface<D>> surfaces_of(const ShapeTable<D>& shapes, std::int32_t shape)
{
    std::vector<Surface<D>> surfaces;
    for (const Polytope<D>& part : convex_parts(shapes, shape)) surfaces.push_back({part.vertices, loops_of(part)});
    add_mesh(surfaces, shapes, shapes[shape]);
    return surfaces;
}

template <int D>
PolyData solids_of(const Simulation<D>& simulation)
{
    const BodyTable<D>& bodies = simulation.bodies;
    const ShapeTable<D>& shapes = simulation.shapes;
    PolyData data;
    BodyArrays known;
    const auto point = [&](std::size_t body, const Vec<D>& local) {
        push(data.points, Vec<D>(bodies.position[body] + bodies.orientation[body] * local));
        return std::int32_t(data.point_count()) - 1;
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) { // rods first: cell data follow the order lines, polygons
        const Shape<D>& shape = shapes[bodies.shape[i]];
        if (shape.kind != ShapeKind::segment) continue;
        const Vec<D>& half = shapes.segments[shape.detail].half;
        data.lines.connectivity.push_back(point(i, -half));
        data.lines.connectivity.push_back(point(i, half));
        data.lines.end_cell();
        known.add(simulation, i);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const Surface<D>& surface : surfaces_of(shapes, bodies.shape[i])) {
            const auto first = std::int32_t(data.point_count());
            for (const Vec<D>& vertex : surface.vertices) point(i, vertex);
            for (const auto& loop : surface.loops) {
                for (const std::int32_t vertex : loop) data.polys.connectivity.push_back(first + vertex);
                data.polys.end_cell();
                known.add(simulation, i);
            }
        }
    }
    data.cell_data = known.arrays();
    return data;
}

// the number in grains_000012.vtp; −1 where there is none
std::int64_t index_of(const fs::path& file)
{
    const std::string stem = file.stem().string();
    const auto underscore = stem.rfind('_');
    std::int64_t index = -1;
    if (underscore == std::string::npos || file.extension() != ".vtp") return -1;
    std::from_chars(stem.data() + underscore + 1, stem.data() + stem.size(), index);
    return index;
}

} // namespace

VtkWriter::VtkWriter(const fs::path& run_folder) : folder_(run_folder)
{
    make_directory(folder_ / "vtk");
    write_list();
}

VtkWriter::VtkWriter(const fs::path& run_folder, const std::vector<double>& times) : folder_(run_folder)
{
    make_directory(folder_ / "vtk");
    const auto frames = std::int64_t(times.size());
    std::vector<fs::path> surplus;
    for (const auto& entry : fs::directory_iterator(folder_ / "vtk")) {
        if (index_of(entry.path()) >= frames) surplus.push_back(entry.path());
    }
    for (std::int64_t index = 0; index < frames; ++index) {
        if (fs::exists(file_of("grains", index))) moments_.push_back({index, times[std::size_t(index)]});
    }
    write_list(); // before its files go
    for (const fs::path& file : surplus) fs::remove(file);
}

fs::path VtkWriter::file_of(const char* part, std::int64_t index) const
{
    return folder_ / "vtk" / fmt::format("{}_{:06}.vtp", part, index);
}

void VtkWriter::write_list() const
{
    std::string xml = "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const Moment& moment : moments_) {
        for (int part = 0; part < int(std::size(parts)); ++part) {
            const fs::path file = file_of(parts[part], moment.index);
            if (!fs::exists(file)) continue; // solids
            xml += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"vtk/{}\"/>\n", moment.time,
                               part, parts[part], file.filename().string());
        }
    }
    xml += "</Collection>\n</VTKFile>\n";
    write_durably(folder_ / "run.pvd", xml);
}

template <int D>
void VtkWriter::frame(const Simulation<D>& simulation, std::int64_t index)
{
    write(file_of("grains", index), grains_of(simulation));
    write(file_of("contacts", index), contacts_of(simulation));
    const PolyData solids = solids_of(simulation);
    if (!solids.points.empty()) write(file_of("solids", index), solids);
    moments_.push_back({index, simulation.clock.time()});
    write_list();
}

template void VtkWriter::frame(const Simulation<2>&, std::int64_t);
template void VtkWriter::frame(const Simulation<3>&, std::int64_t);

} // namespace talus::io
