// Measures of every step: contact force and time, crossings of lines, who left when and by which exit.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/crowd/crowd_measures.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <numbers>

namespace talus {
namespace {

constexpr double push = 500; // [N]

const CrowdMeasures& measures_of(const Simulation<2>& simulation)
{
    return dynamic_cast<const CrowdMeasures&>(*simulation.meters.at(0));
}

// Persons of 0.25 m in a row that begins at a wall; the last one is pushed towards it.
std::string pressed_row(int count, const std::string& method, const std::string& dt = "0.01")
{
    std::string scene = piece::start({.dt = dt,
                                      .duration = "2",
                                      .more = "method = \"" + method + "\"",
                                      .materials = "person = { density = 400 }",
                                      .contact = "friction = 0"}) +
                        piece::body("half_space", "normal = [1, 0]\nmotion = \"fixed\"", "person");
    for (int k = 0; k < count; ++k) {
        scene += piece::body(
            "disk", fmt::format("name = \"p{}\"\nradius = 0.25\nposition = [{}, 0]", k, 0.25 + 0.5 * k), "person");
    }
    return scene + fmt::format("[[drivers]]\ntype = \"force\"\nbody = \"p{}\"\nforce = [{}, 0]\n", count - 1, -push);
}

// At rest the wall gives what the driver gives; somebody between the wall and a neighbour has it from both sides.
TEST(CrowdForce, OfAPersonPressedAgainstAWallIsThePush)
{
    for (const char* dt : {"0.01", "0.002", "0.03"}) {
        Simulation<2> simulation = simulation_of<2>(pressed_row(2, "nsm1", dt));
        advance(simulation, 1.2);
        const auto& persons = measures_of(simulation).persons();
        ASSERT_EQ(persons.size(), 3u);
        EXPECT_FALSE(persons[0].is_person()); // the wall
        // NSM1 solves to 1e-10 m of overlap: 1e-8 m/s and 79 kg in 0.01 s are 1e-4 N, ten times that in 0.002 s
        EXPECT_NEAR(persons[1].largest_force, 2 * push, 5e-3) << dt;
        EXPECT_NEAR(persons[2].largest_force, push, 5e-3) << dt;
        EXPECT_NEAR(measures_of(simulation).force_now(), 2 * push, 5e-3);
        EXPECT_NEAR(persons[1].contact_time, simulation.clock.time(), 1e-9) << dt;
    }
}

// Percussions that keep contact; in a row contacts open and close by what the solver leaves of a velocity (1e-6 m/s),
// so that the force is the push on the mean over time alone.
TEST(CrowdForce, OfNsm2IsThePushToo)
{
    for (const int row : {1, 2}) {
        Simulation<2> simulation = simulation_of<2>(pressed_row(row, "nsm2"), {"crowd.normal_dissipation=0"});
        advance(simulation, 0.2);
        double sum = 0;
        for (int window = 0; window < 18; ++window) {
            advance(simulation, 0.3 + 0.1 * window);
            sum += measures_of(simulation).force_now();
        }
        // a row of two misses at most half a push in a step at each end of the 180 steps
        EXPECT_NEAR(sum / 18, row * push, row == 1 ? 0.1 : row * push / 180);
        if (row == 1) {
            EXPECT_NEAR(measures_of(simulation).persons()[1].largest_force, push, 0.1);
        }
    }
}

// On springs people swing about: the force is the push on the mean of many swings.
TEST(CrowdForce, OfDemIsThePushOnTheMean)
{
    Simulation<2> simulation = simulation_of<2>(pressed_row(1, "crowd-dem", "0.001"));
    double sum = 0;
    int count = 0;
    while (simulation.clock.time() < 2) {
        simulation.step();
        if (simulation.clock.step % 100 != 0) continue; // windows of 0.1 s that do not overlap
        sum += measures_of(simulation).force_now();
        ++count;
    }
    // a swing takes 2π √(m/k) = 0.16 s, and 2 s hold 12.4 of them: half a swing in 2 s is missed at most
    EXPECT_NEAR(sum / count, push, 0.08 * push);
}

TEST(CrowdForce, MeanIsOverATenthOfASecond)
{
    Simulation<2> simulation = simulation_of<2>(pressed_row(1, "nsm1"));
    for (int step = 1; step <= 10; ++step) {
        simulation.step();
        EXPECT_NEAR(measures_of(simulation).force_now(), 0.1 * step * push, 1e-3) << step;
    }
}

TEST(CrowdForce, CrushesAboveTheThresholdAndSaysWhen)
{
    const double pressure = push / (2 * std::numbers::pi * 0.25); // of the one who is pushed
    for (const auto& [share, crushed] : {std::pair(0.999, 2), std::pair(1.001, 1), std::pair(2.001, 0)}) {
        Simulation<2> simulation =
            simulation_of<2>(pressed_row(2, "nsm1"), {fmt::format("crowd.crush_pressure={}", share * pressure)});
        advance(simulation, 1);
        const scene::Value results = measures_of(simulation).results();
        EXPECT_EQ(results.at("crushed").integer(), crushed) << share;
        // twice the push fills half of the window for the first, all of it for the second
        if (crushed > 0) {
            EXPECT_NEAR(results.at("crushed_persons").list()[0].at("time_s").number(), share < 1 ? 0.05 : 0.06, 1e-9);
        }
        if (crushed > 1) {
            EXPECT_NEAR(results.at("crushed_persons").list()[1].at("time_s").number(), 0.1, 1e-9);
        }
    }
}

const std::string line_in_the_door = R"(lines=[{name="door", from=[10, 4.4], to=[10, 5.6]}])";

// Whoever leaves the room goes through its door.
TEST(CrowdLines, CountWhoLeaves)
{
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        Simulation<2> simulation = library_simulation<2>(
            "crowd/room", {fmt::format("scene.method=\"{}\"", name), line_in_the_door, "generators[0].count=60"});
        advance(simulation, 30);
        const scene::Value results = measures_of(simulation).results();
        const scene::Value& line = results.at("lines").list()[0];
        std::int64_t beyond = 0; // the door, but not gone yet
        for (std::size_t i = 5; i < simulation.bodies.size(); ++i) beyond += simulation.bodies.position[i].x() > 10;
        EXPECT_GT(simulation.left.size(), 20u);
        EXPECT_EQ(line.at("ahead").integer() - line.at("back").integer(), std::int64_t(simulation.left.size()) + beyond)
            << name;
        EXPECT_EQ(results.at("left").integer(), std::int64_t(simulation.left.size())) << name;
    }
}

// One person at 1 m/s on a line that they cross at right angles, from its left to its right: ahead; the same line the
// other way round: back; a line that ends before them: not at all.
TEST(CrowdLines, KnowTheirDirectionAndTheirEnds)
{
    Simulation<2> simulation =
        simulation_of<2>(piece::start({.dt = "0.01", .duration = "2", .more = "method = \"nsm2\"", .contact = ""}) +
                         piece::body("disk", "radius = 0.25\nposition = [0, 0]\nvelocity = [1, 0]") +
                         "[[lines]]\nname = \"up\"\nfrom = [1, -1]\nto = [1, 1]\n[[lines]]\nname = \"down\"\nfrom = "
                         "[1, 1]\nto = [1, -1]\n"
                         "[[lines]]\nname = \"short\"\nfrom = [1, 0.1]\nto = [1, 1]\n");
    advance(simulation, 2);
    const auto& crossings = measures_of(simulation).crossings();
    ASSERT_EQ(crossings[0].size(), 1u);
    ASSERT_EQ(crossings[1].size(), 1u);
    EXPECT_EQ(crossings[0][0].is_ahead, 1);
    EXPECT_EQ(crossings[1][0].is_ahead, 0);
    EXPECT_NEAR(crossings[0][0].time, 1.0, 0.011); // within the step
    EXPECT_TRUE(crossings[2].empty());
}

TEST(CrowdLines, FlowIsThatOfPeopleAtEqualDistances)
{
    std::string scene = piece::start({.dt = "0.01", .duration = "20", .more = "method = \"nsm2\"", .contact = ""}) +
                        "[[lines]]\nname = \"gate\"\nfrom = [0, -1]\nto = [0, 1.5]\n";
    for (int k = 0; k < 10; ++k) {
        scene +=
            piece::body("disk", fmt::format("radius = 0.2\nposition = [{}, 0]\nvelocity = [1, 0]", -0.505 - 0.8 * k));
    }
    Simulation<2> simulation = simulation_of<2>(scene);
    advance(simulation, 10);
    const scene::Value line = measures_of(simulation).results().at("lines").list()[0];
    EXPECT_EQ(line.at("ahead").integer(), 10);
    EXPECT_NEAR(line.at("ahead_flow_ps").number(), 1 / 0.8, 1e-9); // speed over distance
    EXPECT_NEAR(line.at("ahead_specific_flow_pmps").number(), 1 / 0.8 / 2.5, 1e-9);
}

TEST(CrowdMeasures, SayWhoLeftWhenAndByWhichExit)
{
    Simulation<2> simulation = library_simulation<2>("crowd/rimea-9", {"generators[0].count=120"});
    advance(simulation, 60);
    ASSERT_EQ(simulation.left.size(), 120u);
    const CrowdMeasures& measures = measures_of(simulation);
    double sum = 0;
    for (const Departure& departure : simulation.left) {
        const PersonRecord& person = measures.persons()[std::size_t(departure.body)];
        EXPECT_EQ(person.left, departure.time);
        // doors 1 and 2 are on the left, 1 and 3 below
        const bool is_right = person.place.x() > 15, is_above = person.place.y() > 10;
        EXPECT_EQ(person.exit, (is_right ? 2 : 0) + (is_above ? 1 : 0));
        sum += departure.time;
    }
    const scene::Value results = measures.results();
    std::int64_t by_exits = 0;
    for (const scene::Value& exit : results.at("exits").list()) by_exits += exit.at("left").integer();
    EXPECT_EQ(by_exits, 120);
    EXPECT_NEAR(results.at("mean_time_s").number(), sum / 120, 1e-9);
    EXPECT_EQ(results.at("time_of_95_percent_s").number(), simulation.left[113].time); // the 114th of 120
    EXPECT_EQ(results.at("last_time_s").number(), simulation.left.back().time);
    EXPECT_EQ(measures.table().rows.size(), 120u);
}

TEST(CrowdMeasures, GoOnFromTheirMemoryToTheBit)
{
    const std::vector<std::string> sets{line_in_the_door, "generators[0].count=40"};
    Simulation<2> whole = library_simulation<2>("crowd/room", sets);
    advance(whole, 9);
    const std::vector<std::uint64_t> memory = whole.meters[0]->save();
    std::unique_ptr<Meter<2>> restored = std::move(library_simulation<2>("crowd/room", sets).meters[0]);
    ASSERT_TRUE(restored->restore(memory));
    for (const std::size_t length : {std::size_t(0), std::size_t(1), memory.size() / 2, memory.size() - 1}) {
        EXPECT_FALSE(restored->restore(std::span(memory).first(length))) << length;
    }
    const std::size_t gone = whole.left.size();
    while (whole.clock.time() < 18) {
        whole.step();
        restored->watch(whole.snapshot(), whole.clock);
    }
    EXPECT_GT(whole.left.size(), gone);
    EXPECT_EQ(restored->save(), whole.meters[0]->save());
}

TEST(CrowdMeasures, HaveTheSameBitsOnAnyNumberOfThreads)
{
    const int before = thread_count();
    std::vector<std::vector<std::uint64_t>> memory;
    for (const int threads : {1, 3}) {
        set_thread_count(threads);
        Simulation<2> simulation = library_simulation<2>("crowd/hall", {"generators[0].count=600"});
        advance(simulation, 3);
        memory.push_back(simulation.meters[0]->save());
    }
    EXPECT_EQ(memory[0], memory[1]);
    set_thread_count(before);
}

TEST(CrowdLines, AreRefusedWhereTheyCountNothing)
{
    const std::string line = "[[lines]]\nname = \"gate\"\nfrom = [0, 0]\nto = [0, 1]\n";
    const auto expect = [](const std::string& toml, const std::string& message) {
        const std::string said = refusal<2>(toml);
        EXPECT_TRUE(has(said, message)) << said;
    };
    const std::string person = piece::body("disk", "radius = 0.25\nposition = [1, 1]");
    const std::string crowd = piece::start({.dt = "0.01", .more = "method = \"nsm2\"", .contact = ""});
    expect(piece::start({.contact = ""}) + person + line, "has no effect with scene.method = \"contact_dynamics\"");
    expect(crowd + person + line + line, "the name is taken");
    expect(crowd + person + "[[lines]]\nname = \"gate\"\nfrom = [0, 1]\nto = [0, 1]\n", "a line has a length");
}

} // namespace
} // namespace talus
