#include "talus/io/runs/vtk.hpp"

#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/vtk_arrays.hpp"
#include "talus/shapes/convex_parts.hpp"

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

struct PolyData {
    std::vector<float> points;
    std::vector<VtkArray> point_data, cell_data;
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
    std::vector<VtkArray> appended;
    std::uint64_t offset = 0;
    const auto section = [&](const char* name, std::vector<VtkArray> arrays) {
        xml += fmt::format("<{}>\n", name);
        for (VtkArray& array : arrays) {
            xml += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                               "offset=\"{}\"/>\n",
                               array.type, array.name, array.components, offset);
            offset += sizeof(std::uint64_t) + array.bytes.size();
            appended.push_back(std::move(array));
        }
        xml += fmt::format("</{}>\n", name);
    };
    const auto cells = [&](const char* name, const PolyData::Cells& of) {
        section(name, {vtk_array("connectivity", 1, of.connectivity), vtk_array("offsets", 1, of.offsets)});
    };
    section("PointData", data.point_data);
    section("CellData", data.cell_data);
    section("Points", {vtk_array("points", 3, data.points)});
    cells("Verts", data.verts);
    cells("Lines", data.lines);
    cells("Polys", data.polys);
    xml += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";

    DurableFile out(file);
    out.write(xml);
    for (const VtkArray& array : appended) {
        const std::uint64_t size = array.bytes.size();
        out.write(std::span<const std::uint64_t>(&size, 1));
        out.write(array.bytes);
    }
    out.write("\n</AppendedData>\n</VTKFile>\n");
    out.commit();
}

// What is known of the bodies of points or cells: the columns of their table, their radius and index.
template <int D>
std::vector<VtkArray> known_of(const Simulation<D>& simulation, const std::vector<std::int32_t>& bodies)
{
    std::vector<VtkArray> arrays = arrays_of(simulation.bodies, bodies);
    std::vector<float> radius;
    for (const std::int32_t i : bodies) {
        radius.push_back(float(simulation.shapes[simulation.bodies.shape[std::size_t(i)]].radius));
    }
    arrays.push_back(vtk_array("radius", 1, radius));
    arrays.push_back(vtk_array("body", 1, bodies));
    return arrays;
}

template <int D>
PolyData grains_of(const Simulation<D>& simulation)
{
    PolyData data;
    std::vector<std::int32_t> shown; // body of each point or cell
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (simulation.shapes[simulation.bodies.shape[i]].kind != ShapeKind::ball) continue;
        push(data.points, simulation.bodies.position[i]);
        shown.push_back(std::int32_t(i));
    }
    data.one_vert_per_point();
    data.point_data = known_of(simulation, shown);
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
    data.point_data = {vtk_array("normal", 3, normal), vtk_array("force", 1, force), vtk_array("gap", 1, gap),
                       vtk_array("candidate", 1, contacts.candidate), vtk_array("antagonist", 1, contacts.antagonist)};
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
    std::vector<std::int32_t> shown; // body of each point or cell
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
        shown.push_back(std::int32_t(i));
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const Surface<D>& surface : surfaces_of(shapes, bodies.shape[i])) {
            const auto first = std::int32_t(data.point_count());
            for (const Vec<D>& vertex : surface.vertices) point(i, vertex);
            for (const auto& loop : surface.loops) {
                for (const std::int32_t vertex : loop) data.polys.connectivity.push_back(first + vertex);
                data.polys.end_cell();
                shown.push_back(std::int32_t(i));
            }
        }
    }
    data.cell_data = known_of(simulation, shown);
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
