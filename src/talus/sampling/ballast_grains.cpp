#include "talus/sampling/ballast_grains.hpp"

#include "talus/sampling/grain_shapes.hpp"

namespace talus {

std::vector<SievePoint> ballast_grading() { return {{0.025, 0}, {0.0315, 0.05}, {0.04, 0.35}, {0.05, 1}}; }

GrainRecipe ballast_recipe()
{
    const Interval elongation{0.45, 0.97, 0.75}, flatness{0.40, 0.97, 0.72}; // low, high, most frequent
    return {12, 40, elongation, flatness, 0.7};
}

std::vector<Polytope<3>> ballast_grains(const BallastOrder& order)
{
    Random random{order.seed};
    std::vector<Polytope<3>> grains;
    for (const double size : random_sizes<3>(SizeDistribution<3>::sieved(order.sieve), order.count, random)) {
        // settled before the first try: else shapes that are often drawn anew, long or of many vertices, were rarer
        const int vertices = order.recipe.draw_vertices(random);
        const double elongation = order.recipe.elongation.draw(random), flatness = order.recipe.flatness.draw(random);
        const GrainRecipe settled{
            vertices, vertices, {elongation, elongation}, {flatness, flatness}, order.recipe.angularity};
        grains.push_back(random_grain<3>(settled, size, random));
    }
    return grains;
}

} // namespace talus
