// What the schema cannot see of [track] and [[operations]]: parts that do not fit together, tools that would strike,
// forces and frequencies that cannot be.
#pragma once

#include "talus/base/error.hpp"
#include "talus/scene/value.hpp"

namespace talus {

// Every mistake of a scene whose sections are validated; scene.duration = "auto" becomes the end of the operations.
std::vector<Mistake> complete_railway(scene::Value& scene);

// Values outside the working ranges of tamping machines (BALLAST Table 1.1), by name.
std::vector<std::string> railway_warnings(const scene::Value& scene);

} // namespace talus
