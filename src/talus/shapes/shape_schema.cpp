#include "talus/shapes/shape_schema.hpp"

#include <stdexcept>

namespace talus {

using namespace scene;

namespace {

struct LengthUnit {
    const char* name;
    double metres;
};
constexpr LengthUnit units[] = {{"m", 1}, {"dm", 0.1}, {"cm", 0.01}, {"mm", 0.001}, {"um", 1e-6}};

} // namespace

std::vector<std::string> length_units()
{
    std::vector<std::string> names;
    for (const LengthUnit& unit : units) names.push_back(unit.name);
    return names;
}

double metres_in(std::string_view unit)
{
    for (const LengthUnit& known : units) {
        if (unit == known.name) return known.metres;
    }
    throw std::logic_error("no such unit of length: " + std::string(unit));
}

std::vector<Variant> shape_variants()
{
    const Key radius = number("radius", "radius").in("m").above(0).required();
    const auto file = [](const char* doc) {
        return text("file", std::string(doc) + "; its path from the scene's folder");
    };
    const Key unit = choice("unit", "of the lengths in the file", length_units()).otherwise(Value("m"));
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
         {vectors("vertices", "corners, relative to `position`").in("m").entries(3).required()},
         {},
         {}},
        {{"polyhedron", 3, "polygon"},
         "the convex hull of the vertices, or of the points of a file",
         {vectors("vertices", "corners, relative to `position`").in("m").entries(4),
          file("STL or OBJ, instead of vertices"), unit},
         {},
         {}},
        {{"cluster", 0, {}},
         "several convex parts that move as one: a tool or a grain that is not convex",
         {vector_lists("parts", "corners of each part, relative to `position`").in("m").entries(1),
          file("OBJ (3D: or STL) whose objects are the convex parts, instead of parts"), unit},
         {},
         {}},
        {{"mesh", 3, "segment"},
         "a wall of triangles, open or closed, solid behind its faces; it turns about the centre of the box around it; "
         "no mass of its own",
         {file("STL or OBJ, relative to `position`").required(), unit},
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
    return shape != "half_space" && shape != "segment" && shape != "mesh" && !shape.starts_with("hollow_");
}

std::vector<Problem> shape_problems(const Value& body)
{
    std::vector<Problem> problems;
    const Value* shape = body.find("shape");
    if (!shape || !(shape->is_text("polyhedron") || shape->is_text("cluster"))) return problems;
    const char* key = shape->is_text("cluster") ? "parts" : "vertices";
    const Value *given = body.find(key), *file = body.find("file"), *unit = body.find("unit");
    if (given && file) {
        problems.push_back(problem_of_key(*file, "give either " + std::string(key) + " or a file, not both"));
    } else if (!given && !file) {
        problems.push_back(problem_of_missing(body, key, "missing; give " + std::string(key) + " or a file"));
    }
    if (!file && unit && unit->is_text() && !unit->is_text("m")) {
        problems.push_back(
            problem(*unit, "is the unit of a file, and there is none; lengths in a scene carry their own"));
    }
    return problems;
}

} // namespace talus
