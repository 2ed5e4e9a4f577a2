// Rooms: obstacles from WKT, doors that open and close, people who come during the run; and what is wrong with a room.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/io/load.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace talus {
namespace {

std::string crowd_start(const std::string& duration = "30")
{
    return piece::start({.dt = "0.01", .duration = duration, .more = "method = \"nsm2\"", .contact = "friction = 0"});
}
std::string wkt(const std::string& text, const std::string& keys = "")
{
    return "[[generators]]\ntype = \"wkt\"\nmaterial = \"stone\"\ntext = \"" + text + "\"\n" + piece::lines(keys);
}
std::string person(double x, double y)
{
    return piece::body("disk", fmt::format("radius = 0.25\nmass = 80\nposition = [{}, {}]", x, y));
}
const std::string exit_right = "[[exits]]\nname = \"end\"\nfrom = [9, 0.1]\nto = [9, 3.9]\n";
const std::string walk = "[[walkers]]\n";
// A corridor 4 m wide along x.
const std::string corridor = wkt("LINESTRING (0 4, 0 0, 10 0) LINESTRING (0 4, 10 4)");

double time_of_last(Simulation<2>& simulation, std::size_t count, double limit)
{
    while (simulation.left.size() < count && simulation.clock.time() < limit) simulation.step();
    return simulation.clock.time();
}

TEST(Wkt, MakesWallsOfLinesAndSolidsOfPolygons)
{
    const std::string u = "POLYGON ((0 0, 4 0, 4 3, 3 3, 3 1, 1 1, 1 3, 0 3, 0 0))"; // not convex: a U of area 8 m²
    Simulation<2> solid = simulation_of<2>(crowd_start() + wkt(u + " LINESTRING (0 5, 1 5, 2 6)"));
    double area = 0;
    std::size_t walls = 0;
    for (std::size_t i = 0; i < solid.bodies.size(); ++i) {
        EXPECT_TRUE(solid.bodies.is_passive(i));
        const Shape<2>& shape = solid.shapes[solid.bodies.shape[i]];
        if (shape.kind == ShapeKind::segment) ++walls;
        if (shape.kind == ShapeKind::polytope) area += mass_properties(solid.shapes.polytopes[shape.detail]).volume;
    }
    EXPECT_NEAR(area, 8, 1e-12);
    EXPECT_EQ(walls, 2u);
    const Simulation<2> room = simulation_of<2>(crowd_start() + wkt(u, "polygons = \"walls\"\nthickness = 0.2"));
    EXPECT_EQ(room.bodies.size(), 8u);
    EXPECT_EQ(room.shapes[room.bodies.shape[0]].radius, 0.1);
}

TEST(Wkt, IsWalkedRound)
{
    const std::string block = wkt("POLYGON ((4 0, 5 0, 5 3, 4 3, 4 0))");
    Simulation<2> simulation = simulation_of<2>(crowd_start() + corridor + block + person(1, 1) + exit_right + walk);
    double highest = 0;
    while (simulation.left.empty() && simulation.clock.time() < 20) {
        simulation.step();
        if (simulation.left.empty()) highest = std::max(highest, simulation.bodies.position[0].y());
    }
    EXPECT_EQ(simulation.left.size(), 1u);
    EXPECT_GT(highest, 3.2); // over the block, whose top is at 3 m
}

TEST(Wkt, IsReadFromAFileAndRefusedAtItsLines)
{
    const auto folder = std::filesystem::temp_directory_path() / "talus-wkt-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "room.wkt") << "LINESTRING (0 0, 10 0)\nPOLYGON ((1 1, 2 1, 2 2))\n"
                                       << "POLYGON ((3 1, 4 2, 4 1, 3 2, 3 1))\n";
    std::ofstream(folder / "scene.toml") << crowd_start()
                                         << "[[generators]]\ntype = \"wkt\"\nmaterial = \"stone\"\n"
                                            "file = \"room.wkt\"\n";
    const std::string said =
        refusal_of([&] { io::load_simulation<2>(checked(io::read_scene((folder / "scene.toml").string()))); });
    EXPECT_TRUE(has(said, "room.wkt:2:") && has(said, "polygon[0].ring[0]") && has(said, "open")) << said;
    EXPECT_TRUE(has(said, "room.wkt:3:") && has(said, "polygon[1].ring[0]")) << said;
    std::filesystem::remove_all(folder);
}

TEST(Wkt, IsRefusedByRingAndPlaceInTheScene)
{
    const std::string open = refusal<2>(crowd_start() + wkt("POLYGON ((1 1, 2 1, 2 2))"));
    EXPECT_TRUE(has(open, "generators[0].text") && has(open, "polygon[0].ring[0]") && has(open, "open")) << open;
    const std::string crossing = refusal<2>(crowd_start() + wkt("POLYGON ((3 1, 4 2, 4 1, 3 2, 3 1))"));
    EXPECT_TRUE(has(crossing, "generators[0].text") && has(crossing, "polygon[0].ring[0]")) << crossing;
    EXPECT_TRUE(has(refusal<2>(crowd_start() + "[[generators]]\ntype = \"wkt\"\nmaterial = \"stone\"\n"),
                    "either text or file"));
}

TEST(PeopleAtTheStart, AreRefusedByNumberAndPlace)
{
    const std::string block = wkt("POLYGON ((4 0, 6 0, 6 3, 4 3, 4 0))");
    const auto expect = [&](const std::string& more, const std::string& words) {
        const std::string said = refusal<2>(crowd_start() + corridor + more + walk);
        EXPECT_TRUE(has(said, words)) << said;
    };
    expect(block + person(5, 1) + exit_right, "bodies[0]");          // in the middle of a solid
    expect(person(1, 0.1) + exit_right, "bodies[0]");                // in a wall
    expect(person(1, 1) + person(1.3, 1) + exit_right, "bodies[1]"); // in another person
    expect(wkt("LINESTRING (5 0, 5 4)") + person(1, 1) + exit_right, "at (1, 1) m has no way to any exit");
    expect(person(1, 1) + "[[exits]]\nname = \"slit\"\nfrom = [10, -0.2]\nto = [10, 0.2]\n", "\"slit\"");
    expect(person(1, 1) + exit_right + "[[walkers]]\nreaction = -1\n", "reaction");
    expect(person(1, 1) + exit_right + "[[walkers]]\nbody = \"nobody\"\n", "neither a body nor a generator");
}

TEST(Doors, StandInTheWayUntilTheyOpen)
{
    const std::string door =
        "[[doors]]\nname = \"gate\"\nfrom = [5, 0]\nto = [5, 4]\nmaterial = \"stone\"\nopens = 8\n";
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        Simulation<2> simulation = simulation_of<2>(crowd_start() + corridor + person(1, 2) + door + exit_right + walk,
                                                    {"scene.method=\"" + std::string(name) + "\""});
        const std::size_t bodies = simulation.bodies.size();
        const auto place = [&] { return simulation.bodies.position[std::size_t(simulation.bodies.find(BodyId(0)))]; };
        advance(simulation, 7.9);
        EXPECT_NEAR(place().x(), 4.7, 0.02) << name; // they wait before it
        advance(simulation, 9);
        EXPECT_EQ(simulation.bodies.size(), bodies - 1) << name;
        EXPECT_NEAR(time_of_last(simulation, 1, 20), 8 + (9 - 0.1 - 4.7) / 1.34 + 0.5, 0.1) << name; // τ to get going
        EXPECT_EQ(simulation.left.size(), 1u) << "a door is nobody who left";
    }
}

TEST(Doors, CloseWhenNobodyStandsThereAndAreWalkedRound)
{
    // a wall with a gap at the top, and a gate at the bottom that closes
    const std::string wall = wkt("LINESTRING (5 1.5, 5 2.5)");
    const std::string gate =
        "[[doors]]\nname = \"gate\"\nfrom = [5, 0]\nto = [5, 1.5]\nmaterial = \"stone\"\ncloses = 3\n";
    const std::string people = person(2.4, 0.75) + person(0.5, 0.75);
    Simulation<2> simulation =
        simulation_of<2>(crowd_start() + wall + corridor + people + gate + exit_right + walk, {"walkers[0].speed=1"});
    std::int32_t through_gate = 0, over = 0;
    std::vector<double> before(2, 0);
    while (simulation.left.size() < 2 && simulation.clock.time() < 25) {
        simulation.step();
        for (int id = 0; id < 2; ++id) {
            const std::int32_t i = simulation.bodies.find(BodyId(id));
            if (i < 0) continue;
            const Vec<2>& place = simulation.bodies.position[std::size_t(i)];
            if (before[std::size_t(id)] < 5 && place.x() >= 5) ++(place.y() < 1.5 ? through_gate : over);
            before[std::size_t(id)] = place.x();
        }
    }
    EXPECT_EQ(simulation.left.size(), 2u);
    EXPECT_EQ(through_gate, 1); // stood in it at 3 s: it waited
    EXPECT_EQ(over, 1);
}

TEST(Sources, FeedPeopleWhoWalkToTheExitOfTheirGroup)
{
    const auto feeder = [](const std::string& name, double x) {
        return piece::generator("feeder", fmt::format("[{}, 0.1]", x), fmt::format("[{}, 3.9]", x + 1.5),
                                "shape = \"disk\"\nradius = [0.2, 0.25]\nrate = 2\ncount = 8\nname = \"" + name + "\"");
    };
    const std::string exits = exit_right + "[[exits]]\nname = \"left\"\nfrom = [1, 0.1]\nto = [1, 3.9]\n";
    const std::string groups = "[[walkers]]\nbody = \"one\"\nexits = [\"end\"]\n"
                               "[[walkers]]\nbody = \"two\"\nexits = [\"left\"]\n";
    Simulation<2> simulation =
        simulation_of<2>(crowd_start() + corridor + feeder("one", 5.5) + feeder("two", 2.5) + exits + groups);
    std::vector<std::int32_t> right, left;
    std::vector<double> last(64, 0);
    while (simulation.left.size() < 16 && simulation.clock.time() < 25) {
        simulation.step();
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            if (!simulation.bodies.is_passive(i))
                last[std::size_t(simulation.bodies.id(i))] = simulation.bodies.position[i].x();
        }
    }
    for (const Departure& departure : simulation.left) {
        (last[std::size_t(departure.body)] > 5 ? right : left).push_back(std::int32_t(departure.body));
    }
    EXPECT_EQ(right.size(), 8u); // each group by its own exit: those of the other would have come out at the other end
    EXPECT_EQ(left.size(), 8u);
}

TEST(Walkers, LeaveAtTheirSetTimes)
{
    Simulation<2> simulation = simulation_of<2>(crowd_start() + corridor + person(1, 1) + person(1, 3) + exit_right +
                                                "[[walkers]]\nreaction = [2, 6]\n");
    advance(simulation, 2);
    EXPECT_EQ(simulation.bodies.position[0].x(), 1);
    EXPECT_EQ(simulation.bodies.position[1].x(), 1);
    time_of_last(simulation, 2, 30);
    ASSERT_EQ(simulation.left.size(), 2u);
    for (const Departure& departure : simulation.left) {
        EXPECT_GT(departure.time, 2 + 7.8 / 1.34);
        EXPECT_LT(departure.time, 6 + 8 / 1.34 + 1);
    }
}

} // namespace
} // namespace talus
