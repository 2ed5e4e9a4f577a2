// Bodies of a scene one by one: [[bodies]] become entries of the tables.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/scene/value.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

template <int D>
void add_body(Simulation<D>& simulation, const scene::Value& body, const ShapeFiles& files);

} // namespace talus
