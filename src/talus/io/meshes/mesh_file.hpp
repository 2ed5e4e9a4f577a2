// Triangle meshes and grain libraries in files: STL (binary or text) and the part of OBJ that describes faces (v, f, o
// and g; all else is passed over). A library is an OBJ file with one object per grain, in metres: polyhedra, or in 2D
// polygons of one face each at z = 0. A folder of such files is a library too.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/shapes/polytope.hpp"

#include <filesystem>

namespace talus::io {

// All objects of a file, or of all .stl and .obj files of a folder in the order of their names, with lengths
// multiplied by `unit`. InputError with every mistake, by line.
std::vector<NamedMesh> read_meshes(const std::filesystem::path& path, double unit = 1);

// One object of a file to be written.
struct NamedSurface {
    std::string name;
    std::vector<Vec<3>> vertices;                 // [m]
    std::vector<std::vector<std::int32_t>> faces; // counter-clockwise seen from outside
};
NamedSurface surface_of(const std::string& name, const Polytope<2>& grain); // one face at z = 0
NamedSurface surface_of(const std::string& name, const Polytope<3>& grain);
NamedSurface surface_of(const NamedMesh& object);

// By the end of its name an OBJ, headed by the comments, or an STL: binary where it is one object, else text, which
// can name them. The file appears only when it is complete; InputError for another kind of file.
void write_surfaces(const std::filesystem::path& file, const std::vector<NamedSurface>& objects,
                    const std::vector<std::string>& comments);
void check_mesh_name(const std::filesystem::path& file);

// Reads for a scene: a path is meant from where the scene lies.
std::filesystem::path path_in_scene(const scene::Value& path);
class SceneShapeFiles final : public ShapeFiles {
  public:
    std::vector<NamedMesh> read(const scene::Value& path, double unit) const override;
    std::vector<ListedBall> read_balls(const scene::Value& path, int dimension) const override;
    std::string read_text(const scene::Value& path) const override;
};

} // namespace talus::io
