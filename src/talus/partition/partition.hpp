// Who owns which body: the sub-domains of a sample (BALLAST ch. 4; MODEL §3, primal partition).
#pragma once

#include <cstdint>
#include <vector>

namespace talus {

struct Partition {
    int parts = 1;
    std::vector<std::int32_t> part; // of each body; −1: a wall or driven tool belongs to nobody. Empty: all in part 0
    std::vector<std::int32_t> rank; // of each body along a path that stays local in space. Empty: its index
};

inline constexpr std::int32_t on_interface = -1;

// The part of a contact between two bodies: their common one, or `on_interface`. A contact with a wall or a driven tool
// belongs to the grain's part.
inline std::int32_t home_of(const Partition& partition, std::int32_t candidate, std::int32_t antagonist)
{
    if (partition.part.empty()) return 0;
    const std::int32_t c = partition.part[std::size_t(candidate)], a = partition.part[std::size_t(antagonist)];
    if (c >= 0 && a >= 0 && c != a) return on_interface;
    const std::int32_t home = c >= 0 ? c : a;
    return home >= 0 ? home : 0; // two walls: nothing moves, wherever it is
}

} // namespace talus
