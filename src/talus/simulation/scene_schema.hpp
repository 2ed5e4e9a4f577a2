// The whole scene, assembled from the modules' own fragments, and the checks that need more than one key.
#pragma once

#include "talus/scene/schema.hpp"

#include <vector>

namespace talus {

// As the registries are now: a program may add to them.
scene::Schema scene_schema();

// Keys that have no effect are refused, but in the scene that a run has kept: the Talus that wrote it took them.
enum class IdleKeys { refuse, allow };

// Validates, converts to SI units and fills defaults; then checks what refers to something else (materials, bodies,
// boxes, masses). Every problem at once; none: the scene can be assembled.
std::vector<Mistake> check_scene(scene::Value& root, IdleKeys idle = IdleKeys::refuse);

} // namespace talus
