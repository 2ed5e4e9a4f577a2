// A library of polyhedra with the statistics of railway ballast: sieve sizes of 25 to 50 mm by a grading curve, 12 to
// 40 vertices, elongation and flatness by triangular distributions. The same for the same seed and version.
#pragma once

#include "talus/sampling/random_grain.hpp"
#include "talus/sampling/size_distribution.hpp"

#include <cstdint>
#include <vector>

namespace talus {

// Raised whenever the same seed gives other grains.
inline constexpr int ballast_version = 1;

// Share of the mass that passes 25, 31.5, 40 and 50 mm: 0, 5, 35 and 100 %. At 31.5 and 40 mm within the bounds of
// EN 13450 for 31.5/50 ballast, of which 1 to 25 % and 30 to 65 % pass them; a library follows to about 0.5 %.
std::vector<SievePoint> ballast_grading();

GrainRecipe ballast_recipe();

struct BallastOrder {
    std::int64_t count = 996;
    std::uint64_t seed = 1;
    std::vector<SievePoint> sieve = ballast_grading(); // sizes increase, shares rise from 0 to 1
    GrainRecipe recipe = ballast_recipe();
};

// In their body frames, in random order of size, no two alike. InputError where no grain has the vertices and
// proportions that were drawn for it.
std::vector<Polytope<3>> ballast_grains(const BallastOrder& order);

} // namespace talus
