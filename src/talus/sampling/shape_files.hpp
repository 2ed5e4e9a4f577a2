// Where a scene gets the shapes that lie in files. Simulation reads no file itself: the application hands it a reader.
#pragma once

#include "talus/scene/value.hpp"
#include "talus/shapes/triangle_mesh.hpp"

#include <string>
#include <vector>

namespace talus {

struct NamedMesh {
    std::string name; // of the object or solid in the file
    TriangleMesh mesh;
    std::vector<std::int32_t> outline; // where all of it is one face at z = 0, a polygon: its corners in order
};

class ShapeFiles {
  public:
    virtual ~ShapeFiles() = default;
    // The objects of the file that the key names, in metres; a path is meant from where the scene lies. InputError at
    // the key where it cannot be read.
    virtual std::vector<NamedMesh> read(const scene::Value& path, double unit = 1) const = 0;
};

// Refuses every file by name: for a scene that needs none.
const ShapeFiles& no_shape_files();

} // namespace talus
