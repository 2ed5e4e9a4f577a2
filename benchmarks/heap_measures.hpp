// What a heap around the vertical axis shows (MOREAU §4.3): its slope, the forces through cuts of its flanks, and the
// directions of its contacts, as in its radial plane and summed over all flanks: two in 2D, eight sectors in 3D.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <array>

namespace talus::bench {

// A straight flank, height = top − r tan(slope), by least squares on the highest grain of each column. Columns between
// a fifth and four fifths of the way down: not the rounded top, not the scattered foot.
struct Flank {
    double slope = 0, top = 0; // [rad], [m]
    double foot() const;       // [m] radius where it meets the floor
    double height(double r) const;
};

// In the radial plane: outward and up.
using RadialForce = Vec<2>; // [N]

struct HeapForces {
    RadialForce vertical_cut = RadialForce::Zero(); // outer part on the inner, through upright cuts of the flanks
    RadialForce parallel_cut = RadialForce::Zero(); // upper part on the lower, through cuts along the surface
    Mat<2> fabric = Mat<2>::Zero();                 // Σ n⊗n of the contacts that push, within the flanks
    std::array<double, 36> rose{};                  // the same contacts, counted by direction over half a turn
    double contacts = 0;
    int instants = 0;

    void add(const HeapForces& other);
    double vertical_cut_angle() const; // [rad] of the thrust above the horizontal
    double parallel_cut_tilt() const;  // [rad] from the downward vertical, outward
    double anisotropy() const;         // a of the rose 1 + a cos 2(θ − direction)
    double direction() const;          // [rad] of most normals above the outward horizontal, −π/2 to π/2
};

template <int D>
Flank mean_flank(const Simulation<D>& simulation, double grain_diameter);

template <int D>
HeapForces heap_forces(const Simulation<D>& simulation, const Flank& flank);

} // namespace talus::bench
