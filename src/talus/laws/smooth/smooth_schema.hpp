// The keys of [dem], the section of smooth methods in a scene.
#pragma once

#include "talus/scene/schema.hpp"

namespace talus {

scene::Key dem_schema(std::vector<std::string> integrators);
// Keys of laws that were not picked.
std::vector<Mistake> idle_dem_keys(const scene::Value& root);

} // namespace talus
