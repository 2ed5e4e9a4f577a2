// The keys of [[drivers]] in a scene: what the experimenter imposes.
#pragma once

#include "scene/schema.hpp"

namespace talus {

scene::Key drivers_schema();

} // namespace talus
