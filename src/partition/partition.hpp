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

} // namespace talus
