// e^x eight at a time, with the same bits on every machine; the C library's differ from one to the next.
#pragma once

#include "talus/math/wide.hpp"

#include <bit>

namespace talus {

// To 3e-16 of it, for |x| ≤ 700: x = n ln 2 + r, |r| ≤ ln 2 / 2, and Taylor's sum for e^r, whose term in r^13 is below
// round-off.
TALUS_INLINE Lanes exp(const Lanes& x)
{
    constexpr double to_whole = 0x1.8p52; // added and taken off again it rounds; n is then in the last bits
    const Lanes shifted = x * 0x1.71547652b82fep0 + to_whole, n = shifted - to_whole;
    const Lanes r = (x - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b3ap-40; // ln 2 in two parts
    // even and odd terms apart: half as long a chain
    const Lanes s = r * r;
    const Lanes odd =
        1 + s * (1.0 / 6 + s * (1.0 / 120 + s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800)))));
    const Lanes even =
        1 +
        s * (0.5 + s * (1.0 / 24 + s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 + s * (1.0 / 479001600))))));
    const LaneMask power = (std::bit_cast<LaneMask>(shifted) << 52) + (1023LL << 52);
    return (even + r * odd) * std::bit_cast<Lanes>(power);
}
TALUS_INLINE Wide exp(const Wide& a) { return {exp(a.low), exp(a.high)}; }

} // namespace talus
