// How many grains of which size: between two sizes uniform by number or by volume of solid, or by a sieve curve, the
// share of the mass that passes each mesh, straight between its points over the logarithm of the size. A grain of
// size d has a mass ∝ d^D, so that the number of grains in a class is its mass over d^D.
#pragma once

#include "talus/base/random.hpp"

#include <vector>

namespace talus {

struct SievePoint {
    double size;    // [m] opening of the mesh
    double passing; // share of the mass, 0 to 1
};

template <int D>
class SizeDistribution {
  public:
    static SizeDistribution uniform(double smallest, double largest);
    static SizeDistribution by_volume(double smallest, double largest);
    // Sizes increase, shares rise from 0 to 1.
    static SizeDistribution sieved(const std::vector<SievePoint>& curve);

    // The size below which a share of the number of grains lies.
    double quantile(double share) const;
    double draw(Random& random) const; // takes no random number where all grains are equal
    double smallest() const { return smallest_; }
    double largest() const { return largest_; }

  private:
    SizeDistribution(double smallest, double largest) : smallest_(smallest), largest_(largest) {}

    // One class: n(d) ∝ d^−(power + 1) between two sizes; power −1 is uniform.
    struct Class {
        double from, to, power;
        double below; // share of the number in the classes before this one
        double share; // in this one
    };
    double smallest_, largest_;
    std::vector<Class> classes_;
};

} // namespace talus
