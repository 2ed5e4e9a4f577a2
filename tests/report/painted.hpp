// What tests of painted pages share: colours of pixels, and a fixture for builds with cairo.
#pragma once

#include "talus/report/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace talus::report {

inline Rgb colour_at(const Picture& picture, const Vec<2>& pixel)
{
    const auto column = std::size_t(pixel[0]), line = std::size_t(pixel[1]);
    const std::uint32_t value = picture.pixels[line * std::size_t(picture.width) + column];
    return {double(value >> 16 & 0xff) / 255, double(value >> 8 & 0xff) / 255, double(value & 0xff) / 255};
}

inline double difference(const Rgb& a, const Rgb& b)
{
    return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

class PaintedTest : public testing::Test {
  protected:
    void SetUp() override
    {
        if (!can_paint()) GTEST_SKIP() << "this build has no cairo";
    }
};

} // namespace talus::report
