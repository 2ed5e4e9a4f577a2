// Where a value stands that no line of a file holds: a default, an override, a scene written in C++.
#pragma once

#include "talus/scene/value.hpp"

#include <string>

namespace talus::scene {

// The value and all below it get their keys; `file` is what a message names as the place.
void place(Value& value, const std::string& path, const std::string& file);

} // namespace talus::scene
