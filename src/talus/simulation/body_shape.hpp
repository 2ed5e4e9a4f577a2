// One kind of shape that a body of a scene can have: its name and keys, and how it is made of the primitives of
// shapes/.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/sampling/shape_files.hpp"
#include "talus/scene/kinds.hpp"
#include "talus/shapes/shape_table.hpp"

namespace talus {

// Adds primitives to `shapes` and sets the shape of `body`, which stands at its `position`, turned by its `rotation`.
// Where the frame of the shape lies otherwise, it moves and turns the body. `given` is an entry of [[bodies]].
template <int D>
using BodyShapeMaker = void (*)(const scene::Value& given, const ShapeFiles& files, ShapeTable<D>& shapes,
                                Body<D>& body);

// A shape of one dimension only has no maker for the other.
struct BodyShapeKind : scene::NamedKind<BodyShapeMaker> {
    std::string instead = {};   // what to take in the other dimension
    bool has_mass = true;       // of its own; walls have none
    std::string placed_by = {}; // keys that say where it is, instead of `position`
    std::vector<Mistake> (*mistakes)(const scene::Value& given) = nullptr; // of keys together, in any tree
};

// The registry; a program may add to it.
std::vector<BodyShapeKind>& body_shape_kinds();

// plain_shapes.cpp
BodyShapeKind disk_shape();
BodyShapeKind sphere_shape();
BodyShapeKind half_space_shape();
BodyShapeKind segment_shape();
BodyShapeKind hollow_disk_shape();
BodyShapeKind hollow_sphere_shape();
BodyShapeKind hollow_cylinder_shape();
// faceted_shapes.cpp
BodyShapeKind polygon_shape();
BodyShapeKind polyhedron_shape();
BodyShapeKind cluster_shape();
BodyShapeKind mesh_shape();
BodyShapeKind box_shape();

// The variants of [[bodies]], chosen by `shape`.
std::vector<scene::Variant> body_shape_variants();

// Adds the shape; `body`, whose orientation and freedoms are set, gets its place, its volume of density 1 in mass, and
// its inertia per unit of density. InputError with every fault of the shape.
template <int D>
void add_shape(const scene::Value& given, const ShapeFiles& files, ShapeTable<D>& shapes, Body<D>& body);

// The frame of a body is at its centre of mass, along its principal axes.
template <int D>
void move_to_frame(Body<D>& body, const MassProperties<D>& properties)
{
    body.position += body.orientation * properties.centre;
    body.orientation = body.orientation * properties.axes;
}

} // namespace talus
