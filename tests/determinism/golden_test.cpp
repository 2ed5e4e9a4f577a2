// Golden hashes: the bits of short runs, kept in golden.txt. They hold for any number of threads, on AMD Zen 4 and on
// Intel Sapphire Rapids. A commit that changes one says why, and renews the file:
//   TALUS_RENEW_GOLDEN=1 build/release/tests/test_determinism --gtest_filter='*Golden.*'
#include "railway/track_scenes.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/hash.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>

using namespace talus;

namespace {

// The list is frozen: columns that states may get later are not part of it.
template <int D>
std::uint64_t bits_of(const Simulation<D>& simulation)
{
    Hash hash;
    const auto add = [&](const auto& column) { hash.add_bytes(column.data(), column.size() * sizeof(column[0])); };
    add(simulation.bodies.position);
    add(simulation.bodies.orientation);
    add(simulation.bodies.velocity);
    add(simulation.bodies.spin);
    add(simulation.contacts.impulse);
    return hash.value();
}

template <int D>
std::uint64_t bits_after(Simulation<D> simulation, int steps)
{
    std::size_t most = 0;
    for (int step = 0; step < steps; ++step) most = std::max(most, simulation.step().contacts);
    EXPECT_GT(most, 20u) << "a run without contacts guards nothing";
    return bits_of(simulation);
}

// Tools dive into 160 polyhedra on a table, squeeze and come out.
Simulation<3> tamping_window()
{
    return track_simulation(track_scene(R"(
[[operations]]
type = "tamping"
frequency = "35 Hz"
amplitude = "5 mm"
penetration_speed = "1.6 m/s"
penetration_depth = "0.16 m"
squeeze_force = "6 kN"
squeeze_time = "20 ms"
withdrawal_speed = "1 m/s"
)",
                                        gravity + R"(
[[bodies]]
shape = "box"
size = [0.9, 1.0, 0.05]
position = [0, 0, 0.75]
motion = "fixed"
material = "wall"
[[generators]]
type = "deposit"
shape = "polyhedron"
vertices = [10, 16]
size = ["40 mm", "50 mm"]
lower = [-0.25, -0.35, 0.78]
upper = [0.25, 0.35, 0.99]
count = 160
material = "ballast"
)"),
                            {"solver.tolerance=1e-2", "scene.dt=0.5 ms"});
}

using Bits = std::function<std::uint64_t()>;
const std::map<std::string, Bits> runs = {
    {"arch", [] { return bits_after(library_simulation<2>("masonry/arch"), 100); }},
    {"disks",
     [] { return bits_after(library_simulation<2>("moreau/box-of-disks", {"generators[1].count=2000"}), 120); }},
    {"disks_that_roll",
     [] {
         return bits_after(library_simulation<2>("moreau/box-of-disks",
                                                 {"generators[1].count=2000", "contact.rolling_friction=1e-4"}),
                           120);
     }},
    {"feeder", [] { return bits_after(library_simulation<3>("moreau/sandpile", {"generators[0].rate=2000"}), 800); }},
    {"lid_on_polygons",
     [] {
         return bits_after(library_simulation<2>("moreau/compression-box",
                                                 {"generators[1].count=800", "bodies[0].position=[0,0.15]"}),
                           100);
     }},
    {"polyhedra",
     [] {
         return bits_after(
             library_simulation<3>("ballast/academic-deposit", {"generators[1].count=300", "scene.dt=1 ms"}), 200);
     }},
    {"polyhedra_by_ddm",
     [] {
         return bits_after(library_simulation<3>("ballast/academic-deposit",
                                                 {"generators[1].count=300", "scene.dt=1 ms", "solver.name=\"ddm\"",
                                                  "solver.sweeps=50", "partition.parts=4"}),
                           150);
     }},
    {"spheres",
     [] { return bits_after(library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=3000"}), 90); }},
    {"spheres_that_bounce",
     [] {
         return bits_after(
             library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=2000", "contact.restitution=0.5"}),
             90);
     }},
    {"tamping", [] { return bits_after(tamping_window(), 400); }},
};

const std::string file = std::string(TALUS_GOLDEN) + "/golden.txt";

std::map<std::string, std::string> kept_hashes()
{
    std::map<std::string, std::string> hashes;
    std::ifstream in(file);
    for (std::string name, hash; in >> name >> hash;) hashes[name] = hash;
    return hashes;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, BitsAreThoseThatWereKept)
{
    const int before = thread_count();
    std::map<std::string, std::string> hashes = kept_hashes();
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        const std::string hash = fmt::format("{:016x}", runs.at(GetParam())());
        if (threads == 1 && std::getenv("TALUS_RENEW_GOLDEN")) hashes[GetParam()] = hash;
        EXPECT_EQ(hash, hashes[GetParam()]) << threads << " threads";
    }
    set_thread_count(before);
    if (!std::getenv("TALUS_RENEW_GOLDEN")) return;
    std::ofstream out(file);
    for (const auto& [name, hash] : hashes) out << name << ' ' << hash << '\n';
}

std::vector<std::string> names_of_runs()
{
    std::vector<std::string> names;
    for (const auto& [name, bits] : runs) names.push_back(name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(Of, Golden, testing::ValuesIn(names_of_runs()), [](const auto& of) { return of.param; });

// every hash has its run
TEST(GoldenFile, NamesTheRunsAndNoOthers)
{
    for (const auto& [name, hash] : kept_hashes()) EXPECT_TRUE(runs.contains(name)) << name;
    EXPECT_EQ(kept_hashes().size(), runs.size());
}

} // namespace
