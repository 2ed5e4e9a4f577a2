// How long, wide and thick a convex grain is, and which sieve it passes. The box around a grain is the one of least
// volume that has a side on one of its faces (O'Rourke 1985; in 2D the one of least width): sides a ≥ b ≥ c. The
// grain passes a square mesh of opening b; its elongation is b/a, its flatness c/b.
#pragma once

#include "talus/shapes/polytope.hpp"

namespace talus {

template <int D>
struct GrainBox {
    Mat<D> axes; // columns, unit: along the longest side first
    Vec<D> size; // [m] descending
};

template <int D>
GrainBox<D> grain_box(const Polytope<D>& grain);
template <>
GrainBox<2> grain_box(const Polytope<2>& grain);
template <>
GrainBox<3> grain_box(const Polytope<3>& grain);

struct GrainMeasures {
    double sieve_size = 0; // [m] b
    double elongation = 1; // b/a
    double flatness = 1;   // c/b; 1 in 2D
    double volume = 0;     // [m³], [m²] in 2D
    double sphericity = 0; // surface (perimeter) of the ball of the same volume over that of the grain (Wadell 1935)
};

template <int D>
GrainMeasures measure_grain(const Polytope<D>& grain);

} // namespace talus
