// Convex grains drawn at random: points on a sphere, their hull, stretched until the box around it has the asked
// proportions, scaled to the asked sieve size. Angularity 0 spreads the points evenly (rounded grains), 1 leaves them
// where chance put them (large flat faces, sharp corners).
#pragma once

#include "talus/base/random.hpp"
#include "talus/sampling/grain_measures.hpp"

#include <optional>

namespace talus {

// From low to high, all values as frequent; with a most frequent value, a triangular distribution over the same range,
// of mean (low + mode + high)/3 and variance (low² + mode² + high² − low mode − low high − mode high)/18.
struct Interval {
    double low, high;
    std::optional<double> mode = {};   // within [low, high]
    double draw(Random& random) const; // takes one random number, none where low is high
};

struct GrainRecipe {
    int least_vertices, most_vertices;
    Interval elongation, flatness; // flatness is unused in 2D
    double angularity;             // 0 to 1
    int draw_vertices(Random& random) const;
};
inline constexpr int most_grain_vertices = 200;
inline constexpr double flattest_grain = 0.1;   // smallest elongation and flatness
inline constexpr double shape_tolerance = 0.01; // by which a grain may miss its elongation and flatness

// In its body frame (centre of mass, principal axes), with a number of vertices between the two bounds, no edge or
// dihedral angle close to nothing. InputError where no such grain exists, as a triangle as wide as long.
template <int D>
Polytope<D> random_grain(const GrainRecipe& recipe, double sieve_size, Random& random);

} // namespace talus
