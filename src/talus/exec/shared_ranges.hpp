// Pieces of work in order, shared out to threads: each takes its own range from below, and when that is done, from the
// upper end of the range of another. Who does what depends on the moment; what is done must not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace talus {

class SharedRanges {
  public:
    SharedRanges(std::size_t count, int threads) : ranges_(std::size_t(threads))
    {
        for (std::size_t k = 0; k < ranges_.size(); ++k) {
            ranges_[k].ends = packed(count * k / ranges_.size(), count * (k + 1) / ranges_.size());
        }
    }

    // For this thread, one piece; none when all are taken.
    std::optional<std::size_t> next(int thread)
    {
        for (std::size_t k = 0; k < ranges_.size(); ++k) {
            const bool own = k == 0;
            std::atomic<std::uint64_t>& ends = ranges_[(std::size_t(thread) + k) % ranges_.size()].ends;
            std::uint64_t now = ends.load(std::memory_order_relaxed);
            while ((now >> 32) < (now & 0xffffffff)) {
                const std::uint64_t first = now >> 32, last = now & 0xffffffff;
                const std::uint64_t left = own ? packed(first + 1, last) : packed(first, last - 1);
                if (ends.compare_exchange_weak(now, left, std::memory_order_relaxed)) return own ? first : last - 1;
            }
        }
        return {};
    }

  private:
    static std::uint64_t packed(std::uint64_t first, std::uint64_t last) { return first << 32 | last; }
    struct alignas(64) Range {
        std::atomic<std::uint64_t> ends = 0; // first and behind the last
    };
    std::vector<Range> ranges_;
};

} // namespace talus
