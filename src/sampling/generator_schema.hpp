// The keys of [[generators]] in a scene: containers and grains made by the number.
#pragma once

#include "scene/schema.hpp"

namespace talus {

scene::Key generators_schema();

} // namespace talus
