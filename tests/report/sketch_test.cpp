// Layout of frames in the plane of the picture, and the numbers of legends.
#include "report/sketch.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace talus::report {
namespace {

template <int D>
io::Frame<D> two_on_a_floor()
{
    io::Frame<D> frame;
    frame.dt = 1e-3;
    frame.materials = {"sand"};
    Body<D> body;
    body.shape = frame.shapes.add_ball(0.5);
    body.mass = 1;
    body.inertia.setOnes();
    for (const double height : {0.5, 1.5}) {
        body.position = height * Vec<D>::Unit(D - 1);
        frame.bodies.add(body);
    }
    body.position.setZero();
    body.shape = frame.shapes.add_half_space(Vec<D>::Unit(D - 1));
    body.imposed = all_imposed<D>;
    frame.bodies.add(body);
    return frame;
}

template <int D>
void add_contact(io::Frame<D>& frame, std::int32_t candidate, std::int32_t antagonist, const Vec<D>& impulse)
{
    frame.contacts.candidate.push_back(candidate);
    frame.contacts.antagonist.push_back(antagonist);
    frame.contacts.normal.push_back(Vec<D>::Unit(D - 1));
    frame.contacts.point.push_back(Vec<D>::Zero());
    frame.contacts.gap.push_back(0);
    frame.contacts.impulse.push_back(impulse);
}

TEST(Sketch, LoadIsTheSumOfNormalForcesOfAllContacts)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    add_contact<3>(frame, 1, 0, {0.5, 0, 0.01}); // friction does not count
    add_contact<3>(frame, 0, 2, {0, 0, 0.02});
    const std::vector<double> load = body_values(frame, Quantity::load);
    EXPECT_DOUBLE_EQ(load[1], 10); // impulse over the step of 1 ms
    EXPECT_DOUBLE_EQ(load[0], 30);
}

TEST(Sketch, LastAxisIsUpInEveryViewButTheTop)
{
    const io::Frame<3> frame = two_on_a_floor<3>();
    for (const View view : {View::iso, View::front, View::side}) {
        const Sketch sketch = sketch_of(frame, view, Quantity::speed);
        EXPECT_GT(sketch.balls[1].centre[1], sketch.balls[0].centre[1] + 0.5);
    }
    const Sketch sketch = sketch_of(frame, View::top, Quantity::speed);
    EXPECT_NEAR((sketch.balls[1].centre - sketch.balls[0].centre).norm(), 0, 1e-15);
    EXPECT_DOUBLE_EQ(sketch.balls[1].depth - sketch.balls[0].depth, 1);
}

TEST(Sketch, FreeSpaceEndsAtTheFloor)
{
    const Sketch sketch = sketch_of(two_on_a_floor<2>(), View::iso, Quantity::speed);
    ASSERT_EQ(sketch.walls.size(), 1u);
    double lowest = 1;
    for (const Vec<2>& corner : sketch.free_space) lowest = std::min(lowest, corner[1]);
    EXPECT_DOUBLE_EQ(lowest, 0);
    EXPECT_LT(sketch.lower[1], 0);
}

TEST(Sketch, GrainFarAwayDoesNotShrinkTheOthers)
{
    io::Frame<2> frame = two_on_a_floor<2>();
    Body<2> body;
    body.mass = 1;
    body.inertia.setOnes();
    for (int k = 0; k < 400; ++k) {
        body.position = Vec<2>(k % 20, 0.5 + k / 20);
        frame.bodies.add(body);
    }
    body.position = Vec<2>(1e6, 0.5);
    frame.bodies.add(body);
    const Sketch sketch = sketch_of(frame, View::iso, Quantity::speed);
    EXPECT_LT(sketch.upper[0], 30);
    EXPECT_EQ(sketch.beyond, 1u);
    EXPECT_EQ(sketch.grains, 403u);
}

TEST(Sketch, DrumIsAsLongAsWhatIsInIt)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    frame.bodies.shape[2] = frame.shapes.add_hollow_cylinder(3, Vec<3>(0, 1, 0));
    const Sketch sketch = sketch_of(frame, View::side, Quantity::speed); // y to the right
    EXPECT_EQ(sketch.outlines.size(), 4u);
    EXPECT_NEAR(sketch.upper[0] - sketch.lower[0], 1, 1e-12); // two balls of radius 0.5
    EXPECT_NEAR(sketch.upper[1] - sketch.lower[1], 6, 1e-2);
}

TEST(Sketch, PartsOfAClusterAreSolidsAtTheirOwnDepth)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    Polytope<3> near = box<3>({1, 1, 1}), far = near;
    for (Vec<3>& vertex : near.vertices) vertex += Vec<3>(0, -2, 0); // the front is seen from −y
    Body<3> body;
    body.shape = frame.shapes.add_cluster({near, far});
    frame.bodies.add(body);
    const Sketch sketch = sketch_of(frame, View::front, Quantity::speed);
    ASSERT_EQ(sketch.solids.size(), 2u);
    EXPECT_NEAR(sketch.solids[0].depth - sketch.solids[1].depth, 2, 1e-14);
    EXPECT_EQ(sketch.solids[0].facets.size(), 1u);
    EXPECT_EQ(sketch.grains, 3u);
}

TEST(Sketch, SolidMuchLargerThanTheGrainsIsDrawnInPieces)
{
    io::Frame<3> frame = two_on_a_floor<3>(); // grains of diameter 1
    Body<3> body;
    body.imposed = all_imposed<3>;
    body.shape = frame.shapes.add_polytope(box<3>({1, 12, 2}));
    frame.bodies.add(body);
    const Sketch sketch = sketch_of(frame, View::side, Quantity::speed); // its face of 12 × 2 m
    double area = 0, outline = 0;
    for (const Solid& piece : sketch.solids) {
        ASSERT_EQ(piece.facets.size(), 1u);
        const Facet& facet = piece.facets[0];
        for (std::size_t k = 0; k < facet.corners.size(); ++k) {
            const Vec<2>&a = facet.corners[k], &b = facet.corners[(k + 1) % facet.corners.size()];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
            if (!facet.is_cut[k]) outline += (b - a).norm();
            EXPECT_LE((b - a).norm(), 1 + 1e-12);
        }
    }
    EXPECT_NEAR(area, 24, 1e-12);
    EXPECT_NEAR(outline, 28, 1e-12) << "cuts are no edges";
}

TEST(Sketch, MeshIsBehindTheGrainsOrBeforeThem)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    Body<3> body;
    body.imposed = all_imposed<3>;
    for (const double y : {-3, 3}) { // two upright triangles, the grains between them
        body.shape = frame.shapes.add_mesh({{{-3, y, 0}, {3, y, 0}, {0, y, 4}}, {{0, 1, 2}}});
        frame.bodies.add(body);
    }
    const Sketch sketch = sketch_of(frame, View::front, Quantity::speed);
    ASSERT_EQ(sketch.panes.size(), 2u);
    EXPECT_LT(sketch.panes[0].depth, sketch.panes[1].depth);
    EXPECT_TRUE(sketch.panes[0].is_behind);
    EXPECT_FALSE(sketch.panes[1].is_behind);
    EXPECT_EQ(sketch.panes[0].light, sketch.panes[1].light) << "seen from either side";
    EXPECT_EQ(sketch.grains, 2u);
    EXPECT_LE(sketch.lower[0], -3);
}

TEST(Legend, FewExtremeValuesAreCut)
{
    std::vector<double> values(1000, 1.0);
    values[0] = 0.5;
    values[1] = 100;
    const ValueRange range = range_of(values, true);
    EXPECT_TRUE(range.is_cut);
    EXPECT_DOUBLE_EQ(range.upper, 1);
    EXPECT_DOUBLE_EQ(range.part_of(100), 1);
}

TEST(Legend, OneValueOnlyTakesTheMiddle)
{
    EXPECT_DOUBLE_EQ(range_of({3, 3, 3}, false).part_of(3), 0.5);
    EXPECT_DOUBLE_EQ(range_of({0, 0}, true).part_of(0), 0);
    EXPECT_DOUBLE_EQ(range_of({std::numeric_limits<double>::quiet_NaN()}, true).upper, 1);
}

TEST(Legend, NumbersAreRoundAndUnitsReadable)
{
    EXPECT_DOUBLE_EQ(round_down(0.37), 0.2);
    EXPECT_DOUBLE_EQ(round_down(0.5), 0.5);
    const std::vector<double> ticks = round_values(16, 23.4, 6);
    EXPECT_EQ(ticks, (std::vector<double>{16, 18, 20, 22}));
    EXPECT_EQ(readable_unit(0.003, "m/s").name, "mm/s");
    EXPECT_EQ(readable_unit(12000, "N").name, "kN");
    EXPECT_EQ(readable_unit(5000, "m").name, "m");
    EXPECT_DOUBLE_EQ(readable_unit(0.02, "m").factor, 1000);
}

} // namespace
} // namespace talus::report
