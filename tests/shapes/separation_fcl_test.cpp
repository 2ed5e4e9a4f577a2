// The exact stage against FCL, which finds closest points by the GJK of libccd to a tolerance of its own.
#ifdef TALUS_WITH_FCL
#include "shapes/convex_pairs.hpp"
#include "shapes/reference_separation.hpp"
#include "talus/shapes/separation.hpp"

#include <gtest/gtest.h>

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <memory>

namespace talus {
namespace {

// The turned vertices as they are, in units of `size`, for FCL's tolerances have no unit.
fcl::Convex<double> fcl_convex(const Convex<3>& set, const Vec<3>& shift, double size)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int v = 0; v < set.model->vertices; ++v) vertices->push_back((set.vertex(v) + shift) / size);
    auto faces = std::make_shared<std::vector<int>>();
    for (int f = 0; f < set.model->faces; ++f) {
        const auto corners = set.model->corners(f);
        faces->push_back(int(corners.size()));
        faces->insert(faces->end(), corners.begin(), corners.end());
    }
    return {vertices, set.model->faces, faces};
}

constexpr double fcl_tolerance = 1e-6; // its default

class SeparationByFcl : public testing::TestWithParam<Arrangement> {};
INSTANTIATE_TEST_SUITE_P(All, SeparationByFcl, testing::ValuesIn(all_arrangements),
                         [](const auto& instance) { return test_name_of(instance.param); });

TEST_P(SeparationByFcl, IsTheSame)
{
    const ConvexPairs<3> pairs;
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    int distances = 0, stopped_early = 0;
    for (int k = 0; k < pairs_per_arrangement; ++k) {
        const auto pair = pairs.pair(k, GetParam());
        const Convex<3> a = pair.a.view(), b = pair.b.view();
        const auto first = fcl_convex(a, Vec<3>::Zero(), pair.size);
        const auto second = fcl_convex(b, Vec<3>(b.centre - a.centre), pair.size);
        Separation<3> s;
        ASSERT_TRUE(separate<3>(a, b, 100, {}, s));
        const double distance = s.distance / pair.size;
        if (std::abs(distance) <= fcl_tolerance) continue; // touching: FCL may say either
        fcl::CollisionResult<double> overlap;
        const bool overlaps = fcl::collide(&first, here, &second, here, fcl::CollisionRequest<double>(), overlap) > 0;
        EXPECT_EQ(overlaps, distance < 0) << "pair " << k << " at " << distance;
        if (distance < 0) continue;

        fcl::DistanceResult<double> gap;
        fcl::distance(&first, here, &second, here, fcl::DistanceRequest<double>(), gap);
        ++distances;
        // FCL measures between points of the sets: never less than the distance
        EXPECT_GE(gap.min_distance, distance - fcl_tolerance) << "pair " << k;
        if (gap.min_distance <= distance + fcl_tolerance) continue;
        // it stops at points that are not the closest now and then: the reference decides
        ++stopped_early;
        EXPECT_NEAR(distance, double(reference_separation<3>(a, b).distance) / pair.size, 1e-9) << "pair " << k;
    }
    EXPECT_GT(distances, pairs_per_arrangement / 5);
    EXPECT_LE(stopped_early, 0.005 * distances); // seen: 0.22 % at most
}

} // namespace
} // namespace talus
#endif
