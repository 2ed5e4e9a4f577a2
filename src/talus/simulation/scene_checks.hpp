// What one key alone cannot tell: references, pairs of corners, masses, names. Works on any tree, also one in which the
// schema found mistakes, so that all are reported at once.
#pragma once

#include "talus/scene/value.hpp"

#include <vector>

namespace talus {

std::vector<Mistake> cross_checks(const scene::Value& root);

} // namespace talus
