// The keys of [[gauges]] in a scene.
#pragma once

#include "scene/schema.hpp"

namespace talus {

scene::Key gauges_schema();

} // namespace talus
