// The different polygons or polyhedra that a generator makes its grains of: drawn at random as the scene describes
// them, or taken from a library file.
#pragma once

#include "talus/sampling/random_grain.hpp"
#include "talus/sampling/shape_files.hpp"
#include "talus/sampling/size_distribution.hpp"

#include <cstdint>

namespace talus {

// Whether a generator's grains are polygons or polyhedra.
bool has_corners(const scene::Value& generator);

// Sizes of a generator: diameters ("radius" is half of them) of balls, sieve sizes of polytopes.
template <int D>
SizeDistribution<D> sizes_of(const scene::Value& generator);

// `count` sizes that follow the distribution as closely as their number allows, in random order.
template <int D>
std::vector<double> random_sizes(const SizeDistribution<D>& sizes, std::int64_t count, Random& random);

// One grain of each of `count` such sizes.
template <int D>
std::vector<Polytope<D>> random_grains(const GrainRecipe& recipe, const SizeDistribution<D>& sizes, std::int64_t count,
                                       Random& random);

// In their body frames. InputError, by key, where the library cannot be used or no such grain exists.
template <int D>
std::vector<Polytope<D>> grain_shapes(const scene::Value& generator, const ShapeFiles& files, Random& random);

} // namespace talus
