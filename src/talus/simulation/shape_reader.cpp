#include "talus/simulation/shape_reader.hpp"

#include "talus/sampling/library_grain.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/shapes/intersection.hpp"
#include "talus/shapes/mesh_checks.hpp"
#include "talus/shapes/shape_schema.hpp"

#include <fmt/format.h>

namespace talus {

namespace {

constexpr double largest_body = 1000; // [m] of one that comes from a file
constexpr double same_volume = 1e-6;  // of a part: what two parts may share by rounding

template <int D>
Polytope<D> hull_of(const scene::Value& list)
{
    std::vector<Vec<D>> points;
    for (const scene::Value& point : list.list()) points.push_back(vector_of<D>(point));
    try {
        return convex_hull<D>(points);
    } catch (const InputError& error) {
        throw InputError({problem(list, error.what())});
    }
}

// Calls `take` for every object of the file and tells what it refuses at the key.
template <class Take>
void visit_objects(const scene::Value& given, const ShapeFiles& files, Take&& take)
{
    const scene::Value& file = given.at("file");
    std::vector<Problem> problems;
    for (const NamedMesh& object : files.read(file, metres_in(given.at("unit").text()))) {
        try {
            take(object);
        } catch (const InputError& error) {
            for (const Problem& found : error.problems()) problems.push_back(problem(file, to_text(found)));
        }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
}

template <int D>
Polytope<D> solid_of(const scene::Value& given, const ShapeFiles& files)
{
    if (given.at("shape").is_text("box")) return box<D>(vector_of<D>(given.at("size")));
    if (!given.find("file")) return hull_of<D>(given.at("vertices"));
    NamedMesh all{"the hull of its points", {}, {}};
    visit_objects(given, files, [&](const NamedMesh& object) {
        all.mesh.vertices.insert(all.mesh.vertices.end(), object.mesh.vertices.begin(), object.mesh.vertices.end());
    });
    try {
        return hull_of_object<D>(all, largest_body);
    } catch (const InputError& error) {
        throw InputError({problem(given.at("file"), error.what())});
    }
}

// Volume that parts share would count twice in the mass.
template <int D>
void refuse_common_volume(const scene::Value& given, const std::vector<Polytope<D>>& parts)
{
    std::vector<Problem> problems;
    const Vec<D> origin = Vec<D>::Zero();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const double common = intersection_volume<D>(parts[k], origin, {}, parts[i], origin, {});
            const double smaller = std::min(mass_properties(parts[k]).volume, mass_properties(parts[i]).volume);
            if (common <= same_volume * smaller) continue;
            problems.push_back(
                problem(given.find("file") ? given.at("file") : given.at("parts"),
                        fmt::format("parts {} and {} overlap by {:.3g} % of the smaller: cut them apart, "
                                    "or give the mass of the body",
                                    k + 1, i + 1, 100 * common / smaller)));
        }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
}

template <int D>
std::vector<Polytope<D>> parts_of(const scene::Value& given, const ShapeFiles& files)
{
    std::vector<Polytope<D>> parts;
    if (given.find("file")) {
        visit_objects(given, files,
                      [&](const NamedMesh& object) { parts.push_back(library_grain<D>(object, largest_body)); });
        return parts;
    }
    std::vector<Problem> problems;
    for (const scene::Value& part : given.at("parts").list()) {
        try {
            parts.push_back(hull_of<D>(part));
        } catch (const InputError& error) {
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
        }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    return parts;
}

// The frame of a body is at its centre of mass, along its principal axes.
template <int D>
void move_to_frame(Body<D>& body, const MassProperties<D>& properties)
{
    body.position += body.orientation * properties.centre;
    body.orientation = body.orientation * properties.axes;
}

template <int D>
void add_cluster(ShapeTable<D>& shapes, const scene::Value& given, const ShapeFiles& files, Body<D>& body)
{
    std::vector<Polytope<D>> parts = parts_of<D>(given, files);
    if (!given.find("mass") && body.imposed != all_imposed<D>) refuse_common_volume(given, parts);
    const MassProperties<D> properties = mass_properties<D>(std::span<const Polytope<D>>(parts));
    move_to_frame(body, properties);
    for (Polytope<D>& part : parts) part = centred(part, properties);
    body.shape = shapes.add_cluster(std::move(parts));
}

// All objects of the file as one wall, about the centre of the box around them.
template <int D>
void add_mesh(ShapeTable<D>& shapes, const scene::Value& given, const ShapeFiles& files, Body<D>& body)
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
    std::vector<Problem> problems;
    for (const std::string& fault : mesh_faults(wall, {false, largest_body})) {
        problems.push_back(problem(given.at("file"), fault));
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    Vec<3> lower = wall.vertices[0], upper = lower;
    for (const Vec<3>& vertex : wall.vertices) {
        lower = lower.cwiseMin(vertex);
        upper = upper.cwiseMax(vertex);
    }
    const Vec<3> centre = 0.5 * (lower + upper);
    for (Vec<3>& vertex : wall.vertices) vertex -= centre;
    body.position += body.orientation * Vec<D>(centre.head<D>());
    body.shape = shapes.add_mesh(std::move(wall));
}

} // namespace

template <int D>
void add_shape(ShapeTable<D>& shapes, const scene::Value& given, const ShapeFiles& files, Body<D>& body)
{
    const std::string& shape = given.at("shape").text();
    if (shape == "segment") {
        const Vec<D> from = vector_of<D>(given.at("from")), to = vector_of<D>(given.at("to"));
        body.position = 0.5 * (from + to);
        const Vec<D> half = body.orientation.inverse() * Vec<D>(0.5 * (to - from));
        body.shape = shapes.add_segment(half, given.at("radius").number());
        return;
    }
    body.position = vector_of<D>(given.at("position"));
    if (shape == "disk" || shape == "sphere") {
        body.shape = shapes.add_ball(given.at("radius").number());
    } else if (shape == "half_space") {
        body.shape = shapes.add_half_space(vector_of<D>(given.at("normal")));
    } else if (shape == "hollow_disk" || shape == "hollow_sphere") {
        body.shape = shapes.add_hollow_ball(given.at("radius").number());
    } else if (shape == "hollow_cylinder") {
        body.shape = shapes.add_hollow_cylinder(given.at("radius").number(), vector_of<D>(given.at("axis")));
    } else if (shape == "cluster") {
        add_cluster(shapes, given, files, body);
    } else if (shape == "mesh") {
        add_mesh(shapes, given, files, body);
    } else {
        const Polytope<D> solid = solid_of<D>(given, files);
        const MassProperties<D> properties = mass_properties(solid);
        move_to_frame(body, properties);
        body.shape = shapes.add_polytope(centred(solid, properties));
    }
    const MassProperties<D> properties = mass_properties(shapes, body.shape);
    body.mass = properties.volume;
    body.inertia = properties.inertia;
}

template void add_shape(ShapeTable<2>&, const scene::Value&, const ShapeFiles&, Body<2>&);
template void add_shape(ShapeTable<3>&, const scene::Value&, const ShapeFiles&, Body<3>&);

} // namespace talus
