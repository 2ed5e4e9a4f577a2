#include "talus/probes/diameter_check.hpp"

#include <array>

namespace talus {

namespace {

// two unit vectors across the axis
template <int D>
std::array<Vec<D>, 2> plane_across(const Vec<3>& axis)
{
    if constexpr (D == 2) {
        return {Vec<2>::Unit(0), Vec<2>::Unit(1)};
    } else {
        const Mat<3> frame = frame_of(axis);
        return {frame.col(1), frame.col(2)};
    }
}

double size_of_cut(double radius, int dimension) { return dimension == 2 ? 2 * radius : M_PI * radius * radius; }

} // namespace

template <int D>
DiameterCheck check_diameters(const Region<D>& ball, const Mat<D>& stress, const Sample<D>& sample,
                              const ContactTable<D>& contacts, double dt, const Diameters& diameters)
{
    const auto [u, v] = plane_across<D>(diameters.axis);
    const double size = size_of_cut(ball.radius, D);
    DiameterCheck check;
    double error = 0, scale = 0;
    for (int k = 0; k < diameters.count; ++k) {
        const double angle = M_PI * k / diameters.count, c = std::cos(angle), s = std::sin(angle);
        const Vec<D> normal = c * u + s * v, tangent = -s * u + c * v;
        const Vec<D> measured = force_through<D>({ball.centre, normal, ball.radius}, sample, contacts, dt) / size;
        const Vec<D> predicted = stress * normal;
        check.diameters.push_back(
            {angle, normal.dot(measured), tangent.dot(measured), normal.dot(predicted), tangent.dot(predicted)});
        error += (measured - predicted).squaredNorm();
        scale += predicted.squaredNorm();
    }
    check.deviation = scale > 0 ? std::sqrt(error / scale) : 0;
    return check;
}

template DiameterCheck check_diameters(const Region<2>&, const Mat<2>&, const Sample<2>&, const ContactTable<2>&,
                                       double, const Diameters&);
template DiameterCheck check_diameters(const Region<3>&, const Mat<3>&, const Sample<3>&, const ContactTable<3>&,
                                       double, const Diameters&);

} // namespace talus
