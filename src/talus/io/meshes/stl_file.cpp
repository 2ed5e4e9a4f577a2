// STL, binary (one solid) or text (several, with names). Faces are turned as their vertices run; the normals that the
// file gives beside them are not used.
#include "talus/io/meshes/mesh_text.hpp"
#include "talus/shapes/mesh_checks.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace talus::io {

namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

constexpr std::size_t header_bytes = 80, face_bytes = 50;

std::uint32_t faces_in_header(std::string_view bytes)
{
    std::uint32_t count = 0;
    if (bytes.size() >= header_bytes + 4) std::memcpy(&count, bytes.data() + header_bytes, 4);
    return count;
}

bool is_binary(std::string_view bytes)
{
    return bytes.size() >= header_bytes + 4 &&
           bytes.size() == header_bytes + 4 + face_bytes * std::size_t(faces_in_header(bytes));
}

void add_triangle(TriangleMesh& mesh)
{
    const auto last = std::int32_t(mesh.vertices.size());
    mesh.triangles.push_back({last - 3, last - 2, last - 1});
}

std::vector<NamedMesh> parse_binary(std::string_view bytes, const std::string& file)
{
    MeshMistakes mistakes(file);
    const std::size_t count = faces_in_header(bytes);
    if (count == 0) mistakes.add(0, "has no faces");
    NamedMesh solid{"solid", {}, {}};
    for (std::size_t t = 0; t < count; ++t) {
        float numbers[12]; // normal, then three vertices
        std::memcpy(numbers, bytes.data() + header_bytes + 4 + face_bytes * t, sizeof numbers);
        for (int k = 1; k < 4; ++k) {
            const Vec<3> point(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]);
            if (!point.allFinite())
                mistakes.add(0, "face " + std::to_string(t + 1) + " has a vertex that is not finite");
            solid.mesh.vertices.push_back(point);
        }
        add_triangle(solid.mesh);
    }
    mistakes.throw_if_any();
    return {std::move(solid)};
}

std::vector<NamedMesh> parse_text(std::string_view text, const std::string& file)
{
    MeshMistakes mistakes(file);
    std::vector<NamedMesh> solids;
    int corners = 0;
    bool open = false;
    visit_lines(text, [&](int line, const std::vector<std::string_view>& words) {
        if (words[0] == "solid") {
            std::string name = words.size() > 1 ? std::string(words[1]) : "solid " + std::to_string(solids.size() + 1);
            solids.push_back({std::move(name), {}, {}});
            open = true;
        } else if (words[0] == "facet") {
            corners = 0;
            if (!open) mistakes.add(line, "a facet outside of a solid");
        } else if (words[0] == "vertex") {
            Vec<3> point = Vec<3>::Zero();
            if (std::string wrong = read_point(words, 1, point); !wrong.empty()) mistakes.add(line, std::move(wrong));
            if (!open || ++corners > 3) return mistakes.add(line, "a vertex too many: a facet has 3");
            solids.back().mesh.vertices.push_back(point);
            if (corners == 3) add_triangle(solids.back().mesh);
        } else if (words[0] == "endfacet") {
            if (corners != 3) mistakes.add(line, "a facet has 3 vertices, this one has " + std::to_string(corners));
        } else if (words[0] == "endsolid") {
            open = false;
        } else if (words[0] != "outer" && words[0] != "endloop") {
            mistakes.add(line,
                         "\"" + std::string(words[0].substr(0, 40)) +
                             "\" is no word of STL: solid, facet, outer loop, vertex, endloop, endfacet, endsolid");
        }
    });
    if (open) mistakes.add(0, "ends within a solid: endsolid is missing, the file is cut off");
    std::erase_if(solids, [](const NamedMesh& solid) { return solid.mesh.triangles.empty(); });
    if (solids.empty()) mistakes.add(0, "has no faces");
    mistakes.throw_if_any();
    return solids;
}

} // namespace

std::vector<NamedMesh> parse_stl(std::string_view bytes, const std::string& file)
{
    const bool text = !is_binary(bytes) && bytes.starts_with("solid") && bytes.find('\0') == std::string_view::npos;
    if (!text && !is_binary(bytes)) {
        MeshMistakes mistakes(file);
        mistakes.add(0,
                     "is no STL: a text begins with \"solid\", a binary file has 84 + 50 × faces bytes; this one has " +
                         std::to_string(bytes.size()) +
                         (bytes.size() < header_bytes + 4
                              ? std::string()
                              : " and speaks of " + std::to_string(faces_in_header(bytes)) + " faces"));
        mistakes.throw_if_any();
    }
    std::vector<NamedMesh> solids = text ? parse_text(bytes, file) : parse_binary(bytes, file);
    for (NamedMesh& solid : solids) join_equal_vertices(solid.mesh);
    return solids;
}

} // namespace talus::io
