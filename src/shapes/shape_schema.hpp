// The keys of each shape in a scene.
#pragma once

#include "scene/schema.hpp"

#include <vector>

namespace talus {

// The variants of [[bodies]], chosen by `shape`.
std::vector<scene::Variant> shape_variants();

// Whether a body of this shape has a mass of its own; walls have none.
bool shape_has_mass(std::string_view shape);

} // namespace talus
