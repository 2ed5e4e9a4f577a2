// Shapes with flat sides: polygons and polyhedra, clusters of them, walls of triangles; from the scene or from a file.
#include "talus/sampling/library_grain.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/shapes/intersection.hpp"
#include "talus/shapes/length_units.hpp"
#include "talus/shapes/mesh_checks.hpp"
#include "talus/simulation/body_shape.hpp"

#include <fmt/format.h>

namespace talus {

using namespace scene;

namespace {

constexpr double largest_body = 1000; // [m] of one that comes from a file
constexpr double same_volume = 1e-6;  // of a part: what two parts may share by rounding

template <int D>
Polytope<D> hull_of(const Value& list)
{
    std::vector<Vec<D>> points;
    for (const Value& point : list.list()) points.push_back(vector_of<D>(point));
    try {
        return convex_hull<D>(points);
    } catch (const InputError& error) {
        throw InputError({mistake(list, error.what())});
    }
}

// Calls `take` for every object of the file and tells what it refuses at the key.
template <class Take>
void visit_objects(const Value& given, const ShapeFiles& files, Take&& take)
{
    const Value& file = given.at("file");
    std::vector<Mistake> mistakes;
    for (const NamedMesh& object : files.read(file, metres_in(given.at("unit").text()))) {
        try {
            take(object);
        } catch (const InputError& error) {
            for (const Mistake& found : error.mistakes()) mistakes.push_back(mistake(file, to_text(found)));
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

template <int D>
Polytope<D> hull_of_body(const Value& given, const ShapeFiles& files)
{
    if (!given.find("file")) return hull_of<D>(given.at("vertices"));
    NamedMesh all{"the hull of its points", {}, {}};
    visit_objects(given, files, [&](const NamedMesh& object) {
        all.mesh.vertices.insert(all.mesh.vertices.end(), object.mesh.vertices.begin(), object.mesh.vertices.end());
    });
    try {
        return hull_of_object<D>(all, largest_body);
    } catch (const InputError& error) {
        throw InputError({mistake(given.at("file"), error.what())});
    }
}

// Volume that parts share would count twice in the mass.
template <int D>
void refuse_common_volume(const Value& given, const std::vector<Polytope<D>>& parts)
{
    std::vector<Mistake> mistakes;
    const Vec<D> origin = Vec<D>::Zero();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const double common = intersection_volume<D>(parts[k], origin, {}, parts[i], origin, {});
            const double smaller = std::min(mass_properties(parts[k]).volume, mass_properties(parts[i]).volume);
            if (common <= same_volume * smaller) continue;
            mistakes.push_back(
                mistake(given.find("file") ? given.at("file") : given.at("parts"),
                        fmt::format("parts {} and {} overlap by {:.3g} % of the smaller: cut them apart, "
                                    "or give the mass of the body",
                                    k + 1, i + 1, 100 * common / smaller)));
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

template <int D>
std::vector<Polytope<D>> parts_of(const Value& given, const ShapeFiles& files)
{
    std::vector<Polytope<D>> parts;
    if (given.find("file")) {
        visit_objects(given, files,
                      [&](const NamedMesh& object) { parts.push_back(library_grain<D>(object, largest_body)); });
        return parts;
    }
    std::vector<Mistake> mistakes;
    for (const Value& part : given.at("parts").list()) {
        try {
            parts.push_back(hull_of<D>(part));
        } catch (const InputError& error) {
            mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return parts;
}

template <int D>
void set_solid(ShapeTable<D>& shapes, Body<D>& body, const Polytope<D>& solid)
{
    const MassProperties<D> properties = mass_properties(solid);
    move_to_frame(body, properties);
    body.shape = shapes.add_polytope(centred(solid, properties));
}

template <int D>
void make_hull(const Value& given, const ShapeFiles& files, ShapeTable<D>& shapes, Body<D>& body)
{
    set_solid(shapes, body, hull_of_body<D>(given, files));
}

template <int D>
void make_box(const Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    set_solid(shapes, body, box<D>(vector_of<D>(given.at("size"))));
}

template <int D>
void make_cluster(const Value& given, const ShapeFiles& files, ShapeTable<D>& shapes, Body<D>& body)
{
    std::vector<Polytope<D>> parts = parts_of<D>(given, files);
    if (!given.find("mass") && body.imposed != all_imposed<D>) refuse_common_volume(given, parts);
    const MassProperties<D> properties = mass_properties<D>(std::span<const Polytope<D>>(parts));
    move_to_frame(body, properties);
    for (Polytope<D>& part : parts) part = centred(part, properties);
    body.shape = shapes.add_cluster(std::move(parts));
}

// All objects of the file as one wall, about the centre of the box around them.
void make_mesh(const Value& given, const ShapeFiles& files, ShapeTable<3>& shapes, Body<3>& body)
{
    TriangleMesh wall;
    visit_objects(given, files, [&](const NamedMesh& object) {
        const auto first = std::int32_t(wall.vertices.size());
        wall.vertices.insert(wall.vertices.end(), object.mesh.vertices.begin(), object.mesh.vertices.end());
        for (auto triangle : object.mesh.triangles) {
            for (std::int32_t& vertex : triangle) vertex += first;
            wall.triangles.push_back(triangle);
        }
    });
    std::vector<Mistake> mistakes;
    for (const std::string& fault : mesh_faults(wall, {false, largest_body})) {
        mistakes.push_back(mistake(given.at("file"), fault));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    Vec<3> lower = wall.vertices[0], upper = lower;
    for (const Vec<3>& vertex : wall.vertices) {
        lower = lower.cwiseMin(vertex);
        upper = upper.cwiseMax(vertex);
    }
    const Vec<3> centre = 0.5 * (lower + upper);
    for (Vec<3>& vertex : wall.vertices) vertex -= centre;
    body.position += body.orientation * centre;
    body.shape = shapes.add_mesh(std::move(wall));
}

// Neither or both of two ways to give the shape.
std::vector<Mistake> mistakes_of_choice(const Value& given, const std::string& key)
{
    std::vector<Mistake> mistakes;
    const Value *direct = given.find(key), *file = given.find("file"), *unit = given.find("unit");
    if (direct && file) {
        mistakes.push_back(mistake_of_key(*file, "give either " + key + " or a file, not both"));
    } else if (!direct && !file) {
        mistakes.push_back(mistake_of_missing(given, key, "missing; give " + key + " or a file"));
    }
    if (!file && unit && unit->is_text() && !unit->is_text("m")) {
        mistakes.push_back(
            mistake(*unit, "is the unit of a file, and there is none; lengths in a scene carry their own"));
    }
    return mistakes;
}
std::vector<Mistake> mistakes_of_polyhedron(const Value& given) { return mistakes_of_choice(given, "vertices"); }
std::vector<Mistake> mistakes_of_cluster(const Value& given) { return mistakes_of_choice(given, "parts"); }

Key vertices_key(std::size_t least)
{
    return vectors("vertices", "corners, relative to `position`").in("m").entries(least);
}
Key file_key(const std::string& doc) { return text("file", doc + "; its path from the scene's folder"); }
Key unit_key() { return choice("unit", "of the lengths in the file", length_units()).otherwise(Value("m")); }

} // namespace

BodyShapeKind polygon_shape()
{
    return {{"polygon", "the convex hull of the vertices", {vertices_key(3).required()}, {make_hull<2>, nullptr}},
            "polyhedron"};
}

BodyShapeKind polyhedron_shape()
{
    return {{"polyhedron",
             "the convex hull of the vertices, or of the points of a file",
             {vertices_key(4), file_key("STL or OBJ, instead of vertices"), unit_key()},
             {nullptr, make_hull<3>}},
            "polygon",
            true,
            {},
            mistakes_of_polyhedron};
}

BodyShapeKind cluster_shape()
{
    return {{"cluster",
             "several convex parts that move as one: a tool or a grain that is not convex",
             {vector_lists("parts", "corners of each part, relative to `position`").in("m").entries(1),
              file_key("OBJ (3D: or STL) whose objects are the convex parts, instead of parts"), unit_key()},
             {make_cluster<2>, make_cluster<3>}},
            {},
            true,
            {},
            mistakes_of_cluster};
}

BodyShapeKind mesh_shape()
{
    return {{"mesh",
             "a wall of triangles, open or closed, solid behind its faces; it turns about the centre of the box around "
             "it; no mass of its own",
             {file_key("STL or OBJ, relative to `position`").required(), unit_key()},
             {nullptr, make_mesh}},
            "segment",
            false};
}

BodyShapeKind box_shape()
{
    return {{"box",
             "a rectangle in 2D, a cuboid in 3D",
             {vector("size", "length of each edge").in("m").above(0).required()},
             {make_box<2>, make_box<3>}}};
}

} // namespace talus
