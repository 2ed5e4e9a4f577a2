// The shape of one body of a scene, from its keys or from a file.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/sampling/shape_files.hpp"
#include "talus/shapes/shape_table.hpp"

namespace talus {

// Adds the shape; `body`, whose orientation and freedoms are set, gets its place, its volume of density 1 in mass, and
// its inertia per unit of density. InputError with every fault of the shape.
template <int D>
void add_shape(ShapeTable<D>& shapes, const scene::Value& given, const ShapeFiles& files, Body<D>& body);

} // namespace talus
