// Where grains start: on a lattice, or at random without overlap.
#pragma once

#include "talus/sampling/grain_source.hpp"

namespace talus {

// Adds the grains of a generator of type "lattice" or "random" to the bodies. InputError where they do not fit.
template <int D>
void place_on_lattice(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                      ShapeTable<D>& shapes);
template <int D>
void place_at_random(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                     ShapeTable<D>& shapes);

} // namespace talus
