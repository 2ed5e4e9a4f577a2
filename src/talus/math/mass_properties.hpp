// Volume (area in 2D), centre of mass and principal inertia of a homogeneous solid of density 1.
#pragma once

#include "talus/math/space.hpp"

namespace talus {

template <int D>
struct MassProperties {
    double volume = 0;               // [m³], [m²] in 2D
    Vec<D> centre = Vec<D>::Zero();  // [m]
    Rotation<D> axes;                // turns principal axes into the axes the solid was given in
    Ang<D> inertia = Ang<D>::Zero(); // principal moments about the centre, per unit of density
};

} // namespace talus
