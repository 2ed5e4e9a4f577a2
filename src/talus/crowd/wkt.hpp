// Obstacles as well-known text (WKT, OGC 06-103r4 §7): LINESTRING, POLYGON with holes, their MULTI forms and
// GEOMETRYCOLLECTION, one after another, in metres. Coordinates are x and y; Z and M are refused.
#pragma once

#include "talus/base/error.hpp"
#include "talus/math/space.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace talus {

struct WktLine {
    std::vector<Vec<2>> points; // [m]
    Location where;             // in the text
};

struct WktRing {
    std::vector<Vec<2>> corners; // [m] each once: the first is not repeated at the end
    Location where;
};

// The outer ring, counter-clockwise, then the holes, clockwise. No ring meets itself or another one.
struct WktPolygon {
    std::vector<WktRing> rings;
    Location where;
};

struct WktGeometry {
    std::vector<WktLine> lines;
    std::vector<WktPolygon> polygons;
};

// InputError with all mistakes, each at its line and column in the text, with the key line[k] or polygon[k].ring[l]
// that counts from 0 in the order of the text. `file` is the name that they give the text.
WktGeometry read_wkt(std::string_view text, const std::string& file = {});

// The walls along lines and rings, from corner to corner.
std::vector<std::array<Vec<2>, 2>> walls_of(const WktGeometry& geometry);

// A room as one POLYGON: its outer ring is the walls around it, its holes are obstacles. InputError where the text is
// something else.
WktPolygon read_walkable_area(std::string_view text, const std::string& file = {});

} // namespace talus
