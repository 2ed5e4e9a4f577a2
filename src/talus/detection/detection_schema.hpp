// The keys of [detection] in a scene.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key detection_schema();

} // namespace talus
