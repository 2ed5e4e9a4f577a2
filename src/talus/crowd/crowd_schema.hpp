// Keys of a scene with people: [crowd], [[exits]], [[lines]], [[doors]], [[walkers]].
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key crowd_schema();
scene::Key exits_schema();
scene::Key lines_schema();
scene::Key doors_schema();
scene::Key walkers_schema();

// Exits that walkers name must be there; in 3D nobody walks; lines have a length, and a method that counts there.
std::vector<Mistake> crowd_problems(const scene::Value& root);

} // namespace talus
