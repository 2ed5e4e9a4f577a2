// What pictures show of a crowd beside its bodies: who left by which exit, which way people face, the ways they have
// gone, maps of the ground; and people instead of grains on paper.
#include "io/made_up_run.hpp"
#include "report/painted.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/report/crowd/crowd_look.hpp"
#include "talus/report/view/view_data.hpp"

namespace talus::report {
namespace {

// Two walk apart along a corridor, each to an exit of their own; one waits for 4 s and stays.
const char* corridor = R"(
scene = { name = "apart", dimension = 2, method = "nsm2", dt = 0.01, duration = 10 }
materials = { person = { density = 400 } }
contact = { friction = 0 }
bodies = [
  { shape = "segment", from = [-6, 0], to = [6, 0], radius = 0.05, motion = "fixed", material = "person" },
  { shape = "segment", from = [-6, 3], to = [6, 3], radius = 0.05, motion = "fixed", material = "person" },
  { name = "right", shape = "disk", radius = 0.25, mass = "80 kg", position = [1, 1], material = "person" },
  { name = "left", shape = "disk", radius = 0.25, mass = "80 kg", position = [-1, 1], material = "person" },
  { name = "late", shape = "disk", radius = 0.25, mass = "80 kg", position = [0, 2], material = "person" }]
exits = [{ name = "east", from = [5, 0.1], to = [5, 2.9] }, { name = "west", from = [-5, 0.1], to = [-5, 2.9] }]
walkers = [
  { body = "right", speed = 1, exits = ["east"] },
  { body = "left", speed = 1, exits = ["west"] },
  { body = "late", speed = 1, exits = ["west"], reaction = 4 }]
)";
constexpr std::int32_t right = 2, left = 3, late = 4;
constexpr double until = 6, frames_every = 0.5; // [s]

void make_corridor(const std::filesystem::path& folder)
{
    const scene::Value scene = checked(io::parse_scene(corridor, "test.toml"));
    Simulation<2> simulation = assemble<2>(scene);
    io::RunWriter<2> writer(folder, scene, simulation, io::made_up_provenance(), false);
    for (double time = 0; time < until + 0.5 * frames_every; time += frames_every) {
        advance(simulation, time);
        writer.frame(simulation);
    }
    writer.flush();
}

CrowdHistory<2> history_of(const std::filesystem::path& folder)
{
    CrowdHistory<2> history(folder, *crowd_scene(folder));
    history.refresh(io::read_constants<2>(folder), std::int64_t(until / frames_every) + 1);
    return history;
}

TEST(CrowdHistory, KnowsByWhichExitPeopleLeft)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const CrowdHistory<2> history = history_of(scratch / "run");
    EXPECT_EQ(history.tracks()[right].exit, 0);
    EXPECT_EQ(history.tracks()[left].exit, 1);
    EXPECT_EQ(history.tracks()[late].exit, -1); // still there
    EXPECT_FALSE(history.tracks()[0].is_person());
    // 4 m at 1 m/s, after 0.5 s of getting under way, less 0.1 m of reach
    EXPECT_NEAR(history.tracks()[right].last, 4.4, frames_every);
    EXPECT_EQ(history.left_before(3), 0u);
    EXPECT_EQ(history.left_before(until), 2u);
}

TEST(CrowdHistory, FramesThatComeLaterMakeNoDifference)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const CrowdHistory<2> whole = history_of(scratch / "run");
    CrowdHistory<2> growing(scratch / "run", *crowd_scene(scratch / "run"));
    const io::Frame<2> constants = io::read_constants<2>(scratch / "run");
    for (const std::int64_t frames : {1, 4, 5, 13}) growing.refresh(constants, frames);
    ASSERT_EQ(growing.moments(), whole.moments());
    for (std::size_t k = 0; k < whole.tracks().size(); ++k) {
        EXPECT_EQ(growing.tracks()[k].places, whole.tracks()[k].places);
        EXPECT_EQ(growing.tracks()[k].exit, whole.tracks()[k].exit);
    }
}

TEST(CrowdHistory, PeopleFaceWhereTheyGo)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const CrowdHistory<2> history = history_of(scratch / "run");
    // at the start all stand: they face the way they will go
    for (const std::int64_t index : {0, 3}) {
        const io::Frame<2> frame = io::read_frame<2>(scratch / "run", index);
        const std::vector<Vec<2>> heading = history.headings(frame, numbers_in(frame));
        EXPECT_GT(heading[right].x(), 0.95);
        EXPECT_LT(heading[left].x(), -0.95);
        EXPECT_LT(heading[late].x(), -0.9);
        for (const Vec<2>& ahead : heading) EXPECT_NEAR(ahead.norm(), 1, 1e-12);
    }
}

TEST(CrowdLook, WaysEndWherePeopleAreOrWhereTheyLeft)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const auto looks = CrowdLooks<2>::open(scratch / "run");
    ASSERT_TRUE(looks);
    const io::Frame<2> early = io::read_frame<2>(scratch / "run", 4), end = io::read_frame<2>(scratch / "run", 12);
    const auto look = looks->look(early, true), last = looks->look(end, true);
    ASSERT_EQ(look->trails.size(), 3u);
    ASSERT_EQ(last->trails.size(), 3u);
    EXPECT_EQ(look->inside, 3u);
    EXPECT_EQ(last->inside, 1u);
    EXPECT_EQ(last->left, 2u);
    // a file of floats
    EXPECT_LT((look->trails[0].places.front() - Vec<2>(1, 1)).norm(), 1e-6);
    EXPECT_LT((look->trails[0].places.back() - early.bodies.position[right]).norm(), 1e-12);
    EXPECT_GT(last->trails[0].places.back().x(), 4); // of somebody who left by x = 5 within half a second
    EXPECT_EQ(looks->look(end, false)->trails.size(), 0u);
}

TEST(CrowdLook, RunOfGrainsHasNone)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 5);
    EXPECT_FALSE(CrowdLooks<2>::open(scratch / "run"));
    EXPECT_EQ(ViewedRun::open(scratch / "run")->crowd(), "");
}

// Random persons in a room without walls: cells that nobody owns have no value, all others that of the nearest person.
TEST(CrowdMap, CellHasTheDensityOfTheNearestPerson)
{
    Random random(3);
    BodyTable<2> bodies;
    ShapeTable<2> shapes;
    for (int k = 0; k < 40; ++k) {
        Body<2> person;
        person.position = {8 * random.uniform(), 5 * random.uniform()};
        person.shape = shapes.add_ball(0.01);
        bodies.add(person);
    }
    CellOptions options;
    options.with_outlines = true;
    const std::vector<PersonCell> cells = person_cells(bodies, shapes, options);
    std::vector<MappedPerson> persons;
    for (const PersonCell& cell : cells) persons.push_back({cell.outline, 1 / cell.area, double(cell.body)});
    const CrowdMaps maps = crowd_maps(map_grid({0, 0}, {8, 5}, MapGrain::coarse), persons);
    const MapGrid& grid = maps.grid;
    for (int j = 0; j < grid.ny; ++j) {
        for (int i = 0; i < grid.nx; ++i) {
            const Vec<2> centre = grid.lower + grid.cell * Vec<2>(i + 0.5, j + 0.5);
            std::vector<std::pair<double, std::size_t>> nearest;
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                nearest.emplace_back((bodies.position[k] - centre).norm(), k);
            }
            std::ranges::sort(nearest);
            // chords of 3° lie up to 0.7 mm inside the circle of 2 m
            if (nearest[1].first - nearest[0].first < 1e-9 || std::abs(nearest[0].first - 2) < 1e-3) continue;
            const double found = maps.speed[grid.index(i, j)];
            if (nearest[0].first > 2) {
                EXPECT_TRUE(std::isnan(found));
            } else {
                EXPECT_EQ(found, double(nearest[0].second)) << centre.transpose();
            }
        }
    }
}

// Of one who left between two frames: whatever they came near on their way.
TEST(CrowdScene, ExitIsTheOneOnTheWay)
{
    CrowdScene scene;
    scene.exits = {{"a", {0, 0}, {0, 1}, 0, 1e9}, {"b", {3, 0}, {3, 1}, 0, 1e9}, {"shut", {1, 0}, {1, 1}, 5, 6}};
    EXPECT_EQ(scene.exit_near({1.2, 0.5}, {3.2, 0.5}, 0), 1); // nearer to "shut" and to "a", but goes through "b"
    EXPECT_EQ(scene.exit_near({1.2, 0.5}, {1.2, 0.5}, 0), 0);
    EXPECT_EQ(scene.exit_near({1.2, 0.5}, {1.2, 0.5}, 5.5), 2);
    EXPECT_EQ(CrowdScene().exit_near({0, 0}, {0, 0}, 0), -1);
}

class CrowdPicture : public PaintedTest {};

TEST_F(CrowdPicture, NoseIsBeforeThePersonAndGreyIsWhoStays)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const io::Frame<2> frame = io::read_frame<2>(scratch / "run", 4);
    PictureOptions options;
    options.colour = Quantity::exit;
    options.crowd = CrowdLooks<2>::open(scratch / "run")->look(frame, false);
    const Picture picture = paint(frame, options);
    const auto colour = [&](std::int32_t body, double ahead) {
        const Vec<2> heading = options.crowd->heading[std::size_t(body)];
        return colour_at(picture, picture.pixel_of(frame.bodies.position[std::size_t(body)] + ahead * 0.25 * heading));
    };
    for (const std::int32_t body : {right, left}) {
        EXPECT_LT(difference(colour(body, 0.5), colour(body, 0)), 0.02);  // the nose has the colour of the head
        EXPECT_GT(difference(colour(body, -0.5), colour(body, 0)), 0.15); // behind are the shoulders
    }
    EXPECT_LT(difference(colour(right, -0.5), qualitative(0)), 0.02);
    EXPECT_LT(difference(colour(left, -0.5), qualitative(1)), 0.02);
    EXPECT_LT(difference(colour(late, -0.5), neutral), 0.02);
}

TEST(CrowdSketch, HasPeopleInsteadOfBallsAndShowsTheExits)
{
    const io::Scratch scratch;
    make_corridor(scratch / "run");
    const io::Frame<2> frame = io::read_frame<2>(scratch / "run", 2);
    Subject subject;
    subject.map = MapKind::density;
    subject.crowd = CrowdLooks<2>::open(scratch / "run")->look(frame, true);
    const Sketch sketch = sketch_of(frame, subject);
    EXPECT_EQ(sketch.persons.size(), 3u);
    EXPECT_TRUE(sketch.balls.empty());
    EXPECT_EQ(sketch.rods.size(), 2u);
    EXPECT_EQ(sketch.paths.size(), 3u);
    ASSERT_TRUE(sketch.heat);
    for (const ExitLine& exit : sketch.exits) {
        for (const Vec<2>& end : {exit.from, exit.to}) {
            EXPECT_TRUE((end.array() > sketch.lower.array()).all() && (end.array() < sketch.upper.array()).all());
        }
    }
    EXPECT_LT((sketch.upper - sketch.lower).y(), 6); // a corridor is not as high as long
    Subject grains;
    grains.colour = Quantity::density;
    EXPECT_TRUE(has(refusal_of([&] { sketch_of(frame, grains); }), "no run of a crowd"));
}

} // namespace
} // namespace talus::report
