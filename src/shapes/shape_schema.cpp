#include "shapes/shape_schema.hpp"

namespace talus {

using namespace scene;

std::vector<Variant> shape_variants()
{
    const Key radius = number("radius", "radius").in("m").above(0).required();
    const auto points = [](const char* doc) { return vectors("vertices", doc).in("m").required(); };
    return {
        {{"disk", 2, "sphere"}, "a disk", {radius}, {}, {}},
        {{"sphere", 3, "disk"}, "a sphere", {radius}, {}, {}},
        {{"half_space", 0, {}},
         "all that lies behind a plane (2D: a line) through `position`; no mass of its own",
         {vector("normal", "points out of the solid; of any length").nonzero().required()},
         {},
         {}},
        {{"segment", 0, {}},
         "a straight wall between two points, rounded by `radius`; no mass of its own",
         {vector("from", "one end").in("m").required(), vector("to", "the other end").in("m").required(),
          number("radius", "half the thickness").in("m").at_least(0).otherwise_zero()},
         {"position"},
         "its place is given by from and to"},
        {{"hollow_disk", 2, "hollow_sphere"},
         "the inside of a circle, a drum or bowl; no mass of its own",
         {radius},
         {},
         {}},
        {{"hollow_sphere", 3, "hollow_disk"}, "the inside of a sphere, a bowl; no mass of its own", {radius}, {}, {}},
        {{"hollow_cylinder", 3, "hollow_disk"},
         "the inside of an endless cylinder, a drum; no mass of its own",
         {radius, vector("axis", "direction of the axis; of any length").nonzero().required()},
         {},
         {}},
        {{"polygon", 2, "polyhedron"},
         "the convex hull of the vertices",
         {points("corners, relative to `position`").entries(3)},
         {},
         {}},
        {{"polyhedron", 3, "polygon"},
         "the convex hull of the vertices",
         {points("corners, relative to `position`").entries(4)},
         {},
         {}},
        {{"box", 0, {}},
         "a rectangle in 2D, a cuboid in 3D",
         {vector("size", "length of each edge").in("m").above(0).required()},
         {},
         {}},
    };
}

bool shape_has_mass(std::string_view shape)
{
    return shape != "half_space" && shape != "segment" && !shape.starts_with("hollow_");
}

} // namespace talus
