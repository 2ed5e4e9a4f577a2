// Carving takes what is in the way of sleepers, above a slope, and too high; nothing else.
#include "railway/track_scenes.hpp"
#include "talus/railway/carving.hpp"

#include <numeric>

namespace talus {
namespace {

constexpr double edge = 0.04, pitch = 0.05; // [m] of the cubes and of their lattice

struct Bed {
    BodyTable<3> bodies;
    ShapeTable<3> shapes;
    std::int32_t cube = -1;
    Bed() { cube = shapes.add_polytope(box<3>(Vec<3>::Constant(edge))); }
    std::int32_t add(const Vec<3>& place)
    {
        Body<3> body;
        body.position = place;
        body.shape = cube;
        body.mass = 1;
        body.inertia.setConstant(1);
        return bodies.add(body);
    }
};

// 20 × 18 × 11 cubes fill a box of 1 m × 0.9 m × 0.55 m; the order is not that of their heights
Bed lattice()
{
    Bed bed;
    for (int k = 10; k >= 0; --k) {
        for (int j = 0; j < 18; ++j) {
            for (int i = 0; i < 20; ++i) {
                bed.add({-0.475 + pitch * i, 0.025 + pitch * j, 0.025 + pitch * k});
            }
        }
    }
    return bed;
}

scene::Value scene_with(const Sets& sets = {})
{
    Sets all{"scene.duration=1", "track.width=1"};
    all.insert(all.end(), sets.begin(), sets.end());
    return railway_scene(track_scene("", "[track]\n"), all);
}

std::vector<std::uint8_t> carve(const Bed& bed, const scene::Value& scene)
{
    return carved(bed.bodies, bed.shapes, *read_track(scene), scene.at("track"));
}

bool reaches_into_hole(const Vec<3>& place)
{
    const double half = 0.5 * edge, margin = 1e-3;
    return std::abs(place.x()) - half < 0.42 + margin && std::abs(place.y() - 0.45) - half < 0.145 + margin &&
           place.z() + half > 0.3 - margin;
}

TEST(Carving, TakesWhatReachesIntoTheHoleOrLiesAboveIt)
{
    const Bed bed = lattice();
    const std::vector<std::uint8_t> kept = carve(bed, scene_with());
    std::size_t taken = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(kept[i] == 0, reaches_into_hole(bed.bodies.position[i])) << bed.bodies.position[i].transpose();
        taken += kept[i] == 0;
    }
    EXPECT_EQ(taken, 18u * 6 * 5) << "columns along x and y, layers from the underside to the top";
}

TEST(Carving, LeavesAMillimetreAroundTheSleeper)
{
    Bed bed;
    bed.add({0, 0.45, 0.2995 - 0.5 * edge});                 // half a millimetre below it
    bed.add({0, 0.45, 0.2985 - 0.5 * edge});                 // one and a half
    bed.add({0, 0.45 + 0.1455 + 0.5 * edge, 0.4});           // half a millimetre beside it
    bed.add({0, 0.45 + 0.1465 + 0.5 * edge, 0.4});           // one and a half
    bed.add({0.5 * 0.84 + 0.0005 + 0.5 * edge, 0.45, 0.53}); // beside it, above its top
    EXPECT_EQ(carve(bed, scene_with()), (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
}

// its box meets that of the hole, it does not
TEST(Carving, LeavesATurnedGrainWhoseCornersMissTheHole)
{
    Bed bed;
    const double diagonal = std::sqrt(0.5) * edge; // half of it: of the box around a cube turned by 45° about z
    const std::int32_t grain = bed.add({0.42 + 0.7 * diagonal, 0.45 + 0.145 + 0.7 * diagonal, 0.4});
    bed.bodies.orientation[std::size_t(grain)] = Rotation<3>::from_vector({0, 0, M_PI / 4});
    EXPECT_EQ(carve(bed, scene_with()), std::vector<std::uint8_t>{1});
}

TEST(Carving, WallsAndFixedBodiesStay)
{
    Bed bed;
    Body<3> wall;
    wall.shape = bed.shapes.add_half_space(Vec<3>(0, 0, 1));
    wall.imposed = all_imposed<3>;
    bed.bodies.add(wall);
    bed.bodies.imposed[std::size_t(bed.add({0, 0.45, 0.4}))] = all_imposed<3>;
    EXPECT_EQ(carve(bed, scene_with()), (std::vector<std::uint8_t>{1, 1}));
}

TEST(Carving, LeavesTheNumberOfGrainsAskedForAndTakesTheHighest)
{
    const Bed bed = lattice();
    const std::vector<std::uint8_t> kept = carve(bed, scene_with({"track.grains=2500", "track.below=0.05"}));
    EXPECT_EQ(std::accumulate(kept.begin(), kept.end(), 0), 2500);
    double highest_kept = 0, lowest_taken = 1;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Vec<3>& place = bed.bodies.position[i];
        const bool in_hole = std::abs(place.x()) < 0.45 && std::abs(place.y() - 0.45) < 0.17 && place.z() > 0.03;
        if (kept[i]) highest_kept = std::max(highest_kept, place.z());
        if (!kept[i] && !in_hole) lowest_taken = std::min(lowest_taken, place.z());
    }
    EXPECT_LE(highest_kept, lowest_taken);
}

TEST(Carving, LevelsTheSurfaceAtTheHeightWhereNoNumberIsGiven)
{
    const Bed bed = lattice();
    const std::vector<std::uint8_t> kept = carve(bed, scene_with({"track.height=0.43"}));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Vec<3>& place = bed.bodies.position[i];
        EXPECT_EQ(kept[i] == 0, reaches_into_hole(place) || place.z() > 0.43) << place.transpose();
    }
}

TEST(Carving, ShoulderLeavesNothingAboveItsSlope)
{
    const Bed bed = lattice();
    const std::vector<std::uint8_t> kept =
        carve(bed, scene_with({"track.sleepers.length=0.3", "track.shoulder=[\"right\"]", "track.crest=0.1",
                               "track.slope=0.5", "track.height=1"}));
    std::size_t cut = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Vec<3>& place = bed.bodies.position[i];
        const double slope = 0.52 - 0.5 * (place.x() - 0.15 - 0.1); // from the top of the sleeper
        if (place.x() > 0.25 && place.z() > slope) {
            EXPECT_EQ(kept[i], 0) << place.transpose();
            ++cut;
        } else if (std::abs(place.x()) > 0.18) { // left of the crest nothing is cut but for the sleeper
            EXPECT_EQ(kept[i], 1) << place.transpose();
        }
    }
    EXPECT_GT(cut, 50u);
}

TEST(ToolLevel, IsTheHighestPointBelowTheToolsAndTheirClearance)
{
    const Track track = *read_track(scene_with({"track.tools.clearance=0.007"}));
    const std::vector<ToolPlace> places = track.tool_places(0);
    Bed bed;
    const std::size_t first = 0;
    EXPECT_EQ(tool_level(bed.bodies, bed.shapes, track, std::span(&first, 1)), 0.007) << "above the sub-layer";
    bed.add({places[0].x + 0.06 + 0.5 * edge - 1e-3, places[0].y, 0.3}); // a millimetre below the foot of the first
    bed.add({places[1].x, places[1].y, 0.2});
    bed.add({places[1].x + 0.06 + 0.5 * edge + 1e-3, places[1].y, 0.5}); // a millimetre off the foot
    bed.add({places[1].x, places[1].y + 0.015 + 0.5 * edge + 1e-3, 0.5});
    EXPECT_NEAR(tool_level(bed.bodies, bed.shapes, track, std::span(&first, 1)), 0.3 + 0.02 + 0.007, 1e-15);
}

TEST(ToolLevel, ToolsArePlacedAtASleeperWithTheirTipsThere)
{
    Simulation<3> simulation =
        track_simulation(track_scene("", "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n"), {"scene.duration=1"});
    const Track track = *read_track(
        railway_scene(track_scene("", "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n"), {"scene.duration=1"}));
    const std::vector<std::int32_t> tools = {std::int32_t(body_named(simulation, "tool 1")),
                                             std::int32_t(body_named(simulation, "tool 2"))};
    const std::vector<Vec<3>> before = {simulation.bodies.position[std::size_t(tools[0])],
                                        simulation.bodies.position[std::size_t(tools[1])]};
    place_tools(simulation.bodies, simulation.shapes, tools, track, 1, 0.7);
    for (std::size_t k = 0; k < 2; ++k) {
        const Vec<3> moved = simulation.bodies.position[std::size_t(tools[k])] - before[k];
        EXPECT_NEAR((moved - Vec<3>(0, 0.6, 0.7 - 1)).norm(), 0, 1e-14);
    }
}

TEST(SubLayer, GrainsThatRestOnTheFloorAreFixed)
{
    Bed bed;
    bed.add({0, 0.1, 0.5 * edge});          // on the floor
    bed.add({0, 0.2, 0.5 * edge + 1.9e-3}); // as near as the solver leaves it
    bed.add({0, 0.3, 0.5 * edge + 2.1e-3}); // above it
    for (Vec<3>& velocity : bed.bodies.velocity) velocity = {0, 0, 1};
    fix_lowest_grains(bed.bodies, bed.shapes);
    EXPECT_TRUE(bed.bodies.is_passive(0) && bed.bodies.is_passive(1));
    EXPECT_EQ(bed.bodies.velocity[0].norm(), 0);
    EXPECT_EQ(bed.bodies.imposed[2], 0);
    EXPECT_EQ(bed.bodies.velocity[2].z(), 1);
}

} // namespace
} // namespace talus
