// Vectors of the scene's dimension, from validated values.
#pragma once

#include "talus/math/space.hpp"
#include "talus/scene/value.hpp"

namespace talus {

template <int D>
Vec<D> vector_of(const scene::Value& value)
{
    const std::vector<double> numbers = value.numbers();
    return Eigen::Map<const Eigen::Matrix<double, D, 1>>(numbers.data());
}

// A rotation rate, rotation vector or torque: a number in 2D, a list in 3D.
template <int D>
Ang<D> angular_of(const scene::Value& value)
{
    if (!value.is_list()) return Ang<D>::Constant(value.number());
    const std::vector<double> numbers = value.numbers();
    return Eigen::Map<const Eigen::Matrix<double, angular<D>, 1>>(numbers.data());
}

} // namespace talus
