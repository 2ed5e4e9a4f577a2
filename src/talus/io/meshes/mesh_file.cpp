#include "talus/io/meshes/mesh_file.hpp"

#include "talus/base/version.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/meshes/ball_file.hpp"
#include "talus/io/meshes/mesh_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_mesh_file = 1u << 30; // [B]

std::string ending(const fs::path& file)
{
    std::string end = file.extension().string();
    std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return end;
}

bool is_mesh_name(const fs::path& file) { return ending(file) == ".stl" || ending(file) == ".obj"; }

std::vector<NamedMesh> read_file(const fs::path& file)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) refuse(file, "cannot be read: " + error.message());
    if (size > largest_mesh_file) refuse(file, fmt::format("has {} bytes, more than 1 GiB", size));
    std::ifstream in(file, std::ios::binary);
    std::string bytes(size, '\0');
    if (!in || !in.read(bytes.data(), std::streamsize(size))) refuse(file, "cannot be read");
    return ending(file) == ".stl" ? parse_stl(bytes, file.string()) : parse_obj(bytes, file.string());
}

std::vector<fs::path> files_of(const fs::path& path)
{
    std::error_code error;
    if (!fs::exists(path, error)) refuse(path, "no such file or folder");
    if (!fs::is_directory(path, error)) {
        check_mesh_name(path);
        return {path};
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, error)) {
        if (is_mesh_name(entry.path())) files.push_back(entry.path());
    }
    if (error) refuse(path, "cannot be read: " + error.message());
    if (files.empty()) refuse(path, "has no .stl or .obj files");
    std::sort(files.begin(), files.end());
    return files;
}

std::string obj_text(const std::vector<NamedSurface>& objects, const std::vector<std::string>& comments)
{
    std::string text;
    for (const std::string& comment : comments) text += "# " + comment + "\n";
    std::size_t before = 0;
    for (const NamedSurface& object : objects) {
        text += "o " + object.name + "\n";
        for (const Vec<3>& v : object.vertices) {
            // the shortest texts that read back as the same numbers
            text += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
        }
        for (const auto& face : object.faces) {
            text += "f";
            for (const std::int32_t vertex : face) text += fmt::format(" {}", before + std::size_t(vertex) + 1);
            text += "\n";
        }
        before += object.vertices.size();
    }
    return text;
}

template <class Visit>
void visit_triangles(const NamedSurface& object, Visit&& visit)
{
    for (const auto& face : object.faces) {
        for (std::size_t k = 2; k < face.size(); ++k) {
            const Vec<3>&a = object.vertices[face[0]], &b = object.vertices[face[k - 1]], &c = object.vertices[face[k]];
            visit(Vec<3>((b - a).cross(c - a).normalized()), a, b, c);
        }
    }
}

std::string stl_text(const std::vector<NamedSurface>& objects)
{
    std::string text;
    for (const NamedSurface& object : objects) {
        std::string name = object.name;
        std::replace(name.begin(), name.end(), ' ', '_');
        text += "solid " + name + "\n";
        visit_triangles(object, [&](const Vec<3>& n, const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
            text += fmt::format("facet normal {:.6g} {:.6g} {:.6g}\nouter loop\n", n[0], n[1], n[2]);
            for (const Vec<3>* v : {&a, &b, &c}) {
                text += fmt::format("vertex {} {} {}\n", (*v)[0], (*v)[1], (*v)[2]);
            }
            text += "endloop\nendfacet\n";
        });
        text += "endsolid " + name + "\n";
    }
    return text;
}

std::string stl_bytes(const NamedSurface& object)
{
    std::string faces;
    std::uint32_t count = 0;
    visit_triangles(object, [&](const Vec<3>& n, const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
        std::array<float, 12> numbers;
        int k = 0;
        for (const Vec<3>* v : {&n, &a, &b, &c}) {
            for (int axis = 0; axis < 3; ++axis) numbers[k++] = float((*v)[axis]);
        }
        faces.append(reinterpret_cast<const char*>(numbers.data()), sizeof numbers);
        faces.append(2, '\0');
        ++count;
    });
    std::string bytes = fmt::format("{:<80.80}", "Talus " + std::string(version()) + ", in metres");
    bytes.append(reinterpret_cast<const char*>(&count), 4);
    return bytes + faces;
}

} // namespace

std::vector<NamedMesh> read_meshes(const fs::path& path, double unit)
{
    std::vector<NamedMesh> all;
    std::vector<Mistake> mistakes;
    const std::vector<fs::path> files = files_of(path);
    for (const fs::path& file : files) {
        try {
            for (NamedMesh& object : read_file(file)) {
                // files of a folder name their grains, solids of STL hardly ever do
                if (files.size() > 1) object.name = file.stem().string() + "/" + object.name;
                for (Vec<3>& vertex : object.mesh.vertices) vertex *= unit;
                all.push_back(std::move(object));
            }
        } catch (const InputError& error) {
            mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return all;
}

NamedSurface surface_of(const std::string& name, const Polytope<2>& grain)
{
    NamedSurface surface{name, {}, {{}}};
    for (const Vec<2>& vertex : grain.vertices) {
        surface.faces[0].push_back(std::int32_t(surface.vertices.size()));
        surface.vertices.emplace_back(vertex[0], vertex[1], 0);
    }
    return surface;
}

NamedSurface surface_of(const std::string& name, const Polytope<3>& grain)
{
    NamedSurface surface{name, grain.vertices, {}};
    for (std::size_t f = 0; f < grain.face_count(); ++f) {
        surface.faces.emplace_back(grain.face(f).begin(), grain.face(f).end());
    }
    return surface;
}

NamedSurface surface_of(const NamedMesh& object)
{
    NamedSurface surface{object.name, object.mesh.vertices, {}};
    for (const auto& triangle : object.mesh.triangles) surface.faces.emplace_back(triangle.begin(), triangle.end());
    if (!object.outline.empty()) surface.faces = {object.outline};
    return surface;
}

void check_mesh_name(const fs::path& file)
{
    if (!is_mesh_name(file)) refuse(file, "the name of a mesh ends with .stl or .obj");
}

void write_surfaces(const fs::path& file, const std::vector<NamedSurface>& objects,
                    const std::vector<std::string>& comments)
{
    check_mesh_name(file);
    if (ending(file) == ".obj") return write_durably(file, obj_text(objects, comments));
    write_durably(file, objects.size() == 1 ? stl_bytes(objects[0]) : stl_text(objects));
}

fs::path path_in_scene(const scene::Value& path) { return fs::path(path.where.file).parent_path() / path.text(); }

namespace {

// What is wrong with a file is said at the key that names it.
template <class Read>
auto read_at_key(const scene::Value& path, Read&& read)
{
    try {
        return read(path_in_scene(path));
    } catch (const InputError& error) {
        std::vector<Mistake> mistakes;
        for (const Mistake& found : error.mistakes()) mistakes.push_back(mistake(path, to_text(found)));
        throw InputError(std::move(mistakes));
    }
}

} // namespace

std::vector<NamedMesh> SceneShapeFiles::read(const scene::Value& path, double unit) const
{
    return read_at_key(path, [&](const fs::path& file) { return read_meshes(file, unit); });
}

std::vector<ListedBall> SceneShapeFiles::read_balls(const scene::Value& path, int dimension) const
{
    return read_at_key(path, [&](const fs::path& file) { return io::read_balls(file, dimension); });
}

std::string SceneShapeFiles::read_text(const scene::Value& path) const
{
    const fs::path file = path_in_scene(path);
    std::ifstream in(file, std::ios::binary);
    if (!in || !fs::is_regular_file(file)) throw InputError({mistake(path, "cannot be read: " + file.string())});
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace talus::io
