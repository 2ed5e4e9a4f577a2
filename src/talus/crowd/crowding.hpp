// How fast people want to walk in a crowd: Weidmann's curve (Transporttechnik der Fussgänger, ETH Zürich, 1993),
//   v = v₀ (1 − exp(−γ (1/ρ − 1/ρ_max))),  γ = 1.913 1/m², ρ_max = 5.4 1/m²,
// for the density ρ of those ahead within the distance R, who count less the farther they are:
//   ρ = c Σ (1 − d/R) / (π R²/6)   over the half disk ahead,
// c for walls and for the room that bodies take. Nobody looks back: the first ones at a door have nobody ahead.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/detection/detector.hpp"

#include <span>

namespace talus {

class Crowding {
  public:
    explicit Crowding(double look_ahead) : reach_(look_ahead) {}
    double look_ahead() const { return reach_; } // [m] R; 0: people do not slow down

    // Who is near whom.
    void see(const BodyTable<2>& bodies, std::span<const Pair> pairs);
    // What the crowd leaves body i of its speed, `way` the unit vector along which it goes.
    double share_of_speed(const BodyTable<2>& bodies, std::size_t i, const Vec<2>& way) const;

  private:
    double density_ahead(const BodyTable<2>& bodies, std::size_t i, const Vec<2>& way) const; // [1/m²]

    double reach_;
    std::vector<std::int32_t> first_, near_; // of each body the others that it sees
};

} // namespace talus
