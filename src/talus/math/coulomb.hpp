// The Signorini-Coulomb law at one contact, solved exactly: find r, v = b + W r with v_n ≥ 0, r_n ≥ 0, v_n r_n = 0,
// ‖r_t‖ ≤ μ r_n, and r_t = −μ r_n v_t/‖v_t‖ where the contact slides (MODEL §2; BALLAST §3.1).
// With the Schur complement S = W_tt − w_tn w_nt/w_nn diagonal, sliding is one equation in one unknown s ≥ 0:
// r_t(s) = −c/(S + s), c = b_t − (w_tn/w_nn) b_n, and ‖r_t(s)‖ = μ r_n(s).
#pragma once

#include "talus/math/space.hpp"

#include <limits>

namespace talus {

template <int D>
using Tangent = Eigen::Matrix<double, D - 1, 1, Eigen::DontAlign>;

// The diagonal block W_αα of the Delassus operator in a frame whose tangents diagonalise S.
template <int D>
struct LocalBlock {
    double normal = 0;         // w_nn [1/kg]
    double inverse_normal = 0; // 1/w_nn
    Tangent<D> coupling;       // w_tn / w_nn
    Tangent<D> schur;          // diagonal of S
    Tangent<D> inverse_schur;  // 1/S, 0 where S vanishes
    double friction = 0;       // μ

    // v − b
    TALUS_HD Vec<D> operator*(const Vec<D>& r) const
    {
        Vec<D> v;
        v[0] = normal * (r[0] + coupling.dot(r.template tail<D - 1>()));
        for (int i = 0; i < D - 1; ++i) v[i + 1] = schur[i] * r[i + 1] + coupling[i] * v[0];
        return v;
    }
    TALUS_HD double mean_diagonal() const { return (normal + schur.sum() + normal * coupling.squaredNorm()) / D; }
};

// Compliances below this share of trace(W_αα) are the round-off of missing freedoms. Rounding over rounding would be an
// impulse of any size.
inline constexpr double least_compliance = 1e-13;

// Turn the tangents of `frame` so that S is diagonal, and return the block. `delassus` is W_αα in the given frame.
template <int D>
LocalBlock<D> diagonalise(Mat<D>& frame, const Mat<D>& delassus, double friction);

// The sliding multiplier in 3D: s > 0 with ‖r_t(s)‖ = μ r_n(s), to round-off. `c` as above, `free_normal` = −b_n/w_nn >
// 0. Newton on 1/‖r_t‖ − 1/(μ r_n), which is linear in s for an isotropic block, kept inside a bracket.
TALUS_HD inline double sliding_multiplier(const LocalBlock<3>& block, const Tangent<3>& c, double free_normal)
{
    const double mu = block.friction;
    double low = 0, high = std::numeric_limits<double>::infinity();
    double s = c.norm() / (mu * free_normal) - 0.5 * (block.schur[0] + block.schur[1]);
    const double scale = block.schur[0] + block.schur[1];
    if (!(s > 0)) s = 1e-3 * scale;
    for (int iteration = 0; iteration < 60; ++iteration) {
        const double d0 = 1.0 / (block.schur[0] + s), d1 = 1.0 / (block.schur[1] + s);
        const double t0 = c[0] * d0, t1 = c[1] * d1; // −r_t
        const double tangential = std::sqrt(t0 * t0 + t1 * t1);
        const double normal = free_normal + block.coupling[0] * t0 + block.coupling[1] * t1;
        const double excess = tangential - mu * normal;
        if (std::abs(excess) <= 4e-16 * (tangential + mu * free_normal)) return s;
        (excess > 0 ? low : high) = s;
        double next;
        if (normal > 0) {
            const double tangential_slope = -(t0 * t0 * d0 + t1 * t1 * d1) / tangential;
            const double normal_slope = -(block.coupling[0] * t0 * d0 + block.coupling[1] * t1 * d1);
            const double value = 1.0 / tangential - 1.0 / (mu * normal);
            const double slope = -tangential_slope / (tangential * tangential) + normal_slope / (mu * normal * normal);
            next = s - value / slope;
        } else {
            next = -1;
        }
        if (!(next > low && next < high)) { // also catches what is not a number
            next = high < std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 2 * s + scale;
        }
        if (next == s) return s;
        s = next;
    }
    return s;
}

TALUS_HD inline double sliding_multiplier(const LocalBlock<2>& block, const Tangent<2>& c, double free_normal)
{
    // |c|/(S+s) = μ (free_normal + k c/(S+s)) is linear in 1/(S+s)
    const double mu = block.friction;
    const double reach = (std::abs(c[0]) - mu * block.coupling[0] * c[0]) / (mu * free_normal);
    return reach - block.schur[0];
}

// The exact solution r for the local free velocity b.
template <int D>
TALUS_HD inline Vec<D> solve_exactly(const LocalBlock<D>& block, const Vec<D>& b)
{
    if (b[0] >= 0) return Vec<D>::Zero(); // apart
    Vec<D> r;
    const double free_normal = -b[0] * block.inverse_normal;
    const Tangent<D> c = b.template tail<D - 1>() - block.coupling * b[0];
    // stick
    r.template tail<D - 1>() = -c.cwiseProduct(block.inverse_schur);
    r[0] = free_normal - block.coupling.dot(r.template tail<D - 1>());
    const double limit = block.friction * r[0];
    if (r[0] >= 0 && r.template tail<D - 1>().squaredNorm() <= limit * limit) return r;
    if (block.friction == 0) {
        r.setZero();
        r[0] = free_normal;
        return r;
    }
    // slide
    const double s = sliding_multiplier(block, c, free_normal);
    for (int i = 0; i < D - 1; ++i) r[i + 1] = -c[i] / (block.schur[i] + s);
    r[0] = r.template tail<D - 1>().norm() / block.friction;
    return r;
}

// One projected step from r: cheaper than the exact solution, and not the same thing. Normal first, then the tangential
// part with the new threshold.
template <int D>
TALUS_HD inline Vec<D> solve_by_projection(const LocalBlock<D>& block, const Vec<D>& b, const Vec<D>& r)
{
    const Vec<D> v = b + block * r;
    Vec<D> next;
    next[0] = r[0] - v[0] * block.inverse_normal;
    if (next[0] <= 0) return Vec<D>::Zero();
    const double shift = next[0] - r[0]; // the tangential velocity the normal change brings
    double size = 0;
    for (int i = 1; i < D; ++i) {
        const double slip = v[i] + block.coupling[i - 1] * block.normal * shift;
        next[i] = r[i] - slip * block.inverse_schur[i - 1];
        size += next[i] * next[i];
    }
    const double limit = block.friction * next[0];
    if (size > limit * limit) next.template tail<D - 1>() *= limit / std::sqrt(size);
    return next;
}

// Projection on Coulomb's cone ‖r_t‖ ≤ μ r_n, for the natural map.
template <int D>
TALUS_HD inline Vec<D> project_on_cone(const Vec<D>& r, double friction)
{
    const double tangential = r.template tail<D - 1>().norm();
    if (r[0] >= 0 && tangential <= friction * r[0]) return r;
    if (friction * tangential <= -r[0]) return Vec<D>::Zero();
    const double normal = (r[0] + friction * tangential) / (1 + friction * friction);
    Vec<D> projected;
    projected[0] = normal;
    projected.template tail<D - 1>() = r.template tail<D - 1>() * (friction * normal / tangential);
    return projected;
}

// Scaled natural map of the law at (r, v): a velocity, zero exactly at a solution (MODEL §2). The cone is homogeneous:
// ρ⁻¹ (r − P(r − ρ ṽ)) = ρ⁻¹ r − P(ρ⁻¹ r − ṽ), so only velocities meet.
template <int D>
TALUS_HD inline Vec<D> natural_map(const LocalBlock<D>& block, const Vec<D>& r, const Vec<D>& v)
{
    const Vec<D> scaled = block.mean_diagonal() * r; // ρ⁻¹ = trace(W_αα)/d
    Vec<D> associated = v;                           // de Saxcé's velocity
    associated[0] += block.friction * v.template tail<D - 1>().norm();
    return scaled - project_on_cone<D>(scaled - associated, block.friction);
}

} // namespace talus
