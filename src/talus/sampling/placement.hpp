// Where grains start: on a lattice, or at random without overlap.
#pragma once

#include "talus/sampling/grain_source.hpp"

#include <functional>

namespace talus {

// Adds the grains of a generator of type "lattice" or "random" to the bodies. InputError where they do not fit.
template <int D>
void place_on_lattice(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                      ShapeTable<D>& shapes);
// ... where `is_allowed` says that a ball may be there; empty: everywhere in the box
template <int D>
using IsAllowed = std::function<bool(const Vec<D>& place, double radius)>;
template <int D>
void place_at_random(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                     ShapeTable<D>& shapes, const IsAllowed<D>& is_allowed);

} // namespace talus
