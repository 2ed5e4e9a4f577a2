// The sort on threads: sorted, nothing lost, the same for any number of threads.
#include "talus/base/random.hpp"
#include "talus/exec/parallel_sort.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

namespace talus {
namespace {

TEST(ParallelSort, SortsAnyNumberOfItemsOnAnyNumberOfThreads)
{
    const int before = thread_count();
    for (const std::size_t count : {0u, 1u, 8192u, 8193u, 100003u}) { // around a run, and several merges
        std::vector<std::uint64_t> items(count), scratch;
        Random random(count + 1);
        for (std::uint64_t& item : items) item = random.bits() >> 44; // some are equal
        std::vector<std::uint64_t> expected = items;
        std::sort(expected.begin(), expected.end());
        for (const int threads : {1, 2, 3}) {
            set_thread_count(threads);
            std::vector<std::uint64_t> sorted = items;
            parallel_sort(sorted, scratch, std::less<>());
            EXPECT_EQ(sorted, expected) << count << " items on " << threads << " threads";
        }
    }
    set_thread_count(before);
}

} // namespace
} // namespace talus
