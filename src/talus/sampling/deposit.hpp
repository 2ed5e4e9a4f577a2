// A pile made by geometry alone: balls drop one after another at random places and roll down on those before, along
// the steepest way, until they rest on the floor or on as many supports as there are dimensions (Visscher and
// Bolsterli 1972). Of a few tries the lowest place is taken, so that the pile grows layer by layer.
#pragma once

#include "talus/sampling/grain_source.hpp"

namespace talus {

// Adds the grains of a generator of type "deposit" to the bodies. InputError where they do not fit.
template <int D>
void deposit(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
             ShapeTable<D>& shapes);

} // namespace talus
