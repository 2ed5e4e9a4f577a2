// The force through an imagined cut of the sample, as in MOREAU §4: a contact force f on a grain flows along the
// straight line from its centre x to the contact x_c, and counts f sign((x_c − x)·n) where that line crosses the cut.
// Over parallel cuts this adds up to the internal moments: ∫ F ds = Σ M n.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/probes/sample.hpp"

#include <limits>

namespace talus {

// A segment in 2D, a disk in 3D; a line or a plane where the radius is infinite.
template <int D>
struct PlaneCut {
    Vec<D> centre;
    Vec<D> normal;                                           // unit
    double radius = std::numeric_limits<double>::infinity(); // [m] half the length of a segment
};

// [N] that the material on the side of the normal exerts on the other, from the impulses of a step of length dt.
// Forces flow through grains alone: walls and fixed bodies have no inside.
template <int D>
Vec<D> force_through(const PlaneCut<D>& cut, const Sample<D>& sample, const ContactTable<D>& contacts, double dt);

} // namespace talus
