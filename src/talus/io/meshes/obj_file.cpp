// The faces of an OBJ file. Read here and not by a library: a mistake is told by its line, and a word that is no number
// is a mistake, not a zero.
#include "talus/io/meshes/mesh_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace talus::io {

namespace {

struct Object {
    std::string name;
    int line;
    std::vector<std::vector<std::int32_t>> faces; // into the vertices of the file
};

class ObjReader {
  public:
    explicit ObjReader(const std::string& file) : mistakes_(file) {}

    std::vector<NamedMesh> read(std::string_view text)
    {
        bool has_objects = false;
        visit_lines(text, [&](int, const auto& words) { has_objects = has_objects || words[0] == "o"; });
        visit_lines(text, [&](int line, const auto& words) {
            if (words[0] == "v") add_vertex(line, words);
            if (words[0] == "f") add_face(line, words);
            if (words[0] == "o" || (words[0] == "g" && !has_objects)) begin_object(line, words);
        });
        std::erase_if(objects_, [](const Object& object) { return object.faces.empty(); });
        if (objects_.empty()) mistakes_.add(0, "has no faces: not an OBJ of a surface");
        mistakes_.throw_if_any();
        std::vector<NamedMesh> meshes;
        for (const Object& object : objects_) meshes.push_back(mesh_of(object));
        return meshes;
    }

  private:
    using Words = std::vector<std::string_view>;

    void begin_object(int line, const Words& words)
    {
        std::string name;
        for (std::size_t k = 1; k < words.size(); ++k) name += (k > 1 ? " " : "") + std::string(words[k]);
        if (name.empty()) name = "object " + std::to_string(objects_.size() + 1);
        // a group that is taken up again goes on
        const auto known =
            std::find_if(objects_.begin(), objects_.end(), [&](const auto& o) { return o.name == name; });
        if (known != objects_.end() && words[0] == "o")
            mistakes_.add(line, "a second object is called \"" + name + "\"");
        if (known == objects_.end()) {
            objects_.push_back({name, line, {}});
            current_ = objects_.size() - 1;
        } else {
            current_ = std::size_t(known - objects_.begin());
        }
    }

    void add_vertex(int line, const Words& words)
    {
        Vec<3> point = Vec<3>::Zero();
        if (std::string wrong = read_point(words, 1, point); !wrong.empty()) mistakes_.add(line, std::move(wrong));
        vertices_.push_back(point);
    }

    void add_face(int line, const Words& words)
    {
        if (words.size() < 4) return mistakes_.add(line, "a face has at least 3 vertices");
        std::vector<std::int32_t> face;
        for (std::size_t k = 1; k < words.size(); ++k) {
            const std::string_view word = words[k].substr(0, words[k].find('/'));
            std::int64_t index = 0;
            const auto count = std::int64_t(vertices_.size());
            if (!read_number(word, index) || index == 0) {
                return mistakes_.add(line, "\"" + std::string(words[k].substr(0, 40)) + "\" names no vertex");
            }
            if (index < 0) index += count + 1; // counted from the last one
            if (index < 1 || index > count) {
                return mistakes_.add(line, "vertex " + std::string(word) + ": there are " + std::to_string(count) +
                                               " before this line");
            }
            face.push_back(std::int32_t(index - 1));
        }
        if (objects_.empty()) objects_.push_back({"object 1", line, {}});
        objects_[current_].faces.push_back(std::move(face));
    }

    NamedMesh mesh_of(const Object& object) const
    {
        std::map<std::int32_t, std::int32_t> own; // of the file's vertices, those of this object, in their order
        for (const auto& face : object.faces) {
            for (const std::int32_t vertex : face) own[vertex] = 0;
        }
        NamedMesh result{object.name, {}, {}};
        for (auto& [vertex, index] : own) {
            index = std::int32_t(result.mesh.vertices.size());
            result.mesh.vertices.push_back(vertices_[vertex]);
        }
        for (const auto& face : object.faces) {
            for (std::size_t k = 2; k < face.size(); ++k) {
                result.mesh.triangles.push_back({own[face[0]], own[face[k - 1]], own[face[k]]});
            }
        }
        const bool flat = std::all_of(result.mesh.vertices.begin(), result.mesh.vertices.end(),
                                      [](const Vec<3>& vertex) { return vertex[2] == 0; });
        if (flat && object.faces.size() == 1) {
            for (const std::int32_t vertex : object.faces[0]) result.outline.push_back(own[vertex]);
        }
        return result;
    }

    MeshMistakes mistakes_;
    std::vector<Vec<3>> vertices_;
    std::vector<Object> objects_;
    std::size_t current_ = 0;
};

} // namespace

std::vector<NamedMesh> parse_obj(std::string_view text, const std::string& file) { return ObjReader(file).read(text); }

} // namespace talus::io
