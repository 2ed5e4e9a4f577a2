// The keys of [solver] in a scene.
#pragma once

#include "scene/schema.hpp"

namespace talus {

scene::Key solver_schema();

} // namespace talus
