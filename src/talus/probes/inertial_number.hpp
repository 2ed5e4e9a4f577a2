// How fast a gauge deforms, and its inertial number (BALLAST §6.2.3): I = ε̇ √(m/(p d)) in 3D, ε̇ √(m/p) in 2D, with the
// mean mass m and diameter d of its grains and its pressure p. BALLAST prints ε̇ √(m/p) in 3D too, which has the
// dimension √m and is some five times smaller for grains of 4 cm: both are given, named apart.
#pragma once

#include "talus/probes/view.hpp"

#include <optional>
#include <string_view>

namespace talus {

// Velocity gradient of the affine motion that fits the centres of the grains best; none with fewer than D + 1 grains,
// or where their centres lie in a plane.
template <int D>
std::optional<Mat<D>> velocity_gradient(const View<D>& view);

// static below 1e-3, quasi-static to 1e-1, dynamic above
std::string_view regime_of(double inertial_number);

} // namespace talus
