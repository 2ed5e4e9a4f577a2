// A surface of triangles in space: the wall of a hopper, the outline of a tool, a scanned grain before it is made
// convex.
#pragma once

#include "talus/math/space.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace talus {

struct TriangleMesh {
    std::vector<Vec<3>> vertices;                       // [m]
    std::vector<std::array<std::int32_t, 3>> triangles; // counter-clockwise seen from outside
};

} // namespace talus
