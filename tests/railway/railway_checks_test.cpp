// Mistakes in [track] and [[operations]] are told by key, with what is allowed; doubtful values give warnings.
#include "railway/track_scenes.hpp"
#include "talus/railway/railway_checks.hpp"

#include <random>

namespace talus {
namespace {

const std::string tamping = R"([[operations]]
type = "tamping"
penetration_depth = 0.38
[[operations]]
type = "stabilisation"
time = 1
)";

void expect_problem(const Sets& sets, const std::string& key, const std::vector<std::string>& words)
{
    const std::string text = mistakes_of(track_scene(tamping, "[track]\n"), sets);
    EXPECT_TRUE(has(text, key)) << key << "\n" << text;
    for (const std::string& word : words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
}

TEST(RailwayChecks, TheSceneOfTheseTestsIsSoundWithoutMistakes)
{
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n")), "");
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"track.tools.count=8"}), "");
}

TEST(RailwayChecks, ToolsThatDoNotFit)
{
    expect_problem({"track.tools.distance=0.31"}, "track.tools.distance = 0.31", {"outside the box"});
    expect_problem({"track.tools.count=20"}, "track.tools", {"outside the box"});
    expect_problem({"track.sleepers.count=2", "track.length=1.5", "track.tools.distance=0.3"},
                   "track.tools.distance = 0.3", {"neighbouring sleeper"});
    expect_problem({"track.tools.count=8", "track.tools.pitch=0.11"}, "track.tools.pitch = 0.11", {"0.12 m wide"});
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"track.tools.pitch=0.11"}), "") << "one tool in a row";
}

// pitch 0.5 m about seats at ±0.754 m: the inner tools of the two rails stand in the same place
TEST(RailwayChecks, ToolsOfTheTwoRailsMustNotOverlap)
{
    expect_problem({"track.tools.count=8", "track.sleepers.type=monobloc", "track.width=3.5", "track.tools.pitch=0.5"},
                   "track.tools.pitch = 0.5", {"overlap"});
}

TEST(RailwayChecks, SleepersThatDoNotFit)
{
    expect_problem({"track.sleepers.length=2.1"}, "track.sleepers.length = 2.1", {"do not fit", "2 m"});
    expect_problem({"track.sleepers.count=2", "track.length=1.5", "track.sleepers.spacing=0.28"},
                   "track.sleepers.spacing = 0.28", {"overlap", "0.29 m wide"});
    expect_problem({"track.sleepers.count=3"}, "track.length", {"too short", "from"});
    expect_problem({"track.sleepers.levels=[0, 0.01]"}, "track.sleepers.levels", {"2 entries for 1 sleepers"});
    expect_problem({"track.below=0.6"}, "track.below = 0.6", {"0.55 m high"});
    expect_problem({"track.grains=1000"}, "track.below", {"m high"});
}

TEST(RailwayChecks, SleepersBelowTheSubLayer)
{
    expect_problem({"track.sleepers.levels=[-0.35]"}, "track.sleepers.levels", {});
}

TEST(RailwayChecks, SleepersThatAreNotThere)
{
    expect_problem({"operations[0].sleepers=[1, 2]"}, "operations[0].sleepers[1] = 2",
                   {"no such sleeper", "from 1 to 1"});
    expect_problem({"operations[1].sleepers=[1.5]"}, "operations[1].sleepers[0] = 1.5", {"from 1 to 1"});
    expect_problem({"operations[0].sleepers=[0]"}, "operations[0].sleepers", {});
    expect_problem({"operations[0].sleepers=[]"}, "operations[0].sleepers", {});
    expect_problem({"track.sleepers.type=none"}, "operations[0].type = \"tamping\"", {"needs a sleeper"});
    expect_problem({"track.tools.count=0"}, "operations[0].type = \"tamping\"", {"needs tools"});
}

TEST(RailwayChecks, StrokesAndDivesThatStrike)
{
    expect_problem({"operations[0].squeeze_stroke=0.146"}, "operations[0].squeeze_stroke = 0.146",
                   {"strike the sleeper", "0.15 m away", "0.005 m"});
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"operations[0].squeeze_stroke=0.144"}), "");
    expect_problem({"operations[0].penetration_depth=0.7"}, "operations[0].penetration_depth = 0.7",
                   {"sub-layer", "0.55 m high"});
    expect_problem({"operations[0].penetration_time=0.5"}, "operations[0].penetration_time = 0.5",
                   {"0.8 m", "sub-layer"});
}

TEST(RailwayChecks, FrequenciesThatTheStepCannotResolve)
{
    expect_problem({"operations[0].frequency=101"}, "operations[0].frequency = 101",
                   {"0.001 s", "9.9 per period", "dt ≤"});
    expect_problem({"operations[1].frequency=200"}, "operations[1].frequency = 200", {"dt ≤ 0.0005 s"});
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"operations[0].frequency=100"}), "");
}

// σ w t²/(6 l) = 20.25 kN
TEST(RailwayChecks, ForcesThatNoToolCanHold)
{
    expect_problem({"operations[0].squeeze_force=20.3e3"}, "operations[0].squeeze_force = 20300",
                   {"20.2 kN", "track.tools.strength"});
    expect_problem({"operations[0].penetration_force=1e5"}, "operations[0].penetration_force = ", {"20.2 kN"});
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"operations[0].squeeze_force=20.2e3"}), "");
}

TEST(RailwayChecks, UnknownMaterials)
{
    expect_problem({"track.material=balast"}, "track.material = \"balast\"", {"did you mean \"ballast\"?"});
    expect_problem({"track.wall_material=wal"}, "track.wall_material = \"wal\"", {"\"wall\""});
    expect_problem({"track.sleepers.material=concret"}, "track.sleepers.material = \"concret\"", {"\"concrete\""});
    expect_problem({"track.tools.material=stel"}, "track.tools.material = \"stel\"", {"\"steel\""});
}

TEST(RailwayChecks, AllMistakesAreToldAtOnce)
{
    const std::string text =
        mistakes_of(track_scene(tamping, "[track]\n"), {"track.material=balast", "track.sleepers.levels=[0, 1]",
                                                        "operations[0].frequency=500", "operations[1].sleepers=[7]"});
    for (const char* key :
         {"track.material", "track.sleepers.levels", "operations[0].frequency", "operations[1].sleepers[0]"}) {
        EXPECT_TRUE(has(text, key)) << key << "\n" << text;
    }
}

// [m], [s] or [m/s]: the number that a message tells after these words
double told(const std::string& text, const std::string& before)
{
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before << "\n" << text;
    return at == std::string::npos ? 0 : std::stod(text.substr(at + before.size()));
}

const std::string one_tamping = "[[operations]]\ntype = \"tamping\"\npenetration_depth = 0.3\n";

Sets with(Sets sets, const std::string& key, double value)
{
    sets.push_back(key + "=" + scene::number_text(value));
    return sets;
}

// whatever the crib between two sleepers: what does not fit is refused, and what is told as fitting fits
TEST(RailwayChecks, ToolsFitIntoTheCribBetweenTwoSleepersOrWhatFitsIsTold)
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> spacing(0.32, 0.75), distance(0.02, 0.3), amplitude(0, 0.04);
    int refused = 0;
    for (int round = 0; round < 100; ++round) {
        const double s = spacing(random), d = distance(random), a = amplitude(random);
        Sets sets{"track.sleepers.count=3", "track.length=4", "operations[0].squeeze_time=0",
                  "operations[0].sleepers=[2]"};
        sets = with(with(with(sets, "track.sleepers.spacing", s), "track.tools.distance", d), "operations[0].amplitude",
                    a);
        const bool fits = s - 0.29 >= d + 0.03 + a; // a sleeper 0.29 m wide, a tool 0.03 m thick
        const std::string text = mistakes_of(track_scene(one_tamping, "[track]\n"), sets);
        EXPECT_EQ(text.empty(), fits) << s << " " << d << " " << a << "\n" << text;
        if (text.empty()) continue;
        ++refused;
        const Sets wider = with(sets, "track.sleepers.spacing", told(text, "track.sleepers.spacing = "));
        EXPECT_EQ(mistakes_of(track_scene(one_tamping, "[track]\n"), wider), "") << text;
        if (!has(text, "at most ")) continue;
        const Sets quieter = with(sets, "operations[0].amplitude", told(text, "at most "));
        EXPECT_EQ(mistakes_of(track_scene(one_tamping, "[track]\n"), quieter), "") << text;
    }
    EXPECT_GT(refused, 20);
}

TEST(RailwayChecks, AMachinePresetThatDoesNotFitTheTrackIsNamed)
{
    const std::string two = "[track]\nlength = 2\n[track.sleepers]\ncount = 2\nspacing = 0.478\n";
    const std::string text =
        mistakes_of(track_scene(one_tamping, two + "[machine]\npreset = \"table-1.1-high\"\n"), {"scene.dt=2e-4"});
    EXPECT_TRUE(has(text, "operations[0].amplitude = \"10 mm\"")) << text;
    EXPECT_TRUE(has(text, "crib of 0.188 m") && has(text, "at most 0.008 m")) << text;
    EXPECT_TRUE(has(text, "machine.preset = \"table-1.1-high\" gives 10 mm")) << text;
    EXPECT_EQ(mistakes_of(track_scene(one_tamping, two + "[machine]\npreset = \"table-1.1-low\"\n"), {"scene.dt=2e-4"}),
              "");
}

// two operations on a sleeper overlap, or they do not: whichever comes first in the file or in time
TEST(RailwayChecks, APushOnASleeperThatIsStillHeldIsRefused)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> begin(0, 3), time(0.1, 1.5);
    int refused = 0;
    for (int round = 0; round < 100; ++round) {
        const double a = begin(random), ta = time(random), b = begin(random), tb = time(random);
        const bool same = random() % 2 == 0;
        const Sets sets =
            with(with(with(with({}, "operations[0].from", a), "operations[0].time", ta), "operations[1].from", b),
                 "operations[1].displacement", 0.02 * tb);
        const std::string operations = "[[operations]]\ntype = \"stabilisation\"\ntime = 1\n[[operations]]\ntype = "
                                       "\"lateral_push\"\nsleepers = [" +
                                       std::string(same ? "1, 2" : "2") + "]\n";
        const std::string scene = track_scene(operations, "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n");
        const bool overlap = same && a < b + tb && b < a + ta;
        const std::string text = mistakes_of(scene, sets);
        EXPECT_EQ(text.empty(), !overlap) << a << " " << ta << " " << b << " " << tb << "\n" << text;
        if (!overlap || text.empty()) continue;
        ++refused;
        EXPECT_TRUE(has(text, "operations[1].from = ") && has(text, "operations[0] still acts on sleeper 1")) << text;
        EXPECT_EQ(mistakes_of(scene, with(sets, "operations[1].from", told(text, "at least "))), "") << text;
    }
    EXPECT_GT(refused, 10);
}

// past the first that holds it another may: what is told as fitting fits with all
TEST(RailwayChecks, APushIsToldATimeWhenItsSleeperIsFreeOfAll)
{
    std::mt19937 random(23);
    std::uniform_real_distribution<double> time(0.1, 0.8), begin(0, 2);
    const std::string shake = "[[operations]]\ntype = \"stabilisation\"\ntime = 1\n";
    const std::string scene =
        track_scene(shake + shake + shake + "[[operations]]\ntype = \"lateral_push\"\npause = 0.2\n", "[track]\n");
    int refused = 0;
    for (int round = 0; round < 50; ++round) {
        Sets sets = with({"operations[1].pause=0.1"}, "operations[3].from", begin(random));
        for (int k = 0; k < 3; ++k) sets = with(sets, fmt::format("operations[{}].time", k), time(random));
        const std::string text = mistakes_of(scene, sets);
        if (text.empty()) continue;
        ++refused;
        EXPECT_EQ(mistakes_of(scene, with(sets, "operations[3].from", told(text, "at least "))), "") << text;
    }
    EXPECT_GT(refused, 20);
}

TEST(RailwayChecks, TwoWallsMayBeShakenAtOnce)
{
    const auto pair = [](const std::string& wall) {
        return mistakes_of(
            track_scene("[[operations]]\ntype = \"wall_force\"\ntime = 1\nwall = \"left\"\n[[operations]]\n"
                        "type = \"wall_force\"\ntime = 1\nfrom = 0.5\nwall = \"" +
                            wall + "\"\n",
                        "[track]\n"));
    };
    EXPECT_EQ(pair("right"), "");
    EXPECT_TRUE(has(pair("left"), "operations[0] still acts on this wall")) << pair("left");
}

TEST(RailwayChecks, ATrainThatIsOverASleeperInLessThanAStep)
{
    const std::string train = "[[operations]]\ntype = \"train\"\ncycles = 2\nsleepers = [1, 2]\n";
    const std::string scene = track_scene(train, "[track]\nlength = 1.5\n[track.sleepers]\ncount = 2\n");
    EXPECT_EQ(mistakes_of(scene, {"operations[0].speed=600"}), "") << "0.6 m in a step of 1 ms";
    const std::string text = mistakes_of(scene, {"operations[0].speed=700"});
    EXPECT_TRUE(has(text, "operations[0].speed = 700") && has(text, "0.6 m") && has(text, "at most 600 m/s")) << text;
    const std::string alone = mistakes_of(scene, {"operations[0].speed=80", "operations[0].sleepers=[2]"});
    EXPECT_TRUE(has(alone, "operations[0].speed = 80") && has(alone, "no effect on one sleeper")) << alone;
}

// the bed of these scenes is 0.55 m high, 0.3 m of it below the sleepers
TEST(RailwayChecks, LevelsAndLiftsThatTakeASleeperOutOfTheBed)
{
    expect_problem({"track.sleepers.levels=[0.26]"}, "track.sleepers.levels[0] = 0.26",
                   {"0.56 m high", "on top of the bed of about 0.55 m", "below 0.25 m"});
    expect_problem({"track.sleepers.levels=[-0.31]"}, "track.sleepers.levels[0] = -0.31",
                   {"sub-layer", "above -0.3 m"});
    expect_problem({"operations[0].lift=0.3"}, "operations[0].lift = 0.3", {"to 0.6 m", "below 0.25 m"});
    expect_problem(
        {"track.sleepers.count=2", "track.length=1.5", "track.sleepers.levels=[0, 0.2]", "operations[0].lift=0.1"},
        "operations[0].lift = 0.1", {"to 0.6 m", "below 0.05 m"});
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"track.sleepers.levels=[0.24]"}), "");
    EXPECT_EQ(mistakes_of(track_scene(tamping, "[track]\n"), {"operations[0].lift=0.24"}), "");
}

// at every scale a scene is sound, or told which is
TEST(RailwayChecks, AScaleThatIsTooSmallIsToldTheSmallestThatFits)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> scales(0.001, 0.15);
    const std::vector<std::string> tracks = {"[track]\n",
                                             "[track]\nwidth = 3.6\n[track.sleepers]\ntype = \"monobloc\"\n"};
    int refused = 0;
    for (int round = 0; round < 40; ++round) {
        const Sets sets = with({"track.tools.count=8"}, "scene.scale", scales(random));
        const std::string scene = track_scene(one_tamping, tracks[round % 2]);
        const std::string text = mistakes_of(scene, sets);
        if (text.empty()) {
            EXPECT_NO_THROW(assemble<3>(with_parts(railway_scene(scene, sets)))) << "parts that overlap";
            continue;
        }
        ++refused;
        const double scale = told(text, "; scene.scale = ");
        EXPECT_EQ(mistakes_of(scene, with(sets, "scene.scale", scale)), "") << text;
        EXPECT_NE(mistakes_of(scene, with(sets, "scene.scale", scale - 0.01)), "") << scale;
    }
    EXPECT_GT(refused, 15);
    // seats 0.18 m long, 2 × 0.29 of the sleeper's length apart: 0.119 of 2.6 m
    const std::string text = mistakes_of(track_scene(one_tamping, tracks[1]), {"scene.scale=0.1"});
    EXPECT_TRUE(has(text, "track.sleepers.length = \"auto\"") && has(text, "rail seats of 0.18 m")) << text;
    EXPECT_TRUE(has(text, "; scene.scale = 0.12 is the smallest that fits")) << text;
}

TEST(RailwayChecks, ABoxThatIsNarrowerThanAGrain)
{
    const std::string box = "[track]\n[track.sleepers]\ntype = \"none\"\n";
    const std::string text = mistakes_of(track_scene("", box), {"scene.duration=1", "scene.scale=0.05"});
    EXPECT_TRUE(has(text, "track.width = 2") && has(text, "0.11 m")) << text;
    EXPECT_TRUE(has(text, "scene.scale = 0.13 is the smallest that fits")) << "0.9 m long\n" << text;
}

std::string without_track(const std::string& rest, const std::string& duration = "1", int dimension = 3)
{
    return "[scene]\ndimension = " + std::to_string(dimension) + "\ndt = \"1 ms\"\nduration = " + duration +
           "\n[materials]\nsteel = { preset = \"steel\" }\nwall = { preset = \"steel\" }\nballast = { preset = "
           "\"steel\" }\nconcrete = { preset = \"steel\" }\n" +
           rest;
}

TEST(RailwayChecks, WhatNeedsATrack)
{
    const std::string operation = "[[operations]]\ntype = \"train\"\ncycles = 1\n";
    EXPECT_EQ(mistakes_of(without_track("")), "");
    const std::string no_track = mistakes_of(without_track(operation));
    EXPECT_TRUE(has(no_track, "operations[0]") && has(no_track, "[track]")) << no_track;
    const std::string scale = mistakes_of(without_track(""), {"scene.scale=0.5"});
    EXPECT_TRUE(has(scale, "scene.scale = 0.5") && has(scale, "[track]")) << scale;
    const std::string duration = mistakes_of(without_track("", "\"auto\""));
    EXPECT_TRUE(has(duration, "scene.duration = \"auto\"") && has(duration, "give a time")) << duration;
    const std::string no_end = mistakes_of(without_track("[track]\n", "\"auto\""));
    EXPECT_TRUE(has(no_end, "scene.duration = \"auto\"") && has(no_end, "give a time")) << no_end;
    const std::string flat = mistakes_of(without_track("[track]\n", "1", 2));
    EXPECT_TRUE(has(flat, "track") && has(flat, "3D")) << flat;
    const std::string flat_operation = mistakes_of(without_track(operation, "1", 2));
    EXPECT_TRUE(has(flat_operation, "operations[0]")) << flat_operation;
}

TEST(RailwayChecks, NumbersOutOfTheirRange)
{
    expect_problem({"scene.scale=1.5"}, "scene.scale = 1.5", {"out of range"});
    expect_problem({"scene.scale=0"}, "scene.scale = 0", {"out of range"});
    expect_problem({"track.grains=0"}, "track.grains = 0", {"out of range"});
    expect_problem({"track.tools.foot=[0.1, 0.1]"}, "track.tools.foot", {"3"});
    expect_problem({"operations[0].squeeze_force=-1"}, "operations[0].squeeze_force = -1", {"out of range"});
    expect_problem({"operations[0].squezee_force=1"}, "operations[0].squezee_force", {"squeeze_force"});
    expect_problem({"operations[1].time=0"}, "operations[1].time = 0", {"out of range"});
    expect_problem({"operations[0].type=tamp"}, "operations[0].type = \"tamp\"", {"tamping"});
}

std::vector<std::string> warnings_with(const Sets& sets)
{
    Sets all{"operations[0].squeeze_force=16e3"};
    all.insert(all.end(), sets.begin(), sets.end());
    return railway_warnings(railway_scene(track_scene(tamping, "[track]\n"), all));
}

TEST(WorkingRanges, ValuesInsideGiveNoWarning)
{
    EXPECT_EQ(warnings_with({}), std::vector<std::string>{}) << "the defaults";
    EXPECT_EQ(warnings_with({"operations[0].lift=0.05", "operations[0].penetration_speed=2.5",
                             "operations[0].withdrawal_speed=2.5", "operations[0].frequency=45",
                             "operations[0].squeeze_force=19e3", "operations[0].squeeze_time=1.2",
                             "operations[0].amplitude=0.01"}),
              std::vector<std::string>{})
        << "the upper ends";
}

TEST(WorkingRanges, WhatIsNotDoneGivesNoWarning)
{
    EXPECT_EQ(warnings_with({"operations[0].lift=0", "operations[0].squeeze_time=0", "operations[0].amplitude=0",
                             "operations[0].squeeze_force=0"}),
              std::vector<std::string>{});
}

TEST(WorkingRanges, ValuesOutsideAreNamedWithTheirRange)
{
    const std::vector<std::string> all = warnings_with(
        {"operations[0].squeeze_force=6e3", "operations[0].withdrawal_speed=1", "operations[0].frequency=30"});
    ASSERT_EQ(all.size(), 3u);
    const auto expect = [&](const std::string& key, const std::string& value, const std::string& range) {
        const auto found = std::ranges::find_if(all, [&](const std::string& line) { return has(line, key); });
        ASSERT_NE(found, all.end()) << key;
        EXPECT_TRUE(has(*found, value) && has(*found, range) && has(*found, "Table 1.1")) << *found;
    };
    expect("operations[0].squeeze_force", "6 kN", "16 to 19 kN");
    expect("operations[0].withdrawal_speed", "1 m/s", "1.6 to 2.5 m/s");
    expect("operations[0].frequency", "30 Hz", "35 to 45 Hz");
}

TEST(WorkingRanges, AreThoseOfTheWarningsOfARun)
{
    const scene::Value scene =
        with_parts(railway_scene(track_scene(tamping, "[track]\n"), {"operations[0].frequency=30"}));
    const auto simulation = assemble<3>(scene);
    const std::vector<std::string> all = warnings(simulation, scene);
    EXPECT_TRUE(std::ranges::any_of(all, [](const std::string& line) { return has(line, "operations[0].frequency"); }));
}

} // namespace
} // namespace talus
