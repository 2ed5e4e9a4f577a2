// Whether a surface of triangles can be a grain or a wall: closed, turned one way, of a sensible size, with a volume,
// and not through itself. What is wrong is said by name, with its number and its first place; what can be mended
// (equal vertices, triangles without area, faces turned the wrong way) is mended only when asked for, and said.
#pragma once

#include "talus/shapes/triangle_mesh.hpp"

#include <string>
#include <utility>
#include <vector>

namespace talus {

struct MeshNeeds {
    bool closed = true;     // a wall may be open
    double largest = 1000;  // [m] bounds of the largest dimension: a file in millimetres is found out
    double smallest = 1e-6; // [m]
};

// One sentence for each kind of fault; none: the mesh is sound.
std::vector<std::string> mesh_faults(const TriangleMesh& mesh, const MeshNeeds& needs = {});

// Merges vertices closer than 1e-6 of the size, drops triangles without area, turns all faces one way, outward where
// the surface is closed. One sentence for each kind of repair; none: nothing had to be done.
std::vector<std::string> repair(TriangleMesh& mesh);

// Merges vertices that are equal to the last bit: a file of loose triangles (STL) repeats them.
void join_equal_vertices(TriangleMesh& mesh);

double mesh_volume(const TriangleMesh& mesh); // [m³] enclosed; negative where the faces are turned inward
double mesh_size(const TriangleMesh& mesh);   // [m] largest side of the box along the axes

// Pairs of triangles that cross each other, or lie on each other in one plane: (number, first pair).
using CrossingPairs = std::pair<std::size_t, std::array<std::int32_t, 2>>;
CrossingPairs crossing_triangles(const TriangleMesh& mesh);

} // namespace talus
