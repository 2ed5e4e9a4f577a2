// The track as [track] describes it: what scene.scale shortens and what it leaves, where sleepers and tools stand.
#include "railway/track_scenes.hpp"

namespace talus {
namespace {

Track track_of(const Sets& sets = {})
{
    return *read_track(checked(io::read_scene(std::string(TALUS_SCENES) + "/ballast/bourrage-1b1c.toml"), sets));
}

constexpr double exact = 1e-14; // [m] sums of a few lengths below 3 m

TEST(Track, OfBourrage1B1CHasFourToolsOnEachSideOfTheSleeper)
{
    const Track track = track_of();
    EXPECT_EQ(track.width, 2);
    EXPECT_EQ(track.length, 0.9);
    EXPECT_EQ(track.grains, 17000);
    ASSERT_EQ(track.sleepers.size(), 1u);
    EXPECT_EQ(track.sleepers[0].name, "sleeper 1");
    EXPECT_NEAR((track.sleepers[0].centre - Vec<3>(0, 0.45, 0.3 + 0.11)).norm(), 0, exact);
    EXPECT_NEAR((track.sleeper_size - Vec<3>(0.84, 0.29, 0.22)).norm(), 0, exact);
    const std::vector<ToolPlace> tools = track.tool_places(0);
    ASSERT_EQ(tools.size(), 8u);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(tools[k].towards, 1) << "the row at smaller y comes first";
        EXPECT_EQ(tools[k + 4].towards, -1);
        EXPECT_NEAR(tools[k].x, (double(k) - 1.5) * 0.21, exact);
        EXPECT_EQ(tools[k].x, tools[k + 4].x) << "each faces another";
        EXPECT_NEAR(tools[k].y + tools[k + 4].y, 2 * 0.45, exact) << "symmetric about the sleeper";
        const double face = tools[k].y + 0.5 * track.tool_thickness();
        EXPECT_NEAR(0.45 - 0.145 - face, 0.15, exact) << "from the face to the sleeper's side";
    }
}

TEST(Track, ScaleShortensBoxAndSleeperAlongTheSleeperOnly)
{
    const Track whole = track_of(), quarter = track_of({"scene.scale=0.25"});
    EXPECT_NEAR(quarter.width, 0.5, exact);
    EXPECT_EQ(quarter.length, whole.length);
    EXPECT_EQ(quarter.grains, 4250);
    EXPECT_EQ(quarter.below, whole.below);
    EXPECT_NEAR(quarter.height, whole.height, 1e-12) << "as many grains per area";
    EXPECT_NEAR((quarter.sleeper_size - Vec<3>(0.21, 0.29, 0.22)).norm(), 0, exact);
    EXPECT_EQ(quarter.foot, whole.foot);
    EXPECT_EQ(quarter.tools_per_row, 1);
    EXPECT_EQ(quarter.tool_places(0).size(), 2u);
    EXPECT_EQ(track_of({"scene.scale=0.06", "operations=[]", "scene.duration=1"}).tools_per_row, 1)
        << "one pair at least";
    EXPECT_EQ(track_of({"track.tools.count=0", "operations=[]", "scene.duration=1"}).tools_per_row, 0);
}

TEST(Track, MonoblocHasSixteenToolsAroundTwoRailSeats)
{
    const Track track = track_of({"track.sleepers.type=monobloc", "track.width=3", "track.grains=26000"});
    EXPECT_NEAR((track.sleeper_size - Vec<3>(2.6, 0.30, 0.22)).norm(), 0, exact);
    ASSERT_EQ(track.seats.size(), 2u);
    EXPECT_NEAR(track.seats[1], 0.755, 0.005) << "half of the distance between the rails, to half a centimetre";
    EXPECT_EQ(track.seats[0], -track.seats[1]);
    const std::vector<ToolPlace> tools = track.tool_places(0);
    ASSERT_EQ(tools.size(), 16u);
    for (const double side : {1.0, -1.0}) {
        for (const double seat : track.seats) {
            double mean = 0;
            int count = 0;
            for (const ToolPlace& tool : tools) {
                if (tool.towards != side || tool.x * seat < 0) continue;
                mean += tool.x;
                ++count;
            }
            EXPECT_EQ(count, 4);
            EXPECT_NEAR(mean / count, seat, exact);
        }
    }
}

TEST(Track, SevenSleepersLieEvenlyAboutTheMiddle)
{
    const Track track = track_of({"track.sleepers.count=7", "track.length=4.5", "track.grains=85000"});
    ASSERT_EQ(track.sleepers.size(), 7u);
    EXPECT_NEAR(track.sleepers[3].centre.y(), 2.25, exact);
    for (std::size_t k = 1; k < 7; ++k) {
        EXPECT_NEAR(track.sleepers[k].centre.y() - track.sleepers[k - 1].centre.y(), 0.6, exact);
        EXPECT_EQ(track.sleepers[k].name, "sleeper " + std::to_string(k + 1));
    }
    // the tools of another sleeper are those of the first, further along
    const std::vector<ToolPlace> first = track.tool_places(0), last = track.tool_places(6);
    for (std::size_t k = 0; k < first.size(); ++k) EXPECT_NEAR(last[k].y - first[k].y, 6 * 0.6, 1e-13);
}

TEST(Track, LevelsRaiseEachSleeper)
{
    const Track track = track_of(
        {"track.sleepers.count=2", "track.length=1.5", "track.grains=30000", "track.sleepers.levels=[0.02, -0.01]"});
    EXPECT_NEAR(track.sleepers[0].centre.z(), 0.3 + 0.02 + 0.11, exact);
    EXPECT_NEAR(track.sleepers[1].centre.z(), 0.3 - 0.01 + 0.11, exact);
}

TEST(Track, WithoutSleepersBothSidesShrinkAndTheGrainsWithTheSquare)
{
    const Track track = track_of({"track.sleepers.type=none", "operations=[]", "scene.duration=1", "scene.scale=0.5"});
    EXPECT_NEAR(track.width, 1, exact);
    EXPECT_NEAR(track.length, 0.45, exact);
    EXPECT_EQ(track.grains, 4250);
    EXPECT_TRUE(track.sleepers.empty());
    EXPECT_FALSE(track.has_tools());
}

TEST(TrackParts, SleeperWeighsItsConcreteAndItsSeats)
{
    const double seat = 0.18 * 0.15 * 0.015;
    for (const bool monobloc : {false, true}) {
        Sets sets{"track.tools.count=0", "scene.duration=1"};
        if (monobloc) sets.insert(sets.end(), {"track.sleepers.type=monobloc", "track.width=3"});
        const auto simulation = track_simulation(track_scene("", "[track]\n"), sets);
        const double volume = monobloc ? 2.6 * 0.30 * 0.22 + 2 * seat : 0.84 * 0.29 * 0.22 + seat;
        const std::size_t sleeper = body_named(simulation, "sleeper 1");
        // eight corners to 1e-16 each
        EXPECT_NEAR(simulation.bodies.mass[sleeper], 2400 * volume, 1e-12 * 2400 * volume);
        EXPECT_EQ(simulation.bodies.imposed[sleeper], 0b111000) << "it sinks freely and does not turn";
    }
}

TEST(TrackParts, GivenMassReplacesThatOfTheConcrete)
{
    const auto simulation =
        track_simulation(track_scene(""), {"track.sleepers.mass=90", "scene.duration=1", "track.tools.mass=55"});
    EXPECT_EQ(simulation.bodies.mass[body_named(simulation, "sleeper 1")], 90);
    EXPECT_EQ(simulation.bodies.mass[body_named(simulation, "tool 1")], 55);
}

Bounds<3> bounds_of(const Simulation<3>& simulation, std::size_t body, std::size_t part)
{
    const Shape<3>& shape = simulation.shapes[simulation.bodies.shape[body]];
    const Cluster& cluster = simulation.shapes.clusters[std::size_t(shape.detail)];
    Bounds<3> bounds =
        simulation.shapes.polytopes[std::size_t(cluster.first) + part].bounds(simulation.bodies.orientation[body]);
    return {bounds.lower + simulation.bodies.position[body], bounds.upper + simulation.bodies.position[body]};
}

TEST(TrackParts, TipOfAToolLiesAtItsLevel)
{
    const auto simulation = track_simulation(track_scene(""), {"scene.duration=1", "track.tools.count=8"});
    const Track track = track_of();
    const std::vector<ToolPlace> places = track.tool_places(0);
    for (std::size_t k = 0; k < 8; ++k) {
        const std::size_t tool = body_named(simulation, tool_name(k));
        const Bounds<3> foot = bounds_of(simulation, tool, 0), shaft = bounds_of(simulation, tool, 1);
        EXPECT_NEAR(foot.lower.z(), 1, exact);
        EXPECT_NEAR((foot.upper - foot.lower - Vec<3>(0.12, 0.025, 0.07)).norm(), 0, exact) << "the foot";
        EXPECT_NEAR(shaft.lower.z(), foot.upper.z(), exact) << "the shaft stands on it";
        EXPECT_NEAR(0.5 * (foot.lower.x() + foot.upper.x()), places[k].x, exact);
        EXPECT_NEAR(0.5 * (foot.lower.y() + foot.upper.y()), places[k].y, exact);
        EXPECT_TRUE(simulation.bodies.is_passive(tool));
    }
}

TEST(TrackParts, GaugesOfASingleSleeperLieAboutIt)
{
    const Track track = track_of();
    const Vec<3> centre = track.sleepers[0].centre - Vec<3>(0, 0, 0.01); // it has sunk
    const scene::Value::List gauges = track_gauges(track, std::span(&centre, 1));
    std::vector<std::string> names;
    for (const scene::Value& gauge : gauges) names.push_back(gauge.at("name").text());
    ASSERT_EQ(names.size(), 7u + 1 + 8);
    EXPECT_EQ(names[0], "below left");
    EXPECT_EQ(names[6], "end left");
    EXPECT_EQ(names[7], "sleeper 1");
    EXPECT_EQ(names[15], "tool 8");
    const std::vector<double> lower = gauges[1].at("lower").numbers(), upper = gauges[1].at("upper").numbers();
    EXPECT_EQ(lower[2], 0) << "down to the sub-layer";
    EXPECT_NEAR(upper[2], 0.29, exact) << "up to the underside of the sleeper, where it came to rest";
    EXPECT_NEAR(upper[0] - lower[0], 0.84, exact);
    EXPECT_NEAR(upper[1] - lower[1], 0.29, exact);
}

TEST(TrackParts, GaugesOfSeveralSleepersLieBelowEach)
{
    const Track track = track_of({"track.sleepers.count=2", "track.length=1.5", "track.grains=30000"});
    const std::vector<Vec<3>> centres = {track.sleepers[0].centre, track.sleepers[1].centre};
    std::vector<std::string> names;
    for (const scene::Value& gauge : track_gauges(track, centres)) names.push_back(gauge.at("name").text());
    ASSERT_EQ(names.size(), 5u + 8);
    EXPECT_EQ(names[0], "below 1");
    EXPECT_EQ(names[1], "crib 1-2");
    EXPECT_EQ(names[2], "sleeper 1");
    EXPECT_EQ(names[3], "below 2");
}

} // namespace
} // namespace talus
