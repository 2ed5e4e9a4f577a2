// Sleepers, tools and gauges of a track as entries of a scene.
#pragma once

#include "talus/railway/track.hpp"

#include <span>

namespace talus {

// Entries of [[bodies]]: the sleepers (free to sink, kept upright) and, with their tips at `level`, the tools of a
// sleeper.
scene::Value::List sleeper_bodies(const Track& track, const scene::Value& given);
scene::Value::List tool_bodies(const Track& track, const scene::Value& given, std::size_t sleeper, double level);

// Entries of [[gauges]], at the places of BALLAST fig. 6.8-6.13: of a single sleeper 2 below it down to the sub-layer,
// 1 and 3 the same box to its left and right, 4 and 5 beside it from its underside to its top, 6 and 7 at its ends; of
// several the box below each; motion of the sleepers and the forces on sleepers and tools.
scene::Value::List track_gauges(const Track& track, std::span<const Vec<3>> sleeper_centres);

} // namespace talus
