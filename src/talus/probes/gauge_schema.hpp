// The keys of [[gauges]] in a scene.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key gauges_schema();

} // namespace talus
