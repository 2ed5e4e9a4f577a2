// The Signorini-Coulomb law at one contact, solved exactly: find r, v = b + W r with v_n ≥ 0, r_n ≥ 0, v_n r_n = 0,
// ‖r_t‖ ≤ μ r_n, and r_t = −μ r_n v_t/‖v_t‖ where the contact slides (MODEL §2; BALLAST §3.1).
// With the Schur complement S = W_tt − w_tn w_nt/w_nn diagonal, sliding is one equation in one unknown s ≥ 0:
// r_t(s) = −c/(S + s), c = b_t − (w_tn/w_nn) b_n, and ‖r_t(s)‖ = μ r_n(s).
#pragma once

#include "talus/math/space.hpp"

#include <limits>
#include <type_traits>

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

// Projection on Coulomb's cone ‖r_t‖ ≤ μ r_n.
template <class Number, int D>
TALUS_HD TALUS_INLINE Components<Number, D> project_on_cone(const Components<Number, D>& r, const Number& friction)
{
    using std::sqrt;
    const Number zero{}, one = zero + 1.0;
    Number size = zero;
    for (int i = 1; i < D; ++i) size = size + r[i] * r[i];
    size = sqrt(size);
    // inside, in the polar cone, or on the surface
    const Number limit = friction * r[0];
    const auto inside = (r[0] >= zero) & (size <= limit);
    const auto polar = friction * size <= -r[0];
    const Number height = select(polar, zero, (r[0] + friction * size) / (1.0 + friction * friction));
    const Number shrink = friction * height / select(size > zero, size, one);
    Components<Number, D> projected;
    for (int i = 0; i < D; ++i) projected[i] = select(inside, r[i], i == 0 ? height : r[i] * shrink);
    return projected;
}

// P(m r − ṽ) with de Saxcé's velocity ṽ = v + μ‖v_t‖ n: the velocity m r itself where the law holds, for any m > 0.
template <class Number, int D>
TALUS_HD TALUS_INLINE Components<Number, D> projected_velocity(const Components<Number, D>& r,
                                                               const Components<Number, D>& v, const Number& m,
                                                               const Number& friction)
{
    using std::sqrt;
    Number slip{};
    Components<Number, D> target;
    for (int i = 1; i < D; ++i) {
        slip = slip + v[i] * v[i];
        target[i] = m * r[i] - v[i];
    }
    target[0] = m * r[0] - (v[0] + friction * sqrt(slip));
    return project_on_cone(target, friction);
}

// The law at one contact, or at eight at once, from an impulse y and the velocity v that goes with it.
template <class Number, int D>
struct CoulombLaw {
    static constexpr int T = D - 1;
    using Vector = Components<Number, D>;
    using TangentialVector = Components<Number, T>;
    Number inverse_normal, friction;
    TangentialVector k, schur, inverse_schur; // k = w_tn/w_nn

    // y, brought into its cone along the tangent where it is not
    TALUS_HD TALUS_INLINE Vector in_cone(const Vector& y) const
    {
        using std::sqrt;
        const Number zero{}, one = zero + 1.0;
        Vector r;
        r[0] = larger(y[0], zero);
        Number size = zero;
        for (int i = 1; i < D; ++i) size = size + y[i] * y[i];
        size = sqrt(size);
        const Number limit = friction * r[0];
        const Number shrink = select(size > limit, limit / select(size > zero, size, one), one);
        for (int i = 1; i < D; ++i) r[i] = y[i] * shrink;
        return r;
    }

    // The exact solution; where it slides, to `accuracy`. Without the contact's own part, v leaves
    //   the normal impulse if nothing slid back   f = y_n + k·y_t − v_n/w_nn,
    //   the tangential free velocity              c = v_t − S y_t − k v_n.
    TALUS_HD TALUS_INLINE Vector solve(const Vector& y, const Vector& v, double accuracy) const
    {
        Number free = y[0] - v[0] * inverse_normal;
        TangentialVector c;
        for (int i = 0; i < T; ++i) {
            free = free + k[i] * y[i + 1];
            c[i] = v[i + 1] - schur[i] * y[i + 1] - k[i] * v[0];
        }
        return solve_free(free, c, y, accuracy);
    }

    // Apart where f ≤ 0; stick r_t = −S⁻¹c where ‖r_t‖ ≤ μ r_n; else slide r_t = −(S + s)⁻¹c with ‖r_t‖ = μ r_n.
    TALUS_HD TALUS_INLINE Vector solve_free(const Number& free, const TangentialVector& c, const Vector& y,
                                            double accuracy) const
    {
        const Number zero{};
        Vector r;
        r[0] = free;
        Number size = zero; // ‖r_t‖²
        for (int i = 0; i < T; ++i) {
            r[i + 1] = -(c[i] * inverse_schur[i]);
            r[0] = r[0] - k[i] * r[i + 1];
            size = size + r[i + 1] * r[i + 1];
        }
        const auto closed = free > zero;
        const Number limit = friction * r[0];
        const auto sticks = (r[0] >= zero) & (size <= limit * limit);
        const auto slides = closed & !sticks;
        if (all(closed & sticks)) return r;
        if (any(slides)) {
            const Vector sliding = slide(c, free, y, slides, accuracy);
            for (int i = 0; i < D; ++i) r[i] = select(slides, sliding[i], r[i]);
        }
        for (int i = 0; i < D; ++i) r[i] = select(closed, r[i], zero);
        return r;
    }

    // One projected step. W_αα = w_nn (1, k)(1, k)ᵀ + (0, S), so its largest eigenvalue is at most w_nn (1 + k²) +
    // max S: with a step of 2 over that, or 1 over its mean, nothing overshoots.
    TALUS_HD TALUS_INLINE Vector project(const Vector& y, const Vector& v) const
    {
        const Number zero{}, one = zero + 1.0;
        const auto real = inverse_normal > zero;
        Number along = one, across = schur[0], largest = schur[0];
        for (int i = 0; i < T; ++i) along = along + k[i] * k[i];
        for (int i = 1; i < T; ++i) {
            across = across + schur[i];
            largest = larger(largest, schur[i]);
        }
        along = along / select(real, inverse_normal, one);
        const Number m = larger((along + across) * (1.0 / D), 0.5 * (along + largest));
        const Vector velocity = projected_velocity(y, v, m, friction);
        Vector r;
        for (int i = 0; i < D; ++i) r[i] = select(real, velocity[i] / m, zero);
        return r;
    }

    // square of the scaled natural map at (r, v), 0 where nothing can give way
    TALUS_HD TALUS_INLINE Number residual_squared(const Vector& r, const Vector& v) const
    {
        const Number zero{}, one = zero + 1.0;
        const auto real = inverse_normal > zero;
        const Number normal = one / select(real, inverse_normal, one);
        Number mean = normal;
        for (int i = 0; i < T; ++i) mean = mean + schur[i] + normal * k[i] * k[i];
        mean = mean * (1.0 / D);
        const Vector law = projected_velocity(r, v, mean, friction);
        Number sum = zero;
        for (int i = 0; i < D; ++i) {
            const Number difference = mean * r[i] - law[i];
            sum = sum + difference * difference;
        }
        return select(real, sum, zero);
    }

  private:
    // one linear equation: |c|/(S+s) = μ (f + k c/(S+s))
    TALUS_HD TALUS_INLINE Vector slide(const Components<Number, 1>& c, const Number& free, const Components<Number, 2>&,
                                       const auto&, double) const
    {
        const Number one = Number{} + 1.0;
        const Number size = larger(c[0], -c[0]);
        const Number reach = (size - friction * k[0] * c[0]) / free; // μ (S + s)
        const Number normal = select(friction > 0, size / reach, free);
        const Number sign = select(c[0] > 0, -one, one);
        return {normal, sign * friction * normal};
    }

    // Newton on 1/‖r_t‖ − 1/(μ r_n), which is linear in s for an isotropic block, inside a bracket
    TALUS_HD TALUS_INLINE Vector slide(const Components<Number, 2>& c, const Number& free,
                                       const Components<Number, 3>& y, const auto& slides, double accuracy) const
    {
        using std::sqrt;
        const Number zero{}, one = zero + 1.0, infinite = zero + std::numeric_limits<double>::infinity();
        const Number scale = schur[0] + schur[1], reach = friction * free;
        Number low = zero, high = infinite;
        // what y says, which is right at the solution; else as if the block were isotropic. The squares of impulses
        // that have decayed to 1e-159 vanish: what they divide says nothing.
        const Number far = 1e20 * scale;
        const Number square_y = y[1] * y[1] + y[2] * y[2];
        Number s = -(y[1] * (c[0] + schur[0] * y[1]) + y[2] * (c[1] + schur[1] * y[2])) / square_y;
        const auto said = (s > zero) & (s < far);
        if (any(slides & !said)) {
            const Number guess = sqrt(c[0] * c[0] + c[1] * c[1]) / reach - 0.5 * scale;
            s = select(said, s, select((guess > zero) & (guess < far), guess, 1e-3 * scale));
        }
        Number t0, t1, tangential, normal;
        for (int iteration = 0;; ++iteration) {
            const Number a0 = schur[0] + s, a1 = schur[1] + s, inverse = 1.0 / (a0 * a1);
            const Number d0 = a1 * inverse, d1 = a0 * inverse;
            t0 = c[0] * d0; // −r_t
            t1 = c[1] * d1;
            const Number square = t0 * t0 + t1 * t1;
            tangential = sqrt(square);
            normal = free + k[0] * t0 + k[1] * t1;
            const Number excess = tangential - friction * normal;
            const auto open = slides & (friction > zero) & (larger(excess, -excess) > accuracy * (tangential + reach));
            if (iteration == 40 || !any(open)) break;
            low = select(excess > zero, s, low);
            high = select(excess > zero, high, s);
            const Number normal_slope = -(k[0] * t0 * d0 + k[1] * t1 * d1);
            const Number slope =
                (t0 * t0 * d0 + t1 * t1 * d1) * friction * normal * normal + normal_slope * square * tangential;
            const Number newton = s + excess * square * normal / slope;
            const Number bisection = select(high < infinite, 0.5 * (low + high), 2.0 * s + scale);
            const Number next = select((newton > low) & (newton < high) & (normal > zero), newton, bisection);
            if constexpr (std::is_same_v<Number, double>) {
                if (next == s) break; // to round-off: steps may vanish before the excess does
            }
            s = select(open, next, s);
        }
        normal = select(friction > zero, select(normal > zero, normal, zero), free);
        const Number shrink = -(friction * normal / select(tangential > zero, tangential, one));
        return {normal, select(friction > zero, t0 * shrink, zero), select(friction > zero, t1 * shrink, zero)};
    }
};

template <int N>
TALUS_HD TALUS_INLINE Components<double, N> components_of(const Eigen::Matrix<double, N, 1, Eigen::DontAlign>& v)
{
    Components<double, N> c;
    for (int i = 0; i < N; ++i) c[i] = v[i];
    return c;
}
template <int D>
TALUS_HD TALUS_INLINE Vec<D> vector_of(const Components<double, D>& c)
{
    Vec<D> v;
    for (int i = 0; i < D; ++i) v[i] = c[i];
    return v;
}

template <int D>
TALUS_HD TALUS_INLINE CoulombLaw<double, D> law_of(const LocalBlock<D>& block)
{
    return {block.inverse_normal, block.friction, components_of(block.coupling), components_of(block.schur),
            components_of(block.inverse_schur)};
}

// The exact solution r for the local free velocity b, to round-off.
template <int D>
TALUS_HD inline Vec<D> solve_exactly(const LocalBlock<D>& block, const Vec<D>& b)
{
    constexpr double round_off = 4e-16;
    if (b[0] >= 0) return Vec<D>::Zero(); // apart
    const Tangent<D> c = b.template tail<D - 1>() - block.coupling * b[0];
    return vector_of<D>(law_of(block).solve_free(-b[0] * block.inverse_normal, components_of(c), {}, round_off));
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

// Projection on Coulomb's cone.
template <int D>
TALUS_HD inline Vec<D> project_on_cone(const Vec<D>& r, double friction)
{
    return vector_of<D>(project_on_cone(components_of(r), friction));
}

// Scaled natural map of the law at (r, v): a velocity, zero exactly at a solution (MODEL §2). The cone is homogeneous:
// ρ⁻¹ (r − P(r − ρ ṽ)) = ρ⁻¹ r − P(ρ⁻¹ r − ṽ), so only velocities meet. ρ⁻¹ is the mean of W_αα's diagonal.
template <int D>
TALUS_HD inline Vec<D> natural_map(double mean, double friction, const Vec<D>& r, const Vec<D>& v)
{
    return mean * r - vector_of<D>(projected_velocity(components_of(r), components_of(v), mean, friction));
}
template <int D>
TALUS_HD inline Vec<D> natural_map(const LocalBlock<D>& block, const Vec<D>& r, const Vec<D>& v)
{
    return natural_map<D>(block.mean_diagonal(), block.friction, r, v);
}

} // namespace talus
