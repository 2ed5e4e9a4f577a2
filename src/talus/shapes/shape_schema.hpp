// The keys of each shape in a scene.
#pragma once

#include "talus/scene/schema.hpp"

#include <vector>

namespace talus {

// The variants of [[bodies]], chosen by `shape`.
std::vector<scene::Variant> shape_variants();

// Whether a body of this shape has a mass of its own; walls have none.
bool shape_has_mass(std::string_view shape);

// Units that the lengths in a file of shapes may be in, and the metres in one of them.
std::vector<std::string> length_units();
double metres_in(std::string_view unit);

// What is wrong with the keys of a body together: neither or both of two ways to give its shape.
std::vector<Problem> shape_problems(const scene::Value& body);

} // namespace talus
