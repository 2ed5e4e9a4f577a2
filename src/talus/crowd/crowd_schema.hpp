// Keys of a scene with people: [crowd], [[exits]], [[doors]], [[walkers]].
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key crowd_schema();
scene::Key exits_schema();
scene::Key doors_schema();
scene::Key walkers_schema();

// Exits that walkers name must be there; in 3D nobody walks.
std::vector<Mistake> crowd_problems(const scene::Value& root);

} // namespace talus
