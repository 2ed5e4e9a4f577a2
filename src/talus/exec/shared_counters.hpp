// Counters of a counting sort, filled from the back: after counting and an inclusive scan, each item takes the slot
// below its counter, and in the end every counter points to the first item of its bin.
#pragma once

#include "talus/exec/parallel.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace talus {

// Items ahead of the present one whose counters are fetched already: bins come in no order, each is a cache miss.
inline constexpr std::size_t prefetch_ahead = 24;

// The order inside a bin depends on the threads; whoever needs one sorts the bin.
class SharedCounters {
  public:
    // `items` to be counted: a loop over few of them stays on one thread
    SharedCounters(std::vector<std::uint32_t>& counters, std::size_t items)
        : counters_(counters), shared_(thread_count() > 1 && items > parallel_chunk)
    {
    }
    void count(std::size_t bin)
    {
        if (shared_) {
            std::atomic_ref(counters_[bin]).fetch_add(1, std::memory_order_relaxed);
        } else {
            ++counters_[bin];
        }
    }
    void scan()
    {
        talus::scan(counters_, [](std::uint32_t& counter, std::uint32_t before) { counter += before; });
    }
    void prefetch(std::size_t bin) const { __builtin_prefetch(&counters_[bin], 1); }
    std::uint32_t take(std::size_t bin)
    {
        if (shared_) return std::atomic_ref(counters_[bin]).fetch_sub(1, std::memory_order_relaxed) - 1;
        return --counters_[bin];
    }

  private:
    std::vector<std::uint32_t>& counters_;
    bool shared_;
};

} // namespace talus
