// The keys of [[generators]] in a scene: containers and grains made by the number.
#pragma once

#include "talus/scene/schema.hpp"

#include <vector>

namespace talus {

scene::Key generators_schema();

// Which keys go together: those of disks and spheres, of grains from a library, of grains drawn at random. Fills the
// defaults that depend on it. Works on any tree, also one in which the schema found problems.
std::vector<Problem> complete_generators(scene::Value& root);

} // namespace talus
