// Principal values and directions of a symmetric matrix of one, two or three rows. Compiled once: Eigen's solver takes
// the compiler seconds.
#pragma once

#include <Eigen/Core>

namespace talus {

template <int N>
struct Principal {
    Eigen::Matrix<double, N, 1> values;     // ascending
    Eigen::Matrix<double, N, N> directions; // in columns
};

template <int N>
Principal<N> principal(const Eigen::Matrix<double, N, N>& symmetric);

} // namespace talus
