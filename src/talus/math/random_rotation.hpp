// Orientations drawn at random, uniform over all rotations: an angle in 2D, a unit quaternion in 3D (Shoemake 1992).
#pragma once

#include "talus/base/random.hpp"
#include "talus/math/space.hpp"

namespace talus {

template <int D>
Rotation<D> random_rotation(Random& random);

template <>
inline Rotation<2> random_rotation<2>(Random& random)
{
    return Rotation<2>(random.uniform(0, 2 * M_PI));
}

template <>
inline Rotation<3> random_rotation<3>(Random& random)
{
    const double u = random.uniform(), v = random.uniform(0, 2 * M_PI), w = random.uniform(0, 2 * M_PI);
    const double a = std::sqrt(1 - u), b = std::sqrt(u);
    return {b * std::cos(w), a * std::sin(v), a * std::cos(v), b * std::sin(w)};
}

} // namespace talus
