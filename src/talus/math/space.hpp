// All that differs between two and three dimensions: vectors, rotation rates, cross products, orientations.
// A rotation rate is a plain number in 2D and a vector in 3D; both are Eigen vectors of `angular<D>` components.
#pragma once

#include "talus/math/number.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>

namespace talus {

template <int D>
inline constexpr int angular = D*(D - 1) / 2; // components of a rotation rate
template <int D>
inline constexpr int freedoms = D + angular<D>; // degrees of freedom of a rigid body

// DontAlign: columns of 2D vectors must be plain arrays of doubles, whoever allocates them.
template <int D>
using Vec = Eigen::Matrix<double, D, 1, Eigen::DontAlign>;
template <int D>
using Ang = Eigen::Matrix<double, angular<D>, 1, Eigen::DontAlign>;
template <int D>
using Mat = Eigen::Matrix<double, D, D, Eigen::DontAlign>;
template <int D>
using AngMat = Eigen::Matrix<double, angular<D>, angular<D>, Eigen::DontAlign>;

// velocity of a point at `lever` from the centre of a body that turns at `spin`
TALUS_HD inline Vec<2> cross(const Ang<2>& spin, const Vec<2>& lever)
{
    return {-spin[0] * lever[1], spin[0] * lever[0]};
}
TALUS_HD inline Vec<3> cross(const Ang<3>& spin, const Vec<3>& lever)
{
    return {spin[1] * lever[2] - spin[2] * lever[1], spin[2] * lever[0] - spin[0] * lever[2],
            spin[0] * lever[1] - spin[1] * lever[0]};
}
// moment of a force (or impulse) applied at `lever` from the centre
TALUS_HD inline Ang<2> moment(const Vec<2>& lever, const Vec<2>& force)
{
    return Ang<2>(lever[0] * force[1] - lever[1] * force[0]);
}
TALUS_HD inline Ang<3> moment(const Vec<3>& lever, const Vec<3>& force) { return cross(lever, force); }

// Orientation of a body: the turn that brings its principal axes to where they are in the world.
template <int D>
class Rotation;

template <>
class Rotation<2> {
  public:
    static constexpr int size = 1;
    Rotation() = default;
    explicit Rotation(double angle) : angle_(angle) {}
    static Rotation from_vector(const Ang<2>& turn) { return Rotation(turn[0]); }

    Vec<2> operator*(const Vec<2>& v) const { return matrix() * v; }
    Mat<2> matrix() const
    {
        const double c = std::cos(angle_), s = std::sin(angle_);
        Mat<2> m;
        m << c, -s, s, c;
        return m;
    }
    // turned further by `turn` in the world frame: exact, and whole turns stay readable in the angle
    Rotation turned(const Ang<2>& turn) const { return Rotation(angle_ + turn[0]); }
    Rotation operator*(const Rotation& first) const { return Rotation(angle_ + first.angle_); }
    Rotation inverse() const { return Rotation(-angle_); }
    double angle() const { return angle_; }
    friend bool operator==(const Rotation&, const Rotation&) = default;

  private:
    double angle_ = 0; // [rad]
};

template <>
class Rotation<3> {
  public:
    static constexpr int size = 4;
    Rotation() = default;
    Rotation(double w, double x, double y, double z) : w_(w), x_(x), y_(y), z_(z) {}
    explicit Rotation(const Eigen::Quaterniond& q) : Rotation(q.w(), q.x(), q.y(), q.z()) {}
    static Rotation from_vector(const Ang<3>& turn) { return Rotation().turned(turn); }

    Eigen::Quaterniond quaternion() const { return {w_, x_, y_, z_}; }
    Vec<3> operator*(const Vec<3>& v) const { return quaternion()._transformVector(v); }
    Mat<3> matrix() const { return quaternion().toRotationMatrix(); }
    // turned further by the rotation vector `turn` in the world frame: the exact exponential, kept normalised
    Rotation turned(const Ang<3>& turn) const
    {
        const double half = 0.5 * turn.norm();
        const double sinc = half > 1e-8 ? std::sin(half) / half : 1.0 - half * half / 6.0;
        const Eigen::Quaterniond step(std::cos(half), 0.5 * sinc * turn[0], 0.5 * sinc * turn[1], 0.5 * sinc * turn[2]);
        return Rotation((step * quaternion()).normalized());
    }
    Rotation operator*(const Rotation& first) const
    {
        return Rotation((quaternion() * first.quaternion()).normalized());
    }
    Rotation inverse() const { return {w_, -x_, -y_, -z_}; }
    friend bool operator==(const Rotation&, const Rotation&) = default;

  private:
    double w_ = 1, x_ = 0, y_ = 0, z_ = 0;
};

// A spin carried along by a turn of its body.
inline Ang<2> turned_spin(const Rotation<2>&, const Ang<2>& spin) { return spin; }
inline Ang<3> turned_spin(const Rotation<3>& turn, const Ang<3>& spin) { return turn * spin; }

// Inertia in the world of a body with principal moments `principal`.
inline AngMat<2> inertia_in_world(const Rotation<2>&, const Ang<2>& principal) { return AngMat<2>(principal[0]); }
inline AngMat<3> inertia_in_world(const Rotation<3>& orientation, const Ang<3>& principal)
{
    const Mat<3> r = orientation.matrix();
    return r * principal.asDiagonal() * r.transpose();
}

// Spin of a body with principal moments `principal` and angular momentum `momentum` in the world.
inline Ang<2> spin_of_momentum(const Rotation<2>&, const Ang<2>& principal, const Ang<2>& momentum)
{
    return momentum / principal[0];
}
inline Ang<3> spin_of_momentum(const Rotation<3>& orientation, const Ang<3>& principal, const Ang<3>& momentum)
{
    const Mat<3> axes = orientation.matrix();
    return axes * (axes.transpose() * momentum).cwiseQuotient(principal);
}

// Torque in Euler's equations, −ω × L: in the plane there is none.
inline Ang<2> gyroscopic_torque(const Ang<2>&, const Ang<2>&) { return Ang<2>::Zero(); }
inline Ang<3> gyroscopic_torque(const Ang<3>& spin, const Ang<3>& momentum) { return cross(momentum, spin); }

// A symmetric matrix on rotation rates, packed.
template <int D>
struct SymmetricAng;
template <>
struct SymmetricAng<2> {
    double xx = 0;
    SymmetricAng() = default;
    explicit SymmetricAng(const AngMat<2>& m) : xx(m(0, 0)) {}
    TALUS_HD Ang<2> operator*(const Ang<2>& v) const { return Ang<2>(xx * v[0]); }
    SymmetricAng scaled(double by) const
    {
        SymmetricAng m = *this;
        m.xx *= by;
        return m;
    }
};
template <>
struct SymmetricAng<3> {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    SymmetricAng() = default;
    explicit SymmetricAng(const AngMat<3>& m)
        : xx(m(0, 0)), yy(m(1, 1)), zz(m(2, 2)), xy(m(0, 1)), xz(m(0, 2)), yz(m(1, 2))
    {
    }
    TALUS_HD Ang<3> operator*(const Ang<3>& v) const
    {
        return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2],
                xz * v[0] + yz * v[1] + zz * v[2]};
    }
    SymmetricAng scaled(double by) const
    {
        SymmetricAng m = *this;
        for (double* term : {&m.xx, &m.yy, &m.zz, &m.xy, &m.xz, &m.yz}) *term *= by;
        return m;
    }
};

// true where every axis through the centre is principal: the spin then never changes by itself
inline bool is_isotropic(const Ang<2>&) { return true; }
inline bool is_isotropic(const Ang<3>& principal)
{
    return principal[0] == principal[1] && principal[1] == principal[2];
}

// Volume (area in 2D) and moment of inertia per unit of mass of a ball.
template <int D>
inline double ball_volume(double radius)
{
    return D == 2 ? M_PI * radius * radius : 4.0 / 3.0 * M_PI * radius * radius * radius;
}
template <int D>
inline double ball_inertia(double mass, double radius)
{
    return (D == 2 ? 0.5 : 0.4) * mass * radius * radius;
}

// Any unit tangents that complete `normal` to a right-handed frame; continuous in the normal almost everywhere.
inline Mat<2> frame_of(const Vec<2>& normal)
{
    Mat<2> frame; // columns n, t
    frame.col(0) = normal;
    frame.col(1) = Vec<2>(-normal[1], normal[0]);
    return frame;
}
inline Mat<3> frame_of(const Vec<3>& normal)
{
    // Duff et al. 2017, "Building an orthonormal basis, revisited": no branch near the poles
    const double sign = std::copysign(1.0, normal[2]);
    const double a = -1.0 / (sign + normal[2]);
    const double b = normal[0] * normal[1] * a;
    Mat<3> frame; // columns n, t, s
    frame.col(0) = normal;
    frame.col(1) = Vec<3>(1.0 + sign * normal[0] * normal[0] * a, sign * b, -sign * normal[0]);
    frame.col(2) = Vec<3>(b, sign + normal[1] * normal[1] * a, -normal[1]);
    return frame;
}

} // namespace talus
