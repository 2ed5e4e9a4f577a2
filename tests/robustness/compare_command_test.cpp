// talus compare: a table with every method in it, what does not apply said with its reason, and what is refused.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"
#include "talus/io/runs/run_text.hpp"

#include <algorithm>
#include <numbers>
#include <sstream>

namespace talus::robustness {
namespace {

const std::string few_disks = with(shaken_disks, "count = 120", "count = 20") + gauges_of_disks;

Outcome compare(const Workplace& here, const Arguments& more)
{
    return talus_command(here, Arguments{"compare", "scene.toml", "--out", "both", "--steps", "40"} + more);
}

// The fields of the line of compare.csv with this quantity.
std::vector<std::string> line_of(const Workplace& here, const std::string& group, const std::string& quantity)
{
    std::istringstream lines(contents(here / "both/compare.csv"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(group + "," + quantity + ",")) continue;
        std::vector<std::string> fields;
        std::istringstream rest(line + ",");
        for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
        return fields;
    }
    ADD_FAILURE() << "no " << group << "," << quantity;
    return std::vector<std::string>(6, "0");
}

TEST(Compare, BothMethodsAreInTheTable)
{
    const Workplace here;
    here.write("scene.toml", few_disks);
    const Outcome outcome = compare(here, {"--methods", "nscd,dem"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    for (const char* word : {"nscd", "dem − nscd", "gauge core", "compacity", "friction_J", "wall_time_ratio"}) {
        EXPECT_TRUE(has(outcome.out, word)) << word << "\n" << outcome.out;
    }
    EXPECT_TRUE(
        contents(here / "both/compare.csv").starts_with("group,quantity,nscd,dem,dem_difference,dem_relative\n"));
    EXPECT_EQ(io::first_json_error(contents(here / "both/compare.json")), std::nullopt);
    EXPECT_EQ(summary_entry(here / "both/nscd", "outcome"), "done");
    EXPECT_EQ(summary_entry(here / "both/dem", "outcome"), "done");
    EXPECT_TRUE(has(contents(here / "both/dem/scene.toml"), "method = \"dem\""));
}

TEST(Compare, TheNumbersAreThoseOfTheRuns)
{
    const Workplace here;
    here.write("scene.toml", few_disks);
    ASSERT_EQ(compare(here, {"--methods", "nscd,dem"}).status, 0);
    const auto last = [&](const char* run, const std::string& name) {
        const io::SeriesColumns series = io::read_series(here / "both" / run / "series.csv");
        const auto at = std::ranges::find(series.names, name) - series.names.begin();
        return *series.values[std::size_t(at)].back();
    };
    const std::vector<std::string> kinetic = line_of(here, "energy", "kinetic_J");
    const double nscd = last("nscd", "kinetic_J"), dem = last("dem", "kinetic_J");
    EXPECT_EQ(std::stod(kinetic[2]), nscd);
    EXPECT_EQ(std::stod(kinetic[3]), dem);
    EXPECT_EQ(std::stod(kinetic[4]), dem - nscd);
    EXPECT_EQ(std::stod(kinetic[5]), (dem - nscd) / nscd);
    const std::vector<std::string> steps = line_of(here, "cost", "method_steps");
    EXPECT_EQ(steps[2], "40");
    EXPECT_EQ(steps[3], summary_entry(here / "both/dem", "method_steps"));
    EXPECT_GT(std::stod(steps[3]), 40) << "the stiffness asks for several in a step of the clock";
}

// Two disks that meet head-on keep ε² of their energy, by whatever method.
TEST(Compare, OneImpactLosesTheSameByThreeMethods)
{
    const Workplace here;
    here.write("scene.toml", R"(
        [scene]
        dimension = 2
        dt = "1 ms"
        duration = "40 ms"
        [materials]
        steel = { density = 7800 }
        [contact]
        restitution = 0.8
        friction = 0
        [[bodies]]
        name = "left"
        shape = "disk"
        radius = "1 cm"
        position = [0, 0]
        velocity = ["1 m/s", 0]
        material = "steel"
        [[bodies]]
        name = "right"
        shape = "disk"
        radius = "1 cm"
        position = ["4 cm", 0]
        velocity = ["-1 m/s", 0]
        material = "steel"
    )");
    const Outcome outcome = compare(here, {"--methods", "event,nscd,dem", "--set", "dem.stiffness=1e6"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    const std::vector<std::string> kinetic = line_of(here, "energy", "kinetic_J");
    const double kept = 0.64 * 7800 * std::numbers::pi * 1e-4; // of m v²/2 twice
    EXPECT_NEAR(std::stod(kinetic[2]), kept, 1e-12 * kept) << "event";
    EXPECT_NEAR(std::stod(kinetic[3]), kept, 1e-9 * kept) << "nscd";
    EXPECT_NEAR(std::stod(kinetic[4]), kept, 1e-2 * kept) << "dem: a fifteenth of the impact a step";
}

TEST(Compare, MethodsAreRefusedByName)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const auto refused = [&](const std::string& methods, const std::string& words) {
        const Outcome outcome = compare(here, {"--methods", methods});
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, words)) << outcome;
        EXPECT_FALSE(fs::exists(here / "both")) << methods;
    };
    refused("nscd", "two methods at least");
    refused("nscd,demm", "\"demm\" is no method; did you mean \"dem\"?");
    refused("dem,dem", "dem is named twice");
    refused("nscd,dem,contact_dynamics", "nscd and contact_dynamics are the same method");
    refused("nscd,,dem", "\"\" is no method");
}

TEST(Compare, BadScenesAndFoldersWriteNothing)
{
    const Workplace here;
    here.write("scene.toml", with(one_disk, "radius = \"1 cm\"", "radius = \"-1 cm\""));
    EXPECT_EQ(compare(here, {"--methods", "nscd,dem"}).status, 2);
    here.write("scene.toml", one_disk);
    EXPECT_EQ(talus_command(here, {"compare", "scene.toml"}).status, 2) << "which methods?";
    EXPECT_EQ(talus_command(here, {"compare", "none.toml", "--methods", "nscd,dem"}).status, 2);
    const Outcome twice = compare(here, {"--methods", "nscd,dem", "--set", "scene.method=dem"});
    EXPECT_EQ(twice.status, 2);
    EXPECT_TRUE(has(twice.err, "--methods says which")) << twice;
    EXPECT_EQ(compare(here, {"--methods", "nscd,dem", "--set", "dem.stifness=1"}).status, 2);
    EXPECT_FALSE(fs::exists(here / "both"));
    EXPECT_FALSE(fs::exists(here / "out"));
}

TEST(Compare, KeysOfOneMethodAreNoMistake)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const Outcome outcome = compare(here, {"--methods", "nscd,dem", "--set", "dem.stiffness=123456"});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(has(contents(here / "both/nscd/scene.toml"), "stiffness = 123456"));
}

TEST(Compare, MethodThatDoesNotApplyIsSaidSo)
{
    const Workplace here;
    here.write("scene.toml", with(one_disk, "shape = \"disk\"\nradius = \"1 cm\"",
                                  "shape = \"polygon\"\nvertices = [[-0.01, -0.01], [0.01, -0.01], [0, 0.01]]"));
    const Outcome outcome = compare(here, {"--methods", "nscd,dem", "--set", "dem.normal=hertz_material", "--set",
                                           "materials.steel.young=2e9", "--set", "materials.steel.poisson=0.3", "--set",
                                           "dem.tangential=mindlin"});
    EXPECT_EQ(outcome.status, 2) << "one alone is no comparison\n" << outcome;
    EXPECT_TRUE(has(outcome.out, "dem does not apply: ")) << outcome;
    EXPECT_TRUE(has(outcome.out, "needs a radius")) << outcome;
    EXPECT_TRUE(has(contents(here / "both/compare.json"), "\"outcome\": \"does not apply\""));
    EXPECT_EQ(summary_entry(here / "both/nscd", "outcome"), "done") << "the others still run";
    EXPECT_FALSE(fs::exists(here / "both/dem"));
}

TEST(Compare, ImpactsAloneDoNotHoldWhatLies)
{
    const Workplace here;
    here.write("scene.toml", with(one_disk, "shape = \"disk\"\nradius = \"1 cm\"",
                                  "shape = \"polygon\"\nvertices = [[-0.01, -0.01], [0.01, -0.01], [0, 0.01]]"));
    const Outcome outcome = compare(here, {"--methods", "nscd,event"});
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.out, "event does not apply: ")) << outcome;
    EXPECT_TRUE(has(outcome.out, "polygon")) << outcome;
    EXPECT_FALSE(fs::exists(here / "both/event"));
}

TEST(Compare, ForceReplacesAComparison)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    ASSERT_EQ(compare(here, {"--methods", "nscd,dem"}).status, 0);
    const auto before = all_files(here / "both");
    const Outcome refused = compare(here, {"--methods", "dem,nscd"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(has(refused.err, "--force replaces")) << refused;
    EXPECT_EQ(all_files(here / "both"), before);
    EXPECT_EQ(compare(here, {"--methods", "dem,nscd", "--force"}).status, 0);
    EXPECT_TRUE(contents(here / "both/compare.csv").starts_with("group,quantity,dem,nscd,"));
}

} // namespace
} // namespace talus::robustness
