// Rolling friction at a contact: a moment impulse m on the candidate, |m| ≤ μ_r r_n, against the relative spin ω. With
// P the projection on the ball of radius μ_r r_n the law holds where m = P(m − ω/λ), for any compliance λ > 0; where
// the spin that a moment gives is λ times that moment, as for round bodies, one such step is the exact solution.
#pragma once

#include "talus/math/number.hpp"

#include <cmath>

namespace talus {

// P(m − ω/λ); m itself, brought into the ball, where nothing gives way.
template <class Number, int N>
TALUS_HD TALUS_INLINE Components<Number, N> projected_moment(const Components<Number, N>& m,
                                                             const Components<Number, N>& spin,
                                                             const Number& compliance, const Number& limit)
{
    using std::sqrt;
    const Number zero{}, one = zero + 1.0;
    const auto turns = compliance > zero;
    const Number inverse = select(turns, one / select(turns, compliance, one), zero);
    Components<Number, N> target;
    Number size = zero;
    for (int i = 0; i < N; ++i) {
        target[i] = m[i] - spin[i] * inverse;
        size = size + target[i] * target[i];
    }
    size = sqrt(size);
    const Number shrink = select(size < limit, one, limit / select(size > zero, size, one));
    for (int i = 0; i < N; ++i) target[i] = target[i] * shrink;
    return target;
}

// Square of λ (m − P(m − ω/λ)): a spin, zero where the law holds.
template <class Number, int N>
TALUS_HD TALUS_INLINE Number rolling_map_squared(const Components<Number, N>& m, const Components<Number, N>& spin,
                                                 const Number& compliance, const Number& limit)
{
    const Components<Number, N> law = projected_moment(m, spin, compliance, limit);
    Number sum{};
    for (int i = 0; i < N; ++i) {
        const Number difference = compliance * (m[i] - law[i]);
        sum = sum + difference * difference;
    }
    return sum;
}

// Of a symmetric compliance, packed as xx or as xx yy zz xy xz yz: the mean over the axes, and a bound of the largest
// that is no larger than that for round bodies.
template <class Number>
TALUS_HD TALUS_INLINE Number mean_compliance(const Components<Number, 1>& c)
{
    return c[0];
}
template <class Number>
TALUS_HD TALUS_INLINE Number mean_compliance(const Components<Number, 6>& c)
{
    return (c[0] + c[1] + c[2]) * (1.0 / 3);
}
template <class Number>
TALUS_HD TALUS_INLINE Number compliance_bound(const Components<Number, 1>& c)
{
    return c[0];
}
template <class Number>
TALUS_HD TALUS_INLINE Number compliance_bound(const Components<Number, 6>& c)
{
    const Number xy = larger(c[3], -c[3]), xz = larger(c[4], -c[4]), yz = larger(c[5], -c[5]);
    return larger(larger(c[0] + xy + xz, c[1] + xy + yz), c[2] + xz + yz);
}

} // namespace talus
