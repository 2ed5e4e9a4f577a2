// What a library of grains is like as a whole: spreads of shape and size, and its sieve curve by mass.
#pragma once

#include "talus/sampling/grain_measures.hpp"
#include "talus/sampling/size_distribution.hpp"

#include <vector>

namespace talus {

struct Spread {
    double least = 0, mean = 0, most = 0;
};

struct LibrarySummary {
    int dimension = 0;
    std::vector<GrainMeasures> grains; // as given
    Spread vertices, faces, elongation, flatness, sphericity, sieve_size, volume;
    std::vector<SievePoint> passing; // by mass, one point per grain, sizes ascending

    double size_passing(double share) const; // [m] d50 is size_passing(0.5)
    double share_passing(double size) const; // through a mesh of this opening
};

template <int D>
LibrarySummary summary_of(const std::vector<Polytope<D>>& grains);

// Openings of a series of sieves, ten to a decade (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8), that reaches from the
// largest which nothing passes to the smallest which all pass.
std::vector<double> sieve_openings(double smallest, double largest);

} // namespace talus
