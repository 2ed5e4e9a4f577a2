#include "talus/math/coulomb.hpp"

namespace talus {

namespace {

// the angle that diagonalises the symmetric S; nothing to turn in 2D
void turn_tangents(Mat<2>&, const Eigen::Matrix<double, 1, 1>&) {}
void turn_tangents(Mat<3>& frame, const Eigen::Matrix<double, 2, 2>& schur)
{
    const double difference = schur(0, 0) - schur(1, 1);
    // round-off must not turn the tangents of an isotropic block
    if (std::hypot(difference, 2 * schur(0, 1)) <= 1e-13 * (schur(0, 0) + schur(1, 1))) return;
    const double angle = 0.5 * std::atan2(2 * schur(0, 1), difference);
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec<3> t = frame.col(1), u = frame.col(2);
    frame.col(1) = c * t + s * u;
    frame.col(2) = c * u - s * t;
}

} // namespace

template <int D>
LocalBlock<D> diagonalise(Mat<D>& frame, const Mat<D>& delassus, double friction)
{
    constexpr int T = D - 1;
    const Mat<D> given = frame;
    LocalBlock<D> block;
    block.friction = friction;
    block.normal = delassus(0, 0);
    const double round_off = least_compliance * delassus.trace();
    if (!(block.normal >
          std::max(round_off,
                   0.0))) { // nothing on either side can give way along the normal: the row carries no impulse
        block.normal = 0;
        block.coupling.setZero();
        block.schur.setZero();
        block.inverse_schur.setZero();
        return block;
    }
    block.inverse_normal = 1.0 / block.normal;
    const Eigen::Matrix<double, T, 1> side = delassus.template block<T, 1>(1, 0);
    const Eigen::Matrix<double, T, T> schur =
        delassus.template block<T, T>(1, 1) - side * (side * block.inverse_normal).transpose(); // no square of W
    turn_tangents(frame, schur);
    const Eigen::Matrix<double, T, T> turn = given.template rightCols<T>().transpose() * frame.template rightCols<T>();
    block.coupling = turn.transpose() * side * block.inverse_normal;
    block.schur = (turn.transpose() * schur * turn).diagonal();
    for (int i = 0; i < T; ++i) {
        if (!(block.schur[i] > round_off)) block.schur[i] = 0;
        block.inverse_schur[i] = block.schur[i] > 0 ? 1.0 / block.schur[i] : 0.0;
    }
    return block;
}

template LocalBlock<2> diagonalise(Mat<2>&, const Mat<2>&, double);
template LocalBlock<3> diagonalise(Mat<3>&, const Mat<3>&, double);

} // namespace talus
