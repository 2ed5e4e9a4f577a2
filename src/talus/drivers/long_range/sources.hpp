// What acts from afar as 1/r², and what is felt of it (FORCES: forces of long range). Of sources of strength s at y:
//   potential(x) = Σ s/ρ,   pull(x) = −∇ potential = Σ s (x − y)/ρ³,   ρ² = |x − y|² + softening²
// in space as in the plane. Charges repel: F = +k q pull. Masses attract: F = −G m pull.
#pragma once

#include "talus/math/lanes.hpp"
#include "talus/math/space.hpp"

#include <array>
#include <vector>

namespace talus {

template <int D>
struct Sources {
    std::vector<Vec<D>> place;    // [m] finite
    std::vector<double> strength; // [C] or [kg]

    std::size_t size() const { return place.size(); }
    friend bool operator==(const Sources&, const Sources&) = default;
};

// At each source, of all others.
template <int D>
struct Felt {
    std::vector<Vec<D>> pull;      // [C/m²] or [kg/m²]
    std::vector<double> potential; // [C/m] or [kg/m]

    void resize(std::size_t count)
    {
        pull.resize(count);
        potential.resize(count);
    }
};

} // namespace talus
