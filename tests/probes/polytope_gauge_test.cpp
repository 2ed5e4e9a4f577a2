// Gauges over polygons, polyhedra and clusters: every expected value is a product of lengths or comes from math/.
#include "probes/measured_scene.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/math/ball_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

template <int D>
Polytope<D> shifted(Polytope<D> polytope, const Vec<D>& by)
{
    for (Vec<D>& vertex : polytope.vertices) vertex += by;
    for (Plane<D>& plane : polytope.planes) plane.offset += plane.normal.dot(by);
    return polytope;
}

// Two cubes of side 1, side by side along the first axis.
template <int D>
std::int32_t add_double_cube(ShapeTable<D>& shapes)
{
    const Polytope<D> cube = box<D>(Vec<D>::Ones());
    return shapes.add_cluster({shifted<D>(cube, -0.5 * Vec<D>::Unit(0)), shifted<D>(cube, 0.5 * Vec<D>::Unit(0))});
}

template <int D>
void expect_density_of_tiles()
{
    Scene<D> scene;
    const auto cube = scene.shapes.add_polytope(box<D>(Vec<D>::Constant(0.9)));
    const int side = 5;
    for (int k = 0; k < int(std::lround(std::pow(side, D))); ++k) {
        Vec<D> cell;
        for (int axis = 0, rest = k; axis < D; ++axis, rest /= side) cell[axis] = rest % side;
        scene.add(cube, cell);
    }
    const double exact = std::pow(0.9, D);
    Random random(1);
    for (int repeat = 0; repeat < 20; ++repeat) { // boxes of whole cells, wherever they begin
        Vec<D> lower, size;
        for (int axis = 0; axis < D; ++axis) {
            lower[axis] = random.uniform(0, 1);
            size[axis] = 1 + double(random.bits() % 3);
        }
        EXPECT_NEAR(*scene.measure(Gauge<D>::box("cells", lower, lower + size)).compacity, exact, 1e-13);
    }
    const GaugeValues<D> all = scene.measure();
    EXPECT_NEAR(all.volume, std::pow(4.9, D), 1e-12) << "up to the faces, not to the bounding spheres";
    EXPECT_NEAR(all.solid_volume, std::pow(side, D) * exact, 1e-11);
}
TEST(PolytopeGauge, CompacityOfTilesIsExactHoweverTheBoxCutsThem)
{
    expect_density_of_tiles<2>();
    expect_density_of_tiles<3>();
}

template <int D>
void expect_cut_of_turned_cube()
{
    Scene<D> scene; // a square that stands on its corner; in 3D a prism of it
    Ang<D> turn = Ang<D>::Zero();
    turn[angular<D> - 1] = M_PI / 4;
    scene.add(scene.shapes.add_polytope(box<D>(Vec<D>::Ones())), Vec<D>::Zero(), 0, Rotation<D>::from_vector(turn));
    Vec<D> lower = Vec<D>::Constant(-2);
    lower[0] = 0.2;
    const double corner = std::sqrt(0.5) - 0.2; // the part of it beyond the face of the gauge
    EXPECT_NEAR(scene.measure(Gauge<D>::box("half", lower, Vec<D>::Constant(2))).solid_volume, corner * corner, 1e-15);
    EXPECT_NEAR(scene.measure().volume, 2, 1e-14);
}
TEST(PolytopeGauge, GrainIsCutAtTheFacesOfTheGauge)
{
    expect_cut_of_turned_cube<2>();
    expect_cut_of_turned_cube<3>();
}

template <int D>
void expect_pair_of_cubes()
{
    Scene<D> scene;
    const auto cube = scene.shapes.add_polytope(box<D>(Vec<D>::Ones()));
    const auto a = scene.add(cube, Vec<D>::Zero());
    Vec<D> place = Vec<D>::Constant(0.25);
    place[0] = 0.99;
    const auto b = scene.add(cube, place);
    for (std::uint64_t feature = 0; feature < 4; ++feature) scene.touch(a, b, 1, feature == 2 ? -0.01 : 1e-3, feature);
    const double common = 0.01 * std::pow(0.75, D - 1);
    const GaugeValues<D> values = scene.measure();
    EXPECT_NEAR(*values.overlap_volume, common, 1e-16) << "four points, one pair";
    EXPECT_NEAR(*values.overlap_ratio, common / 2, 1e-15);
    EXPECT_NEAR(*values.interpenetration, common / (1.99 * std::pow(1.25, D - 1)), 1e-15);
    EXPECT_NEAR(*values.max_overlap, 0.01, 1e-17);
    EXPECT_EQ(*values.coordination, 1);
    EXPECT_EQ(values.contacts, 4u);
}
TEST(PolytopeGauge, InterpenetrationOfTwoCubesCountsThePairOnce)
{
    expect_pair_of_cubes<2>();
    expect_pair_of_cubes<3>();
}

TEST(PolytopeGauge, PairsAreSimpleDoubleOrTripleByTheirPoints)
{
    Scene<3> scene;
    const auto cube = scene.shapes.add_polytope(box<3>({1, 1, 1}));
    for (int k = 0; k < 7; ++k) scene.add(cube, {2.0 * k, 0, 0});
    const auto touch_in = [&](std::uint8_t points, std::int32_t a, double gap, double impulse) {
        for (std::uint64_t k = 0; k < points; ++k) scene.touch(a, a + 1, impulse, gap, k, points);
    };
    touch_in(1, 0, -1e-3, 0);
    touch_in(2, 1, 0, 0);
    touch_in(3, 2, 1e-3, 1); // open, but it pushes
    touch_in(4, 3, -1e-3, 1);
    touch_in(2, 4, 1e-3, 0);                                          // open
    for (std::uint64_t k = 0; k < 3; ++k) scene.touch(0, 5, 1, 0, k); // corners of three parts of clusters
    for (std::uint64_t k = 0; k < 4; ++k) {                           // a face near another that touches it in a corner
        scene.touch(5, 6, k == 0 ? 1 : 0, k == 0 ? 0 : 1e-3, k, 4);
    }
    const GaugeValues<3> values = scene.measure();
    EXPECT_EQ(values.simple_pairs, 3u);
    EXPECT_EQ(values.double_pairs, 1u);
    EXPECT_EQ(values.triple_pairs, 2u);
}

template <int D>
void expect_clusters()
{
    Scene<D> scene; // two bars of two cubes each, the second across the first one's end
    const auto bar = add_double_cube<D>(scene.shapes);
    const auto a = scene.add(bar, Vec<D>::Zero());
    Vec<D> place = Vec<D>::Zero();
    place[0] = 0.5;
    place[1] = 0.9;
    const auto b = scene.add(bar, place);
    scene.touch(a, b, 1, -0.1);
    const GaugeValues<D> values = scene.measure();
    EXPECT_NEAR(*values.overlap_volume, 1.5 * 0.1, 1e-14) << "all parts against all parts";
    EXPECT_NEAR(values.solid_volume, 4, 1e-14);
    EXPECT_NEAR(values.volume, 2.5 * 1.9, 1e-14);
    EXPECT_EQ(values.grains, 2u);
    Vec<D> upper = Vec<D>::Constant(3);
    upper[0] = -0.25;
    EXPECT_NEAR(scene.measure(Gauge<D>::box("left", Vec<D>::Constant(-3), upper)).solid_volume, 0.75 + 0.25, 1e-14);
}
TEST(PolytopeGauge, ClustersAreTheSumOfTheirParts)
{
    expect_clusters<2>();
    expect_clusters<3>();
}

// A unit cube that overlaps something else: grain first, the other added by `add`.
template <int D, class Add>
GaugeValues<D> with_cube(const Vec<D>& place, double gap, Add&& add)
{
    Scene<D> scene;
    const auto cube = scene.add(scene.shapes.add_polytope(box<D>(Vec<D>::Ones())), place);
    scene.touch(cube, add(scene), 1, gap);
    return scene.measure();
}

template <int D>
void expect_overlap_with_round_shapes()
{
    const Vec<D> up = Vec<D>::Unit(D - 1);
    const auto ball = [&](auto& s) { return s.add_ball(0.4, 0.8 * up); };
    const auto with_ball = with_cube<D>(Vec<D>::Zero(), -0.1, ball);
    EXPECT_NEAR(*with_ball.overlap_volume, ball_below_plane<D>(0.4, 0.3), 1e-15);
    EXPECT_NEAR(*with_ball.max_overlap, 0.1, 1e-17);
    EXPECT_EQ(with_ball.grains, 2u);
    EXPECT_EQ(*with_cube<D>(Vec<D>::Zero(), 0.1, ball).overlap_volume, 0) << "the table says they are apart";

    const auto rod = [&](auto& s) { return s.add_fixed(s.shapes.add_segment(3 * Vec<D>::Unit(0), 0.2), 0.6 * up); };
    const double slice = D == 2 ? 0.1 : ball_below_plane<2>(0.2, 0.1); // along the whole cube
    EXPECT_NEAR(*with_cube<D>(Vec<D>::Zero(), -0.1, rod).overlap_volume, slice, 1e-12);
    const auto line = [&](auto& s) { return s.add_fixed(s.shapes.add_segment(3 * Vec<D>::Unit(0), 0), 0.4 * up); };
    EXPECT_EQ(*with_cube<D>(Vec<D>::Zero(), -0.1, line).overlap_volume, 0);
    EXPECT_NEAR(*with_cube<D>(Vec<D>::Zero(), -0.1, line).max_overlap, 0.1, 1e-17);

    const auto floor = [&](auto& s) { return s.add_fixed(s.shapes.add_half_space(up), Vec<D>::Zero()); };
    const auto on_floor = with_cube<D>(0.4 * up, -0.07, floor);
    EXPECT_NEAR(*on_floor.overlap_volume, 0.1, 1e-15);
    EXPECT_NEAR(*on_floor.max_overlap, 0.1, 1e-15) << "from where the cube is now";
    EXPECT_EQ(*with_cube<D>(0.6 * up, -0.07, floor).overlap_volume, 0);

    // centred in a bowl that its corners leave
    const auto bowl = [&](auto& s) { return s.add_fixed(s.shapes.add_hollow_ball(0.6)); };
    const double inside = ball_in_box<D>(Vec<D>::Zero(), 0.6, Vec<D>::Constant(-0.5), Vec<D>::Constant(0.5));
    EXPECT_NEAR(*with_cube<D>(Vec<D>::Zero(), -0.1, bowl).overlap_volume, 1 - inside, 1e-14);
    EXPECT_NEAR(*with_cube<D>(Vec<D>::Zero(), -0.1, bowl).max_overlap, std::sqrt(0.25 * D) - 0.6, 1e-15);
}
TEST(PolytopeGauge, OverlapWithBallsSegmentsAndWalls)
{
    expect_overlap_with_round_shapes<2>();
    expect_overlap_with_round_shapes<3>();
    const auto drum = [](auto& s) { return s.add_fixed(s.shapes.add_hollow_cylinder(0.6, {0, 0, 1})); };
    const double inside = ball_in_box<2>({0, 0}, 0.6, {-0.5, -0.5}, {0.5, 0.5});
    EXPECT_NEAR(*with_cube<3>({0, 0, 4}, -0.1, drum).overlap_volume, 1 - inside, 1e-12);
}

TEST(PolytopeGauge, MeshHasADepthButNoInside)
{
    Scene<3> scene;
    const auto cube = scene.add(scene.shapes.add_polytope(box<3>({1, 1, 1})), {0, 0, 0.4});
    const auto ball = scene.add_ball(0.5, {3, 0, 0.4});
    const auto floor = scene.add_fixed(scene.shapes.add_mesh({{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}}));
    scene.touch(cube, floor, 1, -0.1);
    scene.touch(ball, floor, 1, -0.2);
    const GaugeValues<3> values = scene.measure();
    EXPECT_EQ(*values.overlap_volume, 0);
    EXPECT_EQ(*values.max_overlap, 0.2);
    EXPECT_EQ(values.grains, 2u);
}

TEST(PolytopeGauge, TheSameBitsForAnyNumberOfThreads)
{
    Scene<3> scene;
    Random random(9);
    const auto cube = scene.shapes.add_polytope(box<3>({0.8, 1, 1.2}));
    for (int k = 0; k < 20000; ++k) {
        const auto turn =
            Rotation<3>::from_vector({random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)});
        scene.add(cube, {k % 27 + random.uniform(), k / 27 % 27 + random.uniform(), k / 729 + 0.}, 0, turn);
        if (k > 0) scene.touch(k - 1, k, random.uniform(-0.1, 1), random.uniform(-0.1, 0.1));
    }
    const Gauge<3> gauge = Gauge<3>::box("part", {3, 4, 5}, {20, 21, 22.5});
    const int before = thread_count();
    set_thread_count(1);
    const GaugeValues<3> one = scene.measure(gauge);
    set_thread_count(4);
    const GaugeValues<3> four = scene.measure(gauge);
    set_thread_count(before);
    EXPECT_EQ(one.solid_volume, four.solid_volume);
    EXPECT_EQ(one.overlap_volume, four.overlap_volume);
    EXPECT_EQ(one.simple_pairs, four.simple_pairs);
    EXPECT_GT(*one.overlap_volume, 0);
}

} // namespace
} // namespace talus
