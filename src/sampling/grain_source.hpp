// Grains by the number: how large they are, what they are made of, how they start.
#pragma once

#include "base/random.hpp"
#include "bodies/body_table.hpp"
#include "scene/value.hpp"
#include "shapes/shape_table.hpp"

namespace talus {

// Radii between two bounds, uniform by number, or uniform by volume of solid (density ∝ r^−D).
template <int D>
class RadiusDistribution {
  public:
    explicit RadiusDistribution(const scene::Value& generator);
    double draw(Random& random) const;
    double smallest() const { return smallest_; }
    double largest() const { return largest_; }
    double mean_volume() const; // of one grain

  private:
    double smallest_, largest_;
    bool by_volume_;
};

// Makes the grains of one generator.
template <int D>
class GrainSource {
  public:
    GrainSource(const scene::Value& generator, std::int32_t material, double density);
    const RadiusDistribution<D>& radii() const { return radii_; }
    void add(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Vec<D>& position, double radius) const;

  private:
    RadiusDistribution<D> radii_;
    std::int32_t material_;
    double density_; // [kg/m³], [kg/m²] in 2D
    Vec<D> velocity_;
    Ang<D> spin_;
};

} // namespace talus
