// Four doubles at a time. Lane by lane the same operations in the same order as the scalar code, so the bits do not
// depend on how wide the machine is. Columns that are read by lanes are aligned and padded to whole lanes.
#pragma once

#include "talus/math/number.hpp"

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

// A hot function compiled for several instruction sets, chosen when the program starts. Not under a sanitizer: it
// would run before the sanitizer is ready.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
#define TALUS_WIDE __attribute__((flatten, target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TALUS_WIDE
#endif

namespace talus {

inline constexpr int lane_count = 4;
using Lanes = double __attribute__((vector_size(8 * lane_count)));
using LaneMask = long long __attribute__((vector_size(8 * lane_count)));

// One bit per lane that is true.
TALUS_INLINE unsigned mask_bits(const LaneMask& mask)
{
    const LaneMask bits = mask & LaneMask{1, 2, 4, 8};
    return unsigned((bits[0] | bits[1]) | (bits[2] | bits[3]));
}

inline constexpr int padded(int count) { return (count + lane_count - 1) / lane_count * lane_count; }

template <class T>
struct LaneAllocator {
    using value_type = T;
    LaneAllocator() = default;
    template <class U>
    LaneAllocator(const LaneAllocator<U>&)
    {
    }
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    friend bool operator==(const LaneAllocator&, const LaneAllocator&) { return true; }
};
using LaneColumn = std::vector<double, LaneAllocator<double>>;

} // namespace talus
