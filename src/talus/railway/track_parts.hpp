// Sleepers, tools and gauges of a track as entries of a scene.
#pragma once

#include "talus/railway/track.hpp"

#include <span>

namespace talus {

// Entries of [[bodies]]: the sleepers (free to sink, kept upright) and, with their tips at `level`, the tools of a
// sleeper.
scene::Value::List sleeper_bodies(const Track& track, const scene::Value& given);
scene::Value::List tool_bodies(const Track& track, const scene::Value& given, std::size_t sleeper, double level);

// Entries of [[gauges]], at the places of BALLAST fig. 6.8-6.13. Of a single sleeper: `below` it down to the sub-layer
// (its gauge 2), `below left` and `below right` the same box to its sides along the track (1, 3), `crib right` and
// `crib left` beside it from its underside to its top (4, 5), `end right` and `end left` of it (6, 7). Of several:
// `below 1`,
// ..., and `crib 1-2`, ... between them. Motion of the sleepers, forces on sleepers and tools.
scene::Value::List track_gauges(const Track& track, std::span<const Vec<3>> sleeper_centres);

} // namespace talus
