// The same scene gives the same bits for any number of threads.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

template <class Make>
void same_hash_for_any_number_of_threads(Make&& make, int steps)
{
    const int before = thread_count();
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        auto simulation = make();
        for (int step = 0; step < steps; ++step) simulation.step();
        EXPECT_GT(simulation.contacts.size(), 1000u);
        if (threads == 1) expected = simulation.state_hash();
        EXPECT_EQ(simulation.state_hash(), expected) << threads << " threads";
    }
    set_thread_count(before);
}

template <class Make>
void expect_no_race(Make&& make, int threads, int steps, std::size_t contacts)
{
    const int before = thread_count();
    set_thread_count(threads);
    auto simulation = make();
    StepReport last;
    for (int step = 0; step < steps; ++step) last = simulation.step();
    EXPECT_EQ(last.non_finite, -1);
    EXPECT_GT(last.contacts, contacts);
    set_thread_count(before);
}

// Layers on a lattice, each against its neighbours: all meet in a step or two. `keys` say which grains.
std::string layers(int dimension, int count, double width, double height, double speed, const std::string& keys)
{
    const auto corner = [&](double side, double top) {
        return dimension == 2 ? fmt::format("[{}, {}]", side, top) : fmt::format("[{0}, {0}, {1}]", side, top);
    };
    std::string all;
    for (int layer = 0; layer < count; ++layer) {
        const double velocity = layer % 2 == 0 ? speed : -speed;
        all += piece::generator("lattice", corner(0, height * layer), corner(width, height * (layer + 1)),
                                keys + "\nvelocity = " + corner(velocity, velocity));
    }
    return all;
}

// Eight parts of balls, and polyhedra above them.
Simulation<3> smooth_heap()
{
    return simulation_of<3>(
        piece::start({.dimension = 3,
                      .dt = "1e-4",
                      .more = "method = \"dem\"",
                      .contact = "friction = 0.5\nrestitution = 0.4"}) +
        "[dem]\nstiffness = 2e4\n" + piece::generator("container", "[0, 0, 0]", "[0.2, 0.2, 1]", "open = [\"top\"]") +
        layers(3, 23, 0.2, 0.0105, 4, "radius = 4.8e-3\ncount = 361") +
        piece::generator("lattice", "[0, 0, 0.2415]", "[0.2, 0.2, 0.44]",
                         "shape = \"polyhedron\"\nvertices = 8\nsize = 0.01\nvelocity = [-1, 0, -8]\ncount = 300"));
}

// A square full of people who want out: more of them, and more contacts of one colour, than the 4096 that one thread
// takes alone.
Simulation<2> large_crowd(const std::string& method)
{
    constexpr int rows = 120;
    constexpr double cell = 0.55, width = cell * rows; // [m]
    return simulation_of<2>(
        piece::start({.dt = "0.01", .more = fmt::format("method = \"{}\"", method), .contact = "friction = 0"}) +
        "[crowd]\nsweeps = 8\n" + piece::generator("container", "[0, 0]", fmt::format("[{0}, {0}]", width)) +
        layers(2, rows, width, cell, 2, fmt::format("radius = [0.255, 0.26]\ncount = {}", rows)) +
        fmt::format("[[exits]]\nname = \"door\"\nfrom = [{0}, 9]\nto = [{0}, 12]\n", 0.5 * width) +
        "[[walkers]]\ncell = 0.25\n");
}

} // namespace

TEST(Threads, DoNotChangeTheBitsOfABoxOfSpheres)
{
    same_hash_for_any_number_of_threads([] { return library_simulation<3>("moreau/box-of-spheres"); }, 80);
}

TEST(Threads, DoNotChangeTheBitsOfABoxOfDisks)
{
    same_hash_for_any_number_of_threads([] { return library_simulation<2>("moreau/box-of-disks"); }, 60);
}

TEST(Threads, DoNotChangeTheBitsOfALargeCrowd)
{
    for (const char* method : {"crowd-dem", "nsm1", "nsm2"}) {
        SCOPED_TRACE(method);
        same_hash_for_any_number_of_threads([&] { return large_crowd(method); }, 6);
    }
}

// small enough for the thread sanitizer, large enough to be shared out
TEST(Threads, DoNotRace)
{
    expect_no_race(
        [] {
            return library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=9000", "solver.sweeps=20"});
        },
        4, 13, 100);
}

TEST(Threads, DoNotRaceInSmoothContact)
{
    expect_no_race([] { return smooth_heap(); }, 2, 2, 4096);
}

TEST(Threads, DoNotRaceInCrowds)
{
    for (const char* method : {"crowd-dem", "nsm1", "nsm2"}) {
        SCOPED_TRACE(method);
        expect_no_race([&] { return large_crowd(method); }, 2, 3, 4096);
    }
}
