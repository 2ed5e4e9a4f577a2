// Random points for tests of shapes, and a word for tests that need Qhull.
#pragma once

#include "talus/base/random.hpp"
#include "talus/shapes/polytope.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

namespace talus {

template <int D>
Vec<D> random_vector(Random& random, double reach = 1)
{
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = random.uniform(-reach, reach);
    return v;
}

// Hulls of points in 3D are refused by name where Qhull is not built in.
inline bool has_qhull()
{
    const std::vector<Vec<3>> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::string said = refusal_of([&] { convex_hull<3>(std::span<const Vec<3>>(corners)); });
    EXPECT_TRUE(said.empty() || has(said, "needs Qhull")) << said;
    return said.empty();
}
#define NEEDS_QHULL()                                                                                                  \
    if (!has_qhull()) GTEST_SKIP() << "built without Qhull"

} // namespace talus
