// One function per indicator, each in the file of that name.
#pragma once

#include "talus/probes/indicator.hpp"

namespace talus {

// of regions
template <int D>
Indicator<D> compacity();
template <int D>
Indicator<D> interpenetration();
template <int D>
Indicator<D> coordination();
template <int D>
Indicator<D> contact_counts();
template <int D>
Indicator<D> velocities();
template <int D>
Indicator<D> stress();
template <int D>
Indicator<D> inertial_number();
template <int D>
Indicator<D> fabric();
template <int D>
Indicator<D> force_network();
template <int D>
Indicator<D> grain_load();
template <int D>
Indicator<D> granulometry();

// of bodies
template <int D>
Indicator<D> body_motion();
template <int D>
Indicator<D> body_reaction();

} // namespace talus
