// Eight doubles at a time, whatever the machine: one AVX-512 register, or two halves of four lanes. Lane by lane the
// same operations in the same order, so the bits do not depend on which of the two is compiled (lanes.hpp for single
// halves).
#pragma once

#include "talus/math/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace talus {

inline constexpr int wide_count = 8;

struct Wide {
    Lanes low, high;
};
struct WideMask {
    LaneMask low, high;
};

#define TALUS_WIDE_OPERATOR(op)                                                                                        \
    TALUS_INLINE Wide operator op(const Wide& a, const Wide& b) { return {a.low op b.low, a.high op b.high}; }         \
    TALUS_INLINE Wide operator op(const Wide& a, double b) { return {a.low op b, a.high op b}; }                       \
    TALUS_INLINE Wide operator op(double a, const Wide& b) { return {a op b.low, a op b.high}; }
TALUS_WIDE_OPERATOR(+)
TALUS_WIDE_OPERATOR(-)
TALUS_WIDE_OPERATOR(*)
TALUS_WIDE_OPERATOR(/)
#undef TALUS_WIDE_OPERATOR
#define TALUS_WIDE_COMPARE(op)                                                                                         \
    TALUS_INLINE WideMask operator op(const Wide& a, const Wide& b) { return {a.low op b.low, a.high op b.high}; }     \
    TALUS_INLINE WideMask operator op(const Wide& a, double b) { return {a.low op b, a.high op b}; }
TALUS_WIDE_COMPARE(>)
TALUS_WIDE_COMPARE(<)
TALUS_WIDE_COMPARE(>=)
TALUS_WIDE_COMPARE(<=)
#undef TALUS_WIDE_COMPARE
TALUS_INLINE Wide operator-(const Wide& a) { return {-a.low, -a.high}; }
TALUS_INLINE WideMask operator&(const WideMask& a, const WideMask& b) { return {a.low & b.low, a.high & b.high}; }
TALUS_INLINE WideMask operator|(const WideMask& a, const WideMask& b) { return {a.low | b.low, a.high | b.high}; }
TALUS_INLINE WideMask operator!(const WideMask& a) { return {~a.low, ~a.high}; }

// a where the mask is true, else b
TALUS_INLINE Wide select(const WideMask& mask, const Wide& a, const Wide& b)
{
    return {mask.low ? a.low : b.low, mask.high ? a.high : b.high};
}

TALUS_INLINE bool any(const WideMask& m)
{
    const LaneMask four = m.low | m.high, two = four | __builtin_shufflevector(four, four, 2, 3, 0, 1);
    return (two[0] | two[1]) != 0;
}
TALUS_INLINE bool all(const WideMask& m) { return !any(!m); }

TALUS_INLINE Lanes sqrt(const Lanes& a)
{
    return Lanes{__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
}
TALUS_INLINE Wide sqrt(const Wide& a) { return {sqrt(a.low), sqrt(a.high)}; }

TALUS_INLINE Wide larger(const Wide& a, const Wide& b) { return select(a > b, a, b); }

TALUS_INLINE double largest_lane(const Wide& a)
{
    const Lanes four = a.low > a.high ? a.low : a.high;
    return std::max(std::max(four[0], four[1]), std::max(four[2], four[3]));
}

// Half by half: copied whole, eight lanes go through memory, and what was written in halves is slow to read at once.
TALUS_INLINE Wide load(const double* p) // aligned to 64 bytes
{
    using Half = const Lanes __attribute__((may_alias));
    return {*reinterpret_cast<Half*>(p), *reinterpret_cast<Half*>(p + lane_count)};
}
TALUS_INLINE void store(double* p, const Wide& a)
{
    using Half = Lanes __attribute__((may_alias));
    *reinterpret_cast<Half*>(p) = a.low;
    *reinterpret_cast<Half*>(p + lane_count) = a.high;
}
TALUS_INLINE Wide broadcast(double x) { return Wide{} + x; }

template <int N>
using WideVec = Components<Wide, N>;

TALUS_INLINE void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d)
{
    const Lanes ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}
// eight lines of eight become eight columns, and back
TALUS_INLINE void transpose(Wide m[8])
{
    transpose(m[0].low, m[1].low, m[2].low, m[3].low);
    transpose(m[4].high, m[5].high, m[6].high, m[7].high);
    transpose(m[0].high, m[1].high, m[2].high, m[3].high);
    transpose(m[4].low, m[5].low, m[6].low, m[7].low);
    for (int i = 0; i < 4; ++i) std::swap(m[i].high, m[i + 4].low);
}

} // namespace talus
