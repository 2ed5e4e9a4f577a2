// The keys of event-driven dynamics in a scene.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key event_schema();

} // namespace talus
