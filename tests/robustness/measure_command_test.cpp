// talus measure: the same numbers as the run, gauges on their own cadence, and what it refuses.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"
#include "talus/io/runs/run_columns.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/picture.hpp"

#include <algorithm>
#include <cmath>

namespace talus::robustness {
namespace {

std::string measured_disks()
{
    return with(shaken_disks, "series_every = \"2 ms\"", "series_every = \"10 ms\"") + gauges_of_disks;
}

using Column = std::vector<std::optional<double>>;
Column column(const io::SeriesColumns& series, const std::string& name)
{
    const auto found = std::find(series.names.begin(), series.names.end(), name);
    EXPECT_NE(found, series.names.end()) << name;
    return found == series.names.end() ? Column{} : series.values[std::size_t(found - series.names.begin())];
}

TEST(Measure, GivesTheNumbersOfTheRun)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "200"}).status, 0);
    const Outcome outcome = talus_command(here, {"measure", "run", "--series", "again.csv"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    const io::SeriesColumns run = io::read_series(here / "run/series.csv"), again = io::read_series(here / "again.csv");
    ASSERT_EQ(run.lines(), 21u);
    ASSERT_EQ(again.lines(), run.lines());
    int compared = 0;
    for (const std::string& name : run.names) {
        if (name.find('.') == std::string::npos) continue;
        const Column during = column(run, name), after = column(again, name);
        for (std::size_t line = 0; line < during.size(); ++line) {
            if (!during[line]) continue; // not due, or no value
            EXPECT_EQ(during[line], after[line]) << name << " in line " << line;
            ++compared;
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Measure, GaugesHaveTheirOwnCadence)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(
        talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "100", "--set", "gauges[1].every=5 ms"})
            .status,
        0);
    const io::SeriesColumns series = io::read_series(here / "run/series.csv");
    EXPECT_EQ(series.lines(), 21u) << "every 5 ms, though the series asks for 10";
    const Column often = column(series, "carried.grains"), seldom = column(series, "core.grains");
    for (std::size_t line = 0; line < series.lines(); ++line) {
        EXPECT_TRUE(often[line]) << line;
        EXPECT_EQ(bool(seldom[line]), line % 2 == 0) << line;
    }
}

TEST(Measure, FloorCarriesTheWeightOfTheGrains)
{
    const Workplace here;
    // without vibration, until all has come down
    here.write("scene.toml",
               with(measured_disks(), "frequency = \"20 Hz\"", "frequency = \"20 Hz\"\nuntil = \"1 ms\""));
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--until", "1.2 s"}).status, 0);
    const io::SeriesColumns series = io::read_series(here / "run/series.csv");
    const double last = column(series, "floor.reaction_y_N").back().value();
    // 120 disks of radius 4 to 6 mm of steel: the walls without friction take nothing, those with it a part
    const double weight = 120 * 7850 * M_PI * 25.3e-6 * 9.81;
    EXPECT_LT(last, 0) << "the grains push it down";
    EXPECT_GT(-last, 0.5 * weight);
    EXPECT_LT(-last, 1.05 * weight);
}

TEST(Measure, TellsOfDoubtfulGaugesAndLeavesTheirValuesEmpty)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "20"}).status, 0);
    const Outcome outcome =
        talus_command(here, {"measure", "run", "--gauge",
                             "{name=\"off\", type=\"box\", lower=[5,5], upper=[6,6], indicators=\"all\"}", "--gauge",
                             "{name=\"tiny\", type=\"disk\", centre=[\"6 cm\",\"3 cm\"], radius=\"0.1 mm\"}"});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(has(outcome.err, "gauge off lies outside the sample")) << outcome;
    EXPECT_TRUE(has(outcome.err, "gauge tiny")) << outcome;
    EXPECT_FALSE(has(outcome.out, "nan") || has(outcome.out, "inf")) << outcome;
    const Outcome run =
        talus_command(here, {"run", "scene.toml", "--out", "other", "--steps", "2", "--set", "gauges[0].centre=[3,3]"});
    EXPECT_TRUE(has(run.err, "gauge core lies outside the sample")) << "a run says so too\n" << run;
}

TEST(Measure, CutsAndDiameters)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "300"}).status, 0);
    const Outcome outcome = talus_command(here, {"measure", "run", "--cut", "{centre=[0,\"1 cm\"], normal=[0,1]}",
                                                 "--diameters", "core", "--json", "m.json"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(has(outcome.out, "along the normal")) << outcome;
    EXPECT_TRUE(has(outcome.out, "rms deviation")) << outcome;
    EXPECT_FALSE(io::first_json_error(contents(here / "m.json")));
}

TEST(Measure, PredictsInterpenetrationOfTracksAlone)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "20"}).status, 0);
    const Outcome outcome = talus_command(here, {"measure", "run", "--predict"});
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "has no [track]") && has(outcome.err, "eq. 10.3")) << outcome;
}

TEST(Measure, WritesFigures)
{
    if (!report::can_paint()) GTEST_SKIP() << "built without cairo";
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "300"}).status, 0);
    const Outcome outcome = talus_command(here, {"measure", "run", "--diameters", "core", "--figures", "figures"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    for (const char* name : {"core-normals", "core-forces", "core-loads", "core-sizes", "core-diameters",
                             "profiles-compacity_profile", "series-energy", "series-settlement_m"}) {
        const std::string svg = contents(here / ("figures/" + std::string(name) + ".svg"));
        EXPECT_TRUE(has(svg, "<svg") && has(svg, "</svg>")) << name;
    }
}

TEST(Measure, RefusesWhatItCannotRead)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "20"}).status, 0);
    const auto before = all_files(here.path());
    const auto expect_refused = [&](const Arguments& arguments, const std::string& why) {
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, why)) << why << "\n" << outcome;
        EXPECT_EQ(all_files(here.path()), before);
    };
    expect_refused({"measure", "nowhere"}, "nowhere: is not a folder");
    expect_refused({"measure", "run", "--time", "7"}, "frames from t = 0 s");
    expect_refused({"measure", "run", "--diameters", "cor"}, "core");
    expect_refused({"measure", "run", "--diameters", "carried"}, "no disk gauge has this name");
    expect_refused({"measure", "run", "--cut", "{centre=[0,0], normal=[0,0]}"}, "normal");
    const auto gauge = [](const std::string& text) { return Arguments{"measure", "run", "--gauge", text}; };
    expect_refused(gauge("{name=\"a\", type=\"box\", lower=[1,1], upper=[0,2]}"), "must exceed");
    expect_refused(gauge("{name=\"a\", type=\"disk\", centre=[0,0], radius=-1}"), "radius");
    expect_refused(gauge("{name=\"core\", type=\"sample\"}"), "taken");
    expect_refused(gauge("{name=\"a\", type=\"sphere\", centre=[0,0], radius=1}"), "disk");
    expect_refused(gauge("{name=\"a\", type=\"body\", body=\"box.botom\"}"), "box.bottom");
    expect_refused(gauge("{name=\"a\", type=\"body\", body=\"grains\"}"), "names 120 bodies");
    expect_refused(gauge("{name=\"a\", type=\"sample\", indicators=[\"compactness\"]}"), "compacity");
    expect_refused(gauge("{name=\"a\""), "--gauge");
}

TEST(Measure, NamesADamagedRunAndANewerVersion)
{
    const Workplace here;
    here.write("scene.toml", measured_disks());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "20"}).status, 0);
    const std::string good = contents(here / "run/run.h5");
    std::string damaged = good;
    damaged[damaged.size() / 2] ^= 1;
    here.write("run/run.h5", damaged);
    const Outcome outcome = talus_command(here, {"measure", "run"});
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "run.h5")) << outcome;
    io::Hdf5Writer newer(here / "run/run.h5");
    newer.attribute("format", std::string("talus-run"));
    newer.attribute("format_version", io::format_version + 1);
    newer.attribute("dimension", std::int64_t{2});
    newer.commit();
    const Outcome refused = talus_command(here, {"measure", "run"});
    EXPECT_EQ(refused.status, 2) << refused;
    EXPECT_TRUE(has(refused.err, "a newer one is needed")) << refused;
    here.write("run/run.h5", good);
    fs::remove(here / "run/frames/000000.h5");
    EXPECT_EQ(talus_command(here, {"measure", "run"}).status, 2);
}

} // namespace
} // namespace talus::robustness
