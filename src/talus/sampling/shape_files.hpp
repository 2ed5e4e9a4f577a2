// Where a scene gets the shapes and the places that lie in files. Simulation reads no file itself: the application
// hands it a reader.
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

// One line of a file of balls.
struct ListedBall {
    double radius;   // [m]
    Vec<3> position; // [m] z = 0 in 2D
};

class ShapeFiles {
  public:
    virtual ~ShapeFiles() = default;
    // The objects of the file that the key names, in metres; a path is meant from where the scene lies. InputError at
    // the key where it cannot be read.
    virtual std::vector<NamedMesh> read(const scene::Value& path, double unit = 1) const = 0;
    // The balls of the file that the key names, each with as many coordinates as there are dimensions.
    virtual std::vector<ListedBall> read_balls(const scene::Value& path, int dimension) const;
    // All of the text file that the key names.
    virtual std::string read_text(const scene::Value& path) const;
};

// Refuses every file by name: for a scene that needs none.
const ShapeFiles& no_shape_files();

} // namespace talus
