// Crowds by the three treatments of contact: one disk and the ground (REFERENCE R1), walking (V33, V34), leaving.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

namespace talus {
namespace {

std::string method(const std::string& name) { return "scene.method=\"" + name + "\""; }

// Radius 0.22 m, from (0.5, 0.5) at (1, −1)/√2 towards y = 0: true contact at t = 0.395980 s, h = 0.01 s.
Simulation<2> one_disk(const std::string& name, double normal = 1e4)
{
    return library_simulation<2>("crowd/disk-and-ground",
                                 {method(name), fmt::format("crowd.normal_dissipation={}", normal)});
}
double height(const Simulation<2>& simulation) { return simulation.bodies.position[1].y(); }
double rise(const Simulation<2>& simulation) { return simulation.bodies.velocity[1].y(); }

TEST(OneDisk, StopsOnTheGroundWithNsm1)
{
    Simulation<2> simulation = one_disk("nsm1");
    advance(simulation, 0.40);
    EXPECT_NEAR(rise(simulation), -0.422836, 5e-7);
    EXPECT_NEAR(height(simulation), 0.22, 1e-15);
    simulation.step();
    EXPECT_NEAR(rise(simulation), 0, 1e-14);
    advance(simulation, 0.80);
    EXPECT_NEAR(height(simulation), 0.22, 1e-14);
}

TEST(OneDisk, StopsInMidStepWithNsm2)
{
    Simulation<2> simulation = one_disk("nsm2", 0);
    advance(simulation, 0.40);
    EXPECT_EQ(rise(simulation), 0);
    EXPECT_NEAR(height(simulation), 0.220693, 5e-7);
    advance(simulation, 0.80);
    EXPECT_NEAR(height(simulation), 0.220693, 5e-7);
}

TEST(OneDisk, ReboundsWithNsm2)
{
    Simulation<2> simulation = one_disk("nsm2");
    double lowest = 1;
    while (simulation.clock.step < 80) {
        simulation.step();
        lowest = std::min(lowest, height(simulation));
        if (simulation.clock.step != 40) continue;
        EXPECT_NEAR(rise(simulation), 0.970443 / std::sqrt(2), 5e-7);
        EXPECT_NEAR(height(simulation), 0.224124, 5e-7);
    }
    EXPECT_GE(lowest, 0.22);
}

TEST(OneDisk, SinksInAndComesBackWithDem)
{
    Simulation<2> simulation = one_disk("crowd-dem");
    double lowest = 1;
    while (simulation.clock.step < 80) {
        simulation.step();
        lowest = std::min(lowest, height(simulation));
        const std::int64_t step = simulation.clock.step;
        EXPECT_EQ(height(simulation) < 0.22, step >= 40 && step <= 47) << step;
    }
    EXPECT_NEAR(lowest, 0.202665, 5e-7);
    EXPECT_NEAR(rise(simulation), 0.707102, 5e-7);
}

double arrival(const std::string& scene, const std::string& name)
{
    Simulation<2> simulation = library_simulation<2>(scene, {method(name)});
    while (simulation.left.empty() && simulation.clock.time() < 60) simulation.step();
    return simulation.clock.time();
}

TEST(Walking, TakesTheTimeOfItsSpeed)
{
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        EXPECT_NEAR(arrival("crowd/corridor", name), 40, 1) << name; // V33
        const double rimea = arrival("crowd/rimea-1", name);         // V34
        EXPECT_TRUE(rimea > 26 && rimea < 34) << rimea;
    }
}

// A room with a pillar somewhere and a door somewhere, people anywhere; the mirror image in y where asked for.
std::string room(std::uint64_t seed, bool mirrored = false)
{
    Random random(seed);
    const double sign = mirrored ? -1 : 1;
    const double low = random.uniform(0.5, 3.5), high = low + random.uniform(0.9, 1.6);
    const auto wall = [&](double x1, double y1, double x2, double y2) {
        return piece::body("segment", fmt::format("from = [{}, {}]\nto = [{}, {}]\nradius = 0.05\nmotion = \"fixed\"",
                                                  x1, sign * y1, x2, sign * y2));
    };
    std::string toml =
        piece::start({.dt = "0.01", .duration = "30", .more = "method = \"nsm2\"", .contact = "friction = 0"}) +
        wall(0, 0, 6, 0) + wall(0, 6, 6, 6) + wall(0, 0, 0, 6) + wall(6, 0, 6, low) + wall(6, high, 6, 6);
    std::vector<Vec<2>> places;
    while (places.size() < 30) {
        const Vec<2> place(random.uniform(0.4, 5), random.uniform(0.4, 5.6));
        const auto is_near = [&](const Vec<2>& other) { return (place - other).norm() < 0.51; };
        if (std::ranges::any_of(places, is_near)) continue;
        places.push_back(place);
        toml +=
            piece::body("disk", fmt::format("radius = {}\nmass = {}\nposition = [{}, {}]", random.uniform(0.2, 0.25),
                                            random.uniform(50, 100), place.x(), sign * place.y()));
    }
    return toml +
           fmt::format("[[exits]]\nname = \"door\"\nfrom = [6.5, {}]\nto = [6.5, {}]\n", sign * (low - 0.3),
                       sign * (high + 0.3)) +
           "[[walkers]]\nspeed_deviation = 0.2\n";
}

TEST(Nsm1, NeverOverlaps)
{
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Simulation<2> simulation = simulation_of<2>(room(seed), {method("nsm1")});
        const auto detector = make_detector<2>("all_pairs");
        double worst = 0;
        while (simulation.clock.time() < 15) {
            const StepReport report = simulation.step();
            EXPECT_TRUE(report.solve.reached) << simulation.clock.time();
            ContactTable<2> contacts;
            contacts.detect(simulation.bodies, simulation.shapes, *detector, 0.0);
            for (const double gap : contacts.gap) worst = std::min(worst, gap);
        }
        EXPECT_GE(worst, -1e-10) << seed;
        EXPECT_GT(simulation.left.size(), 5u) << "nobody got near the door";
    }
}

TEST(Crowd, LedgerCloses)
{
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        Simulation<2> simulation = simulation_of<2>(room(9), {method(name)});
        advance(simulation, 15);
        EXPECT_GT(simulation.energy.load_work, 1000); // [J] they have walked
        EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-10 * simulation.energy.load_work) << name; // round-off
        if (std::string(name) != "crowd-dem") {
            EXPECT_GT(simulation.energy.impact, 0) << name;
        }
    }
}

TEST(Crowd, HasTheSameBitsOnAnyNumberOfThreads)
{
    const int before = thread_count();
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        std::vector<std::uint64_t> hashes;
        for (const int threads : {1, 2, 3}) {
            set_thread_count(threads);
            Simulation<2> simulation = library_simulation<2>("crowd/hall", {method(name), "generators[0].count=600"});
            advance(simulation, 3);
            hashes.push_back(simulation.state_hash());
        }
        EXPECT_EQ(hashes[0], hashes[1]) << name;
        EXPECT_EQ(hashes[0], hashes[2]) << name;
    }
    set_thread_count(before);
}

// Seen in a mirror a crowd does the same until contacts make it chaotic.
TEST(Crowd, MirrorsWithItsRoom)
{
    for (const char* name : {"nsm1", "nsm2", "crowd-dem"}) {
        Simulation<2> one = simulation_of<2>(room(4), {method(name)});
        Simulation<2> other = simulation_of<2>(room(4, true), {method(name)});
        advance(one, 1.5);
        advance(other, 1.5);
        for (std::size_t i = 5; i < one.bodies.size(); ++i) {
            const Vec<2> mirrored(other.bodies.position[i].x(), -other.bodies.position[i].y());
            EXPECT_LT((one.bodies.position[i] - mirrored).norm(), 1e-6) << name << " " << i;
        }
    }
}

TEST(Crowd, LeavesByDoorsThatAreOpen)
{
    Simulation<2> simulation = library_simulation<2>("crowd/room", {"exits[0].opens=12"});
    advance(simulation, 12);
    EXPECT_TRUE(simulation.left.empty());
    advance(simulation, 20);
    EXPECT_GT(simulation.left.size(), 10u);
    for (const Departure& departure : simulation.left) EXPECT_GE(departure.time, 12 - 1e-9);
}

// RiMEA 6 and 12 (REFERENCE R6).
TEST(Rimea, TwentyPersonsGoRoundACorner)
{
    Simulation<2> simulation = library_simulation<2>("crowd/rimea-6");
    while (simulation.clock.time() < 40) {
        simulation.step();
        for (std::size_t i = 5; i < simulation.bodies.size(); ++i) {
            const Vec<2>& place = simulation.bodies.position[i];
            const bool in_first = place.x() > -0.5 && place.x() < 12 && place.y() > 0 && place.y() < 2;
            const bool in_second = place.x() > 10 && place.x() < 12 && place.y() > 0 && place.y() < 12;
            ASSERT_TRUE(in_first || in_second) << i << " at " << place.transpose();
        }
    }
    EXPECT_EQ(simulation.left.size(), 20u);
}

TEST(Rimea, TheCrowdStandsBeforeTheCorridorOnly)
{
    Simulation<2> simulation = library_simulation<2>("crowd/rimea-12");
    double before = 0, behind = 0; // largest number of persons who stand before the corridor, and before the exit
    while (simulation.clock.time() < 60) {
        simulation.step();
        if (simulation.clock.step % 100 != 0) continue;
        double first = 0, second = 0;
        for (std::size_t i = 13; i < simulation.bodies.size(); ++i) {
            const Vec<2>& place = simulation.bodies.position[i];
            if (simulation.bodies.velocity[i].norm() > 0.3) continue; // [m/s] they walk
            first += place.x() < 10;
            second += place.x() > 15;
        }
        before = std::max(before, first);
        behind = std::max(behind, second);
    }
    EXPECT_GT(before, 4 * behind) << before << " " << behind;
}

TEST(CrowdInput, IsRefusedByNameAndPlace)
{
    const std::string start =
        piece::start({.dt = "0.01", .duration = "1", .more = "method = \"nsm2\"", .contact = "friction = 0"});
    const auto wall = [](const std::string& ends) { return piece::body("segment", ends + "\nmotion = \"fixed\""); };
    const std::string person = piece::body("disk", "radius = 0.25\nposition = [1, 1]");
    const std::string cell = wall("from = [0, 0]\nto = [2, 0]") + wall("from = [2, 0]\nto = [2, 2]") +
                             wall("from = [2, 2]\nto = [0, 2]") + wall("from = [0, 2]\nto = [0, 0]");
    const std::string exit = "[[exits]]\nname = \"door\"\nfrom = [4, 0]\nto = [4, 2]\n", walk = "[[walkers]]\n";
    const auto expect = [](const std::string& toml, const std::string& message) {
        const std::string said = refusal<2>(toml);
        EXPECT_TRUE(has(said, message)) << said;
    };
    expect(start + person + cell + exit + walk, "body 0 at (1, 1) m has no way to any exit");
    expect(start + person + wall("from = [3, 0.9]\nto = [5, 0.9]") + wall("from = [3, 1.1]\nto = [5, 1.1]") +
               "[[exits]]\nname = \"slit\"\nfrom = [4, 0.9]\nto = [4, 1.1]\n" + walk,
           "\"slit\"");
    expect(start + person + piece::body("disk", "radius = 0.25\nposition = [1.3, 1]") + exit + walk, "overlaps");
    expect(start + person + wall("from = [0, 1.1]\nto = [2, 1.1]") + exit + walk, "overlaps");
    expect(start + person + exit + "[[walkers]]\nreaction = -1\n", "reaction");
    expect(start + person + exit + "[[walkers]]\nexits = [\"dor\"]\n", "names none of [[exits]]");
    expect(start + person + walk, "no [[exits]]");
    expect(start + "[crowd]\npower = 1\n" + person, "power");
    expect(start + piece::body("polygon", "vertices = [[0, 0], [1, 0], [0, 1]]"), "disks that walk freely");
    const std::string in_space = refusal<3>(
        piece::start(
            {.dimension = 3, .dt = "0.01", .duration = "1", .more = "method = \"nsm2\"", .contact = "friction = 0"}) +
        piece::body("sphere", "radius = 0.25"));
    EXPECT_TRUE(has(in_space, "crowds are flat")) << in_space;
}

} // namespace
} // namespace talus
