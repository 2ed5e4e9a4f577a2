// Trajectories as a text file, the frames they come from, and density and speed in a measuring area.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/crowd/fundamental.hpp"
#include "talus/io/runs/crowd_frames.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/crowd_figures.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace talus {
namespace {

namespace fs = std::filesystem;

// A folder that is gone at the end.
struct Scratch {
    fs::path path = fs::temp_directory_path() / fmt::format("talus-crowd-{}", ::getpid());
    Scratch() { fs::create_directories(path); }
    ~Scratch() { fs::remove_all(path); }
};

fs::path recorded(const Scratch& scratch, const std::vector<std::string>& sets)
{
    const scene::Value scene = checked(io::read_scene(std::string(TALUS_SCENES) + "/crowd/room.toml"), sets);
    const fs::path folder = scratch.path / "run";
    Run<2> run(RunSetup<2>{assemble<2>(scene), plan_of(scene), scene});
    run.observe(io::new_recorder(run, scene, {folder, "test", false}));
    run.advance();
    return folder;
}

TEST(CrowdFiles, TrajectoriesReadBackAsTheFrames)
{
    const Scratch scratch;
    const fs::path folder = recorded(scratch, {"generators[0].count=30", "scene.duration=12"});
    const io::CrowdFrames frames(folder);
    EXPECT_NEAR(frames.rate(), 5, 1e-9);
    const std::size_t lines = io::write_trajectories(frames, scratch.path / "t.txt");

    std::ifstream in(scratch.path / "t.txt");
    std::string line;
    std::vector<std::array<double, 4>> rows; // id, frame, x, y
    double rate = 0;
    while (std::getline(in, line)) {
        if (line.starts_with("#")) {
            if (const auto at = line.find("framerate:"); at != std::string::npos)
                rate = std::stod(line.substr(at + 10));
            continue;
        }
        std::istringstream fields(line);
        std::array<double, 4> row;
        ASSERT_TRUE(fields >> row[0] >> row[1] >> row[2] >> row[3]) << line;
        rows.push_back(row);
    }
    EXPECT_EQ(rate, 5);
    EXPECT_EQ(rows.size(), lines);
    std::size_t at = 0, gone = 0;
    for (std::size_t f = 0; f < frames.times().size(); ++f) {
        const io::Frame<2> frame = frames.frame(f);
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (frame.bodies.is_passive(i)) continue;
            ASSERT_LT(at, rows.size());
            EXPECT_EQ(rows[at][0], double(frame.bodies.id(i)));
            EXPECT_EQ(rows[at][1], double(f));
            EXPECT_NEAR(rows[at][2], frame.bodies.position[i].x(), 5.1e-5); // four decimals
            EXPECT_NEAR(rows[at][3], frame.bodies.position[i].y(), 5.1e-5);
            ++at;
        }
        gone = 35 - frame.bodies.size();
    }
    EXPECT_EQ(at, rows.size());
    EXPECT_GT(gone, 5u) << "numbers of persons must hold while others leave";
}

TEST(CrowdFiles, RefuseFramesThatAreNotEvenlySpaced)
{
    const Scratch scratch;
    const fs::path folder = recorded(scratch, {"generators[0].count=3", "scene.duration=1.1"});
    const std::string said =
        refusal_of([&] { io::write_trajectories(io::CrowdFrames(folder), scratch.path / "t.txt"); });
    EXPECT_TRUE(has(said, "not evenly spaced")) << said;
    EXPECT_FALSE(fs::exists(scratch.path / "t.txt"));
}

TEST(CrowdFiles, PersonsTableSaysWhatTheSeriesSays)
{
    const Scratch scratch;
    const fs::path folder = recorded(scratch, {"generators[0].count=30", "scene.duration=12"});
    const io::SeriesColumns series = io::read_series(folder / "series.csv");
    const report::Chart chart = report::evacuation_chart(series);
    ASSERT_EQ(chart.curves.size(), 2u);
    EXPECT_EQ(chart.curves[1].name, "left by door");
    for (std::size_t k = 0; k < series.lines(); ++k) EXPECT_EQ(chart.curves[0].y[k] + chart.curves[1].y[k], 30);
    std::istringstream persons(io::read_text(folder / "persons.csv"));
    std::string line;
    int left = -1; // the header has an exit too
    while (std::getline(persons, line)) left += has(line, ",door,") || has(line, ",exit,");
    EXPECT_EQ(left, chart.curves[1].y.back());
}

// A lattice that walks at one speed fills the area: both methods give 1/a² and that speed.
TEST(Fundamental, OfALatticeIsItsDensityAndSpeed)
{
    BodyTable<2> bodies;
    ShapeTable<2> shapes;
    const double a = 0.5;
    const std::int32_t disk = shapes.add_ball(0.2);
    for (int j = 0; j < 20; ++j) {
        for (int i = 0; i < 20; ++i) {
            Body<2> body;
            body.position = {(i + 0.5) * a, (j + 0.5) * a};
            body.velocity = {0.6, 0.8};
            body.mass = 75;
            body.shape = disk;
            bodies.add(body);
        }
    }
    const FundamentalSample whole = measure_fundamental(bodies, shapes, {{3, 3}, {7, 6}});
    EXPECT_EQ(whole.persons, 48);
    EXPECT_NEAR(whole.density, 4, 1e-12);
    EXPECT_NEAR(whole.voronoi_density, 4, 1e-12);
    EXPECT_NEAR(*whole.speed, 1, 1e-12);
    EXPECT_NEAR(*whole.voronoi_speed, 1, 1e-12);
    // an area between persons: nobody's centre is in it, and by Voronoi cells it is as dense as everywhere
    const FundamentalSample between = measure_fundamental(bodies, shapes, {{3.3, 3.3}, {3.6, 3.6}});
    EXPECT_EQ(between.persons, 0);
    EXPECT_FALSE(between.speed);
    EXPECT_NEAR(between.voronoi_density, 4, 1e-12);
}

TEST(CrowdFigures, PaintSquaresWherePeopleWere)
{
    if (!report::can_paint()) GTEST_SKIP() << "no cairo";
    const Scratch scratch;
    const io::CrowdFrames frames(recorded(scratch, {"generators[0].count=10", "scene.duration=2"}));
    const CrowdMap map = report::crowd_map(frames, 1);
    EXPECT_EQ(map.moments(), 11u);
    double persons = 0;
    for (const double density : map.density()) persons += density * map.side() * map.side();
    double mean = 0;
    frames.each({}, [&](const io::Frame<2>& frame) { mean += double(frame.bodies.size() - 5) / 11; });
    EXPECT_NEAR(persons, mean, 1e-9); // the mean number of persons
    const auto inked = [](const report::Picture& picture) {
        return std::ranges::count_if(picture.pixels, [](std::uint32_t pixel) { return pixel != 0xffffffffu; });
    };
    const report::CrowdPicture small{"", 400, {}};
    for (const auto quantity :
         {report::MapQuantity::density, report::MapQuantity::speed, report::MapQuantity::service}) {
        EXPECT_GT(inked(report::paint_map(frames, map, quantity, small)), 10000);
    }
    EXPECT_GT(inked(report::paint_paths(frames, small)), 2000);
}

} // namespace
} // namespace talus
