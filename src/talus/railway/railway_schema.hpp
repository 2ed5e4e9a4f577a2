// The keys of [track] and [[operations]] in a scene (3D): a piece of ballasted track, and what is done to it.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key track_schema();
scene::Key operations_schema();

} // namespace talus
