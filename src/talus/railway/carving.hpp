// The second stage of BALLAST annexe A: holes for the sleepers, a slope at the shoulder, the surface levelled to the
// number of grains or the height asked for, tools above the bed.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/railway/track.hpp"
#include "talus/shapes/shape_table.hpp"

#include <span>

namespace talus {

// One flag per body: 0 for the grains that are taken away.
std::vector<std::uint8_t> carved(const BodyTable<3>& bodies, const ShapeTable<3>& shapes, const Track& track,
                                 const scene::Value& given);

// The grains that rest on the floor become the sub-layer.
void fix_lowest_grains(BodyTable<3>& bodies, const ShapeTable<3>& shapes);

// [m] Highest point of the grains below the tools of these sleepers, and the tips' clearance above it.
double tool_level(const BodyTable<3>& bodies, const ShapeTable<3>& shapes, const Track& track,
                  std::span<const std::size_t> sleepers);

// Moves the tools to a sleeper, tips at `level`.
void place_tools(BodyTable<3>& bodies, const ShapeTable<3>& shapes, std::span<const std::int32_t> tools,
                 const Track& track, std::size_t sleeper, double level);

} // namespace talus
