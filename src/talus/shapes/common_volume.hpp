// The volume V that a convex polytope shares with other convex solids, and how it changes as they move: what a contact
// force with a potential U(V) needs (Feng 2021, energy-conserving contact). Where the first solid moves by u and turns
// by θ about a point O, dV = −u·∮ n dA − θ·∮ (x − O) × n dA, the integrals over the surface of the second inside the
// first, n outward. Areas in 2D, as everywhere.
#pragma once

#include "talus/shapes/intersection.hpp"

namespace talus {

template <int D>
struct CommonVolume {
    double volume = 0;                   // [m³] 0 where they are apart, and then nothing else counts
    Vec<D> area = Vec<D>::Zero();        // [m²] ∮ n dA: it points to the first solid
    Vec<D> point = Vec<D>::Zero();       // [m] in the world, where it acts: ∮ (x − point) × n dA = twist
    Ang<D> twist = Ang<D>::Zero();       // [m³] along the area; 0 in 2D and against a plane
    Vec<D> apart_along = Vec<D>::Zero(); // where V = 0: a direction from the first to the second that parts them, or 0
};

template <int D>
CommonVolume<D> common_volume(const PlacedPolytope<D>& first, const PlacedPolytope<D>& second);
// With a half-space through `position`.
template <int D>
CommonVolume<D> common_volume(const PlacedPolytope<D>& first, const Vec<D>& position, const Vec<D>& normal);

// [m²] the largest shadow of a polytope along the normals of its faces.
template <int D>
double largest_shadow(const Polytope<D>& polytope);

} // namespace talus
