// Layout of frames in the plane of the picture, and the numbers of legends.
#include "talus/base/error.hpp"
#include "talus/report/chains.hpp"
#include "talus/report/drawing/projection.hpp"
#include "talus/report/slice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace talus::report {
namespace {

template <int D>
io::Frame<D> two_on_a_floor()
{
    io::Frame<D> frame;
    frame.clock.dt = 1e-3;
    frame.materials = {"sand"};
    Body<D> body;
    body.shape = frame.shapes.add_ball(0.5);
    body.mass = 1;
    body.inertia.setOnes();
    for (const double level : {0.5, 1.5}) {
        body.position = level * Vec<D>::Unit(D - 1);
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
        const Sketch sketch = sketch_of(frame, {view, Quantity::speed});
        EXPECT_GT(sketch.balls[1].centre[1], sketch.balls[0].centre[1] + 0.5);
    }
    const Sketch sketch = sketch_of(frame, {View::top, Quantity::speed});
    EXPECT_NEAR((sketch.balls[1].centre - sketch.balls[0].centre).norm(), 0, 1e-15);
    EXPECT_DOUBLE_EQ(sketch.balls[1].depth - sketch.balls[0].depth, 1);
}

TEST(Sketch, FreeSpaceEndsAtTheFloor)
{
    const Sketch sketch = sketch_of(two_on_a_floor<2>(), {View::iso, Quantity::speed});
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
    const Sketch sketch = sketch_of(frame, {View::iso, Quantity::speed});
    EXPECT_LT(sketch.upper[0], 30);
    EXPECT_EQ(sketch.beyond, 1u);
    EXPECT_EQ(sketch.grains, 403u);
}

TEST(Sketch, DrumIsAsLongAsWhatIsInIt)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    frame.bodies.shape[2] = frame.shapes.add_hollow_cylinder(3, Vec<3>(0, 1, 0));
    const Sketch sketch = sketch_of(frame, {View::side, Quantity::speed}); // y to the right
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
    const Sketch sketch = sketch_of(frame, {View::front, Quantity::speed});
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
    const Sketch sketch = sketch_of(frame, {View::side, Quantity::speed}); // its face of 12 × 2 m
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
    const Sketch sketch = sketch_of(frame, {View::front, Quantity::speed});
    ASSERT_EQ(sketch.panes.size(), 2u);
    EXPECT_LT(sketch.panes[0].depth, sketch.panes[1].depth);
    EXPECT_TRUE(sketch.panes[0].is_behind);
    EXPECT_FALSE(sketch.panes[1].is_behind);
    EXPECT_EQ(sketch.panes[0].light, sketch.panes[1].light) << "seen from either side";
    EXPECT_EQ(sketch.grains, 2u);
    EXPECT_LE(sketch.lower[0], -3);
}

TEST(Sketch, ChainsJoinTheCentresOfGrainsAndEndAtWalls)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    add_contact<3>(frame, 1, 0, {0, 0, 0.01});
    frame.contacts.point.back() = {0, 0, 1};
    add_contact<3>(frame, 0, 2, {0, 0, 0.02});
    add_contact<3>(frame, 0, 2, {0, 0, 0}); // transmits nothing
    for (const View view : {View::front, View::side, View::iso}) {
        const Sketch sketch = sketch_of(frame, {view, Quantity::load});
        ASSERT_EQ(sketch.chains.size(), 2u);
        EXPECT_LE(sketch.chains[0].depth, sketch.chains[1].depth) << "the nearest is drawn last";
        for (const Chain& chain : sketch.chains) {
            const bool is_between = std::abs(chain.force - 10) < 1e-9;
            EXPECT_LT((chain.from - sketch.balls[is_between ? 1 : 0].centre).norm(), 1e-14);
            EXPECT_LT((chain.to - (is_between ? sketch.balls[0].centre : Vec<2>(0, 0))).norm(), 1e-14);
        }
    }
}

Subject sliced(int axis, double position)
{
    Subject subject;
    subject.slice = Slice{axis, position};
    return subject;
}

double area_of(const Solid& solid)
{
    double area = 0;
    for (const Facet& facet : solid.facets) {
        for (std::size_t k = 0; k < facet.corners.size(); ++k) {
            const Vec<2>&a = facet.corners[k], &b = facet.corners[(k + 1) % facet.corners.size()];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
    }
    return area;
}

// What a machine holds is no grain: it has the neutral colour, and forces on it end where they act.
TEST(Sketch, ToolsAndSleepersAreNoGrains)
{
    const FreedomMask rotations = 0b111000, along_x = 0b001;
    io::Frame<3> frame = two_on_a_floor<3>();
    const std::size_t ball = 1;
    Body<3> block;
    block.mass = 1;
    block.inertia.setOnes();
    block.position = Vec<3>(0, 0, 3);
    block.shape = frame.shapes.add_cluster({box<3>({1, 1, 1})});
    const std::size_t sleeper = frame.bodies.size();
    frame.bodies.add(block);
    EXPECT_TRUE(is_grain(frame, sleeper)) << "free to move and to turn";
    frame.bodies.imposed[sleeper] = rotations;
    EXPECT_FALSE(is_grain(frame, sleeper)) << "rails keep it from turning";
    frame.bodies.imposed[ball] = rotations;
    EXPECT_TRUE(is_grain(frame, ball)) << "a sphere that does not roll is one still";
    frame.bodies.imposed[ball] = along_x;
    EXPECT_FALSE(is_grain(frame, ball));
    frame.bodies.imposed[ball] = 0;
    add_contact<3>(frame, std::int32_t(sleeper), std::int32_t(ball), {0, 0, 1});
    frame.contacts.point[0] = Vec<3>(0, 0.25, 2);
    const Projection<3> side = projection_of<3>(View::side);
    const std::vector<Chain> chains = chains_of(frame, side);
    ASSERT_EQ(chains.size(), 1u);
    EXPECT_NEAR((chains[0].from - side(Vec<3>(0, 0.25, 2))).norm(), 0, 1e-15) << "not at its centre";
}

TEST(Slice, SphereIsADiskOfItsCut)
{
    const io::Frame<3> frame = two_on_a_floor<3>(); // radius 0.5 at heights 0.5 and 1.5
    for (const double x : {0.0, 0.3, -0.499}) {
        const Sketch sketch = sketch_of(frame, sliced(0, x));
        ASSERT_EQ(sketch.balls.size(), 2u);
        EXPECT_TRUE(sketch.is_flat);
        EXPECT_NEAR(sketch.balls[0].radius, std::sqrt(0.25 - x * x), 1e-15);
        EXPECT_NEAR((sketch.balls[1].centre - Vec<2>(0, 1.5)).norm(), 0, 1e-15);
    }
    const Sketch level = sketch_of(frame, sliced(2, 1.2)); // seen from above
    ASSERT_EQ(level.balls.size(), 1u);
    EXPECT_NEAR(level.balls[0].radius, 0.4, 1e-15);
}

TEST(Slice, CubeIsTheExactPolygonWhicheverWayItIsTurned)
{
    const double diagonal = std::sqrt(2.0);
    for (const double angle : {0.0, M_PI / 4}) {
        io::Frame<3> frame = two_on_a_floor<3>();
        Body<3> body;
        body.position = {5, 6, 7};
        body.orientation = Rotation<3>::from_vector({angle, 0, 0}); // about x
        body.shape = frame.shapes.add_polytope(box<3>({1, 1, 1}));
        frame.bodies.add(body);
        for (const double off : {0.0, 0.25}) {
            const Sketch across = sketch_of(frame, sliced(0, 5 + off)); // always a unit square
            ASSERT_EQ(across.solids.size(), 1u);
            EXPECT_NEAR(area_of(across.solids[0]), 1, 1e-12);
            // along the turned faces: 1 × 1, or the width of the diagonal square at this height
            const Sketch level = sketch_of(frame, sliced(2, 7 + off));
            ASSERT_EQ(level.solids.size(), 1u);
            EXPECT_NEAR(area_of(level.solids[0]), angle == 0 ? 1 : diagonal - 2 * off, 1e-12);
            Vec<2> middle = Vec<2>::Zero();
            for (const Vec<2>& corner : level.solids[0].facets[0].corners) middle += corner / 4;
            EXPECT_NEAR((middle - Vec<2>(5, 6)).norm(), 0, 1e-12);
        }
    }
}

TEST(Slice, PartsOfAClusterAreCutEachByItself)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    Polytope<3> low = box<3>({1, 1, 1}), high = low;
    for (Vec<3>& vertex : high.vertices) vertex += Vec<3>(2, 0, 0.75);
    Body<3> body;
    body.position = {0, 10, 0};
    body.shape = frame.shapes.add_cluster({low, high});
    frame.bodies.add(body);
    EXPECT_EQ(sketch_of(frame, sliced(2, -0.1)).solids.size(), 1u);
    EXPECT_EQ(sketch_of(frame, sliced(2, 0.4)).solids.size(), 2u);
}

TEST(Slice, ObliqueWallIsALineWhereItMeetsThePlane)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    frame.shapes.half_spaces[0].normal = Vec<3>(0.6, 0, 0.8); // through the origin
    const Sketch sketch = sketch_of(frame, sliced(0, 0.4));
    ASSERT_EQ(sketch.walls.size(), 1u);
    for (const Vec<2>& corner : sketch.walls[0].corners) EXPECT_NEAR(corner[1], -0.6 * 0.4 / 0.8, 1e-12);
}

TEST(Slice, BowlAndMeshLeaveTheirTraces)
{
    io::Frame<3> frame = two_on_a_floor<3>();
    frame.bodies.shape[2] = frame.shapes.add_hollow_ball(5);
    Body<3> body;
    body.imposed = all_imposed<3>;
    body.shape = frame.shapes.add_mesh({{{-1, -1, 0}, {1, -1, 0}, {0, 3, 0}}, {{0, 1, 2}}});
    frame.bodies.add(body);
    const Sketch sketch = sketch_of(frame, sliced(1, 0.2));
    ASSERT_EQ(sketch.outlines.size(), 2u);
    double reach = 0;
    for (const auto& outline : sketch.outlines) {
        for (const Vec<2>& point : outline) reach = std::max(reach, point.norm());
    }
    EXPECT_NEAR(reach, std::sqrt(25 - 0.04), 1e-12);
    const auto& trace = sketch.outlines[sketch.outlines[0].size() == 2 ? 0 : 1];
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_NEAR((trace[1] - trace[0]).norm(), 2 * 0.7, 1e-12); // 0.3 of the height from its base
}

TEST(Slice, ChainsAreThoseOfContactsNearThePlane)
{
    io::Frame<3> frame = two_on_a_floor<3>(); // mean diameter 1
    for (const double y : {-0.6, -0.4, 0.0, 0.4}) {
        add_contact<3>(frame, 1, 0, {0, 0, 0.01});
        frame.contacts.point.back() = {0, y, 1};
    }
    EXPECT_EQ(sketch_of(frame, sliced(1, 0)).chains.size(), 3u);
    EXPECT_EQ(sketch_of(frame, sliced(1, 0.45)).chains.size(), 2u);
}

TEST(Slice, ReadsAnAxisAndALength)
{
    EXPECT_EQ(parse_slice("x=0.1").axis, 0);
    EXPECT_DOUBLE_EQ(parse_slice("x=0.1").position, 0.1);
    EXPECT_DOUBLE_EQ(parse_slice("y=5cm").position, 0.05);
    EXPECT_DOUBLE_EQ(parse_slice(" z = -25 mm ").position, -0.025);
    for (const char* text : {"", "x", "=", "w=1", "x=", "x=abc", "x=1 kg", "xy=1", "x=nan", "x=1=2"}) {
        EXPECT_THROW(parse_slice(text), InputError) << text;
    }
}

TEST(Slice, BesideTheSampleIsRefusedWithItsRange)
{
    try {
        sketch_of(two_on_a_floor<3>(), sliced(2, 3));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("between z = 0 m and 2 m"), std::string::npos) << error.what();
    }
    EXPECT_THROW(sketch_of(two_on_a_floor<2>(), sliced(0, 0)), InputError);
    EXPECT_THROW(sketch_of(io::Frame<3>(), sliced(0, 0)), InputError);
}

TEST(Bands, ThresholdsHalveFromTheLargestLoadOfAGrain)
{
    io::Frame<2> frame = two_on_a_floor<2>();
    add_contact<2>(frame, 1, 0, {0, 0.003});
    add_contact<2>(frame, 0, 2, {0, 0.1});
    const Colouring colouring = colouring_of(frame, Quantity::load, true);
    const std::vector<double>& bounds = colouring.legend.thresholds;
    ASSERT_EQ(bounds.size(), 5u);
    EXPECT_EQ(2 * bounds.back(), body_values(frame, Quantity::load)[0]); // no rounding in a power of two
    for (std::size_t k = 1; k < bounds.size(); ++k) EXPECT_EQ(bounds[k], 2 * bounds[k - 1]);
    EXPECT_EQ(colouring.of_body[0], 5) << "the largest is in the darkest class";
    EXPECT_EQ(colouring.of_body[1], 0) << "3 N are less than a 32nd of 103 N";
    EXPECT_EQ(colouring.palette[0], white);
    EXPECT_THROW(colouring_of(frame, Quantity::material, true), InputError);
}

TEST(Bands, NothingLoadedIsAllWhite)
{
    const Colouring colouring = colouring_of(two_on_a_floor<2>(), Quantity::load, true);
    EXPECT_EQ(colouring.of_body[0], 0);
    EXPECT_EQ(colouring.of_body[1], 0);
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
