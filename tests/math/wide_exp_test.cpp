// The exponential function, eight at a time.
#include "talus/base/random.hpp"
#include "talus/math/wide_exp.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

TEST(WideExp, IsTheExponentialToRoundOff)
{
    Random random(7);
    for (int trial = 0; trial < 20000; ++trial) {
        const double scale = std::exp(random.uniform(-20, 6.5));
        alignas(64) double x[wide_count], y[wide_count];
        for (double& value : x) value = random.uniform(-scale, scale);
        store(y, exp(load(x)));
        for (int k = 0; k < wide_count; ++k) {
            // both are rounded, and the reduction of x by n ln 2 is: two units in the last place each
            EXPECT_NEAR(y[k], std::exp(x[k]), 9e-16 * std::exp(x[k])) << x[k];
        }
    }
}

TEST(WideExp, IsOneAtZero)
{
    alignas(64) double y[wide_count];
    store(y, exp(Wide{}));
    for (const double value : y) EXPECT_EQ(value, 1);
}

} // namespace
} // namespace talus
