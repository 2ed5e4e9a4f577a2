// Bodies and grains of a scene: [[bodies]] and [[generators]] become entries of the tables.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/scene/value.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

template <int D>
void add_body(Simulation<D>& simulation, const scene::Value& body, const ShapeFiles& files);

// A container, a lattice, grains at random, a deposit; a feeder becomes a driver. `number` tells generators apart in
// the seed.
template <int D>
void add_generator(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed, std::size_t number,
                   const ShapeFiles& files);

} // namespace talus
