// Keys that generators share: the box they fill, and what their grains are.
#pragma once

#include "talus/scene/schema.hpp"

#include <vector>

namespace talus {

std::vector<scene::Key> region_keys();
// The box, the grains, and the keys of one's own.
std::vector<scene::Key> grain_keys(std::vector<scene::Key> own);

// Which keys go together: those of disks and spheres, of grains from a library, of grains drawn at random. Fills the
// defaults that depend on it. Works on any tree, also one in which the schema found mistakes.
std::vector<Mistake> complete_generators(scene::Value& root);

} // namespace talus
