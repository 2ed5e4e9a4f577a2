// Grains by the number: which shape and size they have, what they are made of, how they start.
#pragma once

#include "talus/base/random.hpp"
#include "talus/bodies/body_table.hpp"
#include "talus/sampling/size_distribution.hpp"
#include "talus/scene/value.hpp"
#include "talus/shapes/shape_table.hpp"

#include <optional>

namespace talus {

// A grain that has no place yet.
struct Grain {
    double radius;          // [m] of the ball around its centre of mass that holds it
    std::int32_t shape = 0; // which of the source's shapes; unused by disks and spheres
};

// Makes the grains of one generator: balls, or polytopes that share a number of shapes.
template <int D>
class GrainSource {
  public:
    GrainSource(const scene::Value& generator, std::int32_t material, double density);
    // Adds the polytopes, which are in their body frames, to the shapes.
    GrainSource(const scene::Value& generator, std::int32_t material, double density,
                const std::vector<Polytope<D>>& polytopes, ShapeTable<D>& shapes);

    double largest() const { return largest_; } // [m] radius of the ball that holds any of the grains
    // The grain with this number: as many as there are shapes are all different, the others are drawn among them.
    Grain draw(std::int64_t number, Random& random) const;
    // Polytopes are turned at random.
    void add(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Vec<D>& position, const Grain& grain,
             Random& random) const;

    // Index of the first polytope among the shapes: what a checkpoint must carry.
    std::int32_t first_shape() const { return first_shape_; }
    void restore(std::int32_t first_shape) { first_shape_ = first_shape; }

  private:
    struct Solid {
        double radius; // [m]
        MassProperties<D> properties;
    };
    std::optional<SizeDistribution<D>> radii_; // of balls
    std::vector<Solid> solids_;                // of polytopes
    bool in_order_ = true;                     // the first ones; a library may be sorted, and is not taken in order
    std::int32_t first_shape_ = 0;
    double largest_ = 0;
    std::int32_t material_;
    double density_; // [kg/m³], [kg/m²] in 2D
    Vec<D> velocity_;
    double velocity_deviation_; // [m/s] of each component
    Ang<D> spin_;
};

} // namespace talus
