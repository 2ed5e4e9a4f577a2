// Convex grains drawn at random: points on a sphere, their hull, stretched until the box around it has the asked
// proportions, scaled to the asked sieve size. Angularity 0 spreads the points evenly (rounded grains), 1 leaves them
// where chance put them (large flat faces, sharp corners).
#pragma once

#include "base/random.hpp"
#include "sampling/grain_measures.hpp"

namespace talus {

struct Interval {
    double low, high;
    double draw(Random& random) const { return low == high ? low : random.uniform(low, high); }
};

struct GrainRecipe {
    int least_vertices, most_vertices;
    Interval elongation, flatness; // flatness is unused in 2D
    double angularity;             // 0 to 1
};
inline constexpr int most_grain_vertices = 200;
inline constexpr double flattest_grain = 0.1;   // smallest elongation and flatness
inline constexpr double shape_tolerance = 0.01; // by which a grain may miss its elongation and flatness

// In its body frame (centre of mass, principal axes), with a number of vertices between the two bounds, no edge or
// dihedral angle close to nothing. InputError where no such grain exists, as a triangle as wide as long.
template <int D>
Polytope<D> random_grain(const GrainRecipe& recipe, double sieve_size, Random& random);

} // namespace talus
