#include "talus/math/principal.hpp"

#include <Eigen/Eigenvalues>

namespace talus {

template <int N>
Principal<N> principal(const Eigen::Matrix<double, N, N>& symmetric)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> solver(symmetric);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

template Principal<1> principal(const Eigen::Matrix<double, 1, 1>&);
template Principal<2> principal(const Eigen::Matrix<double, 2, 2>&);
template Principal<3> principal(const Eigen::Matrix<double, 3, 3>&);

} // namespace talus
