// A polygon with holes as convex pieces that do not overlap: ear clipping (Meisters 1975), with a bridge to each hole,
// then pieces are joined as long as they stay convex (Hertel and Mehlhorn 1983): at most four times as many as needed.
#pragma once

#include "talus/crowd/wkt.hpp"

namespace talus {

// Corners of each, counter-clockwise.
std::vector<std::vector<Vec<2>>> convex_pieces(const WktPolygon& polygon);

} // namespace talus
