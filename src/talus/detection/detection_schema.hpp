// The keys of [detection] in a scene.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key detection_schema();

// Keys that have no effect with the method. Takes any tree, validated or not.
std::vector<Mistake> idle_detection_keys(const scene::Value& root);

} // namespace talus
