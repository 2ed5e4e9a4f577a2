// Checks of polygons: rings that meet themselves or one another, holes outside.
#pragma once

#include "talus/crowd/wkt.hpp"

namespace talus {

// Twice the area of the triangle a, b, c; positive where it runs counter-clockwise.
inline double turn_of(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c)
{
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// [m²] positive where the ring runs counter-clockwise.
double signed_area(const std::vector<Vec<2>>& corners);

// true where the two segments have a point in common
bool segments_meet(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d);

bool is_within(const std::vector<Vec<2>>& ring, const Vec<2>& point);

// What is wrong with the rings of a polygon, whose key is given; nothing where they are as WktPolygon says, whichever
// way they run.
std::vector<Mistake> mistakes_of_rings(const WktPolygon& polygon, const std::string& key);

} // namespace talus
