// The exact stage: gap, normal and point of a ball against every other shape.
#include "talus/shapes/collide.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

template <int D>
class TwoShapes {
  public:
    ShapeTable<D> shapes;
    std::int32_t ball = shapes.add_ball(0.5);

    ContactPoint<D> meet(const Vec<D>& centre, std::int32_t other, const Vec<D>& place,
                         const Rotation<D>& orientation = {}) const
    {
        const Rotation<D> none;
        const auto found = ball_contact<D>(shapes, {shapes[ball], centre, none}, {shapes[other], place, orientation});
        // the common point lies in the middle: half a gap outside the ball
        EXPECT_NEAR((found.point - (centre - (0.5 + 0.5 * found.gap) * found.normal)).norm(), 0, 1e-15);
        EXPECT_NEAR(found.normal.norm(), 1, 1e-15);
        return found;
    }
};

} // namespace

TEST(Collide, BallsAlongTheLineOfCentres)
{
    TwoShapes<3> pair;
    const auto other = pair.shapes.add_ball(0.25);
    const auto apart = pair.meet({3, 4, 0}, other, {0, 0, 0});
    EXPECT_NEAR(apart.gap, 5 - 0.75, 1e-15);
    EXPECT_NEAR((apart.normal - Vec<3>(0.6, 0.8, 0)).norm(), 0, 1e-15); // from the antagonist to the candidate
    EXPECT_NEAR(pair.meet({0, 0, 0.7}, other, {0, 0, 0}).gap, -0.05, 1e-15);
    EXPECT_NEAR(pair.meet({1, 1, 1}, other, {1, 1, 1}).gap, -0.75, 1e-15); // same place: some normal, no NaN
}

TEST(Collide, BallAboveATurnedHalfSpace)
{
    TwoShapes<2> pair;
    const auto ground = pair.shapes.add_half_space({0, 2});                       // any length
    const auto found = pair.meet({-1, 0}, ground, {0, 0}, Rotation<2>(M_PI / 2)); // its normal is now −x
    EXPECT_NEAR(found.gap, 0.5, 1e-15);
    EXPECT_NEAR((found.normal - Vec<2>(-1, 0)).norm(), 0, 1e-15);
    EXPECT_NEAR(pair.meet({3, 0}, ground, {0, 0}, Rotation<2>(M_PI / 2)).gap, -3.5, 1e-14); // deep inside
}

TEST(Collide, BallBesideAndBeyondASegment)
{
    TwoShapes<2> pair;
    const auto rod = pair.shapes.add_segment({1, 0}, 0.1);
    const auto beside = pair.meet({0.3, 2}, rod, {0, 0});
    EXPECT_NEAR(beside.gap, 2 - 0.6, 1e-15);
    EXPECT_NEAR((beside.normal - Vec<2>(0, 1)).norm(), 0, 1e-15);
    const auto beyond = pair.meet({4, 4}, rod, {0, 0}); // nearest point is the end (1, 0)
    EXPECT_NEAR(beyond.gap, 5 - 0.6, 1e-14);
    EXPECT_NEAR((beyond.normal - Vec<2>(0.6, 0.8)).norm(), 0, 1e-15);
    const auto on_it = pair.meet({0.2, 0}, rod, {0, 0}); // the centre on the line: a normal across it
    EXPECT_NEAR(on_it.gap, -0.6, 1e-15);
    EXPECT_NEAR(on_it.normal[0], 0, 1e-15);
}

TEST(Collide, BallInsideABowlAndADrum)
{
    TwoShapes<3> pair;
    const auto bowl = pair.shapes.add_hollow_ball(2);
    const auto low = pair.meet({0, 0, -1.2}, bowl, {0, 0, 0});
    EXPECT_NEAR(low.gap, 0.3, 1e-15);
    EXPECT_NEAR((low.normal - Vec<3>(0, 0, 1)).norm(), 0, 1e-15); // towards the inside
    EXPECT_NEAR(pair.meet({0, 0, 0}, bowl, {0, 0, 0}).gap, 1.5, 1e-15);
    EXPECT_NEAR(pair.meet({0, 0, -1.8}, bowl, {0, 0, 0}).gap, -0.3, 1e-15);

    const auto drum = pair.shapes.add_hollow_cylinder(2, {0, 3, 0});
    const auto far_along = pair.meet({0.9, 7, -1.2}, drum, {0, 0, 0});
    EXPECT_NEAR(far_along.gap, 0, 1e-15);
    EXPECT_NEAR((far_along.normal - Vec<3>(-0.6, 0, 0.8)).norm(), 0, 1e-15);
}

TEST(Collide, WallDistanceIsTheGapOfAPoint)
{
    ShapeTable<3> shapes;
    const auto bowl = shapes.add_hollow_ball(2);
    const auto drum = shapes.add_hollow_cylinder(1.5, {0, 0, 1});
    const auto ground = shapes.add_half_space({0, 0, 1});
    const Vec<3> place(1, 0, 0);
    const Rotation<3> turned = Rotation<3>::from_vector({M_PI / 2, 0, 0});               // z to −y
    EXPECT_NEAR(wall_distance<3>(shapes, bowl, place, turned, {1, 1.5, 0}), 0.5, 1e-14); // π/2 is not exact
    EXPECT_NEAR(wall_distance<3>(shapes, drum, place, turned, {1, 9, 1}), 0.5, 1e-14);
    EXPECT_NEAR(wall_distance<3>(shapes, ground, place, turned, {1, -3, 1}), 3, 1e-14);
}

TEST(Collide, KnowsEveryPairButTwoWalls)
{
    EXPECT_TRUE(can_collide(ShapeKind::half_space, ShapeKind::ball));
    EXPECT_TRUE(can_collide(ShapeKind::ball, ShapeKind::segment));
    EXPECT_TRUE(can_collide(ShapeKind::polytope, ShapeKind::mesh));
    EXPECT_TRUE(can_collide(ShapeKind::segment, ShapeKind::half_space));
    EXPECT_FALSE(can_collide(ShapeKind::mesh, ShapeKind::half_space));
    EXPECT_TRUE(second_is_candidate(ShapeKind::half_space, ShapeKind::ball));
    EXPECT_FALSE(second_is_candidate(ShapeKind::ball, ShapeKind::half_space));
}
