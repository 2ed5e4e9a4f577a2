// Pairs found in any order, by any number of threads, sorted by (first, second) in linear time: a counting sort by
// the first body, then a small sort within each row.
#pragma once

#include "talus/detection/detector.hpp"

namespace talus {

// Sorted pairs as compressed rows: the partners of body i are second[start[i]] ... second[start[i + 1] - 1].
struct PairRows {
    std::vector<std::uint32_t> start;
    std::vector<std::int32_t> second;
};

class PairSorter {
  public:
    // Buffers to append to, one per chunk of the caller's loop; they keep their memory from call to call.
    std::vector<std::vector<Pair>>& clear(std::size_t buffers);
    // Sorts all that the buffers hold; a pair found twice is kept once.
    void sort(std::size_t bodies, PairRows& rows);

  private:
    std::vector<std::vector<Pair>> found_;
};

void list_pairs(const PairRows& rows, std::vector<Pair>& pairs);

} // namespace talus
