// Bodies that leave a run: numbers stay with those they were given to, the ledger closes, files and gauges agree.
#include "io/made_up_run.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/talus.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace talus;

namespace {

// Grains are fed above a floor that has a hole, and leave below it; a tracer is among them.
template <int D>
std::string open_box(const std::string& more = "")
{
    const auto vector = [](double x, double z) {
        return D == 2 ? fmt::format("[{},{}]", x, z) : fmt::format("[{},{},{}]", x, x, z);
    };
    const std::string start =
        piece::start({.dimension = D, .materials = "glass = { preset = \"glass\" }", .contact = "friction = 0.4"});
    const std::string table = fmt::format("name = \"table\"\nmotion = \"fixed\"\nsize = {}\nposition = {}",
                                          vector(0.1, 0.02), vector(0, -0.01));
    const std::string tracer = fmt::format("name = \"tracer\"\nradius = 0.012\nposition = {}", vector(0.03, 0.013));
    return start + piece::body("box", table, "glass") + piece::body(D == 2 ? "disk" : "sphere", tracer, "glass") +
           piece::generator("feeder", vector(-0.12, 0.1), vector(0.12, 0.2),
                            "name = \"rain\"\nradius = [0.008, 0.012]\nrate = 300\ncount = 150", "glass") +
           piece::gravity +
           fmt::format("[[drivers]]\ntype = \"force\"\nbody = \"tracer\"\nforce = {}\n{}", vector(0.05, 0), more);
}
template <int D>
std::string outlet(double top)
{
    return fmt::format("[[drivers]]\ntype = \"outlet\"\nlower = {0}\nupper = {1}\n", D == 2 ? "[-9,-9]" : "[-9,-9,-9]",
                       D == 2 ? fmt::format("[9,{}]", top) : fmt::format("[9,9,{}]", top));
}

template <class T>
class Leaving : public testing::Test {
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Leaving, Dimensions);

} // namespace

TYPED_TEST(Leaving, KeepsNumbersMassesAndTheLedger)
{
    constexpr int D = TypeParam::value;
    auto simulation = simulation_of<D>(open_box<D>(outlet<D>(-0.1)));
    std::map<std::int32_t, double> mass;  // by number
    std::map<std::int32_t, Vec<D>> place; // a step ago
    double turned_over = 0;
    for (int step = 0; step < 700; ++step) {
        simulation.step();
        const BodyTable<D>& bodies = simulation.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const auto number = std::int32_t(bodies.id(i));
            ASSERT_EQ(bodies.find(BodyId(number)), std::int32_t(i));
            const auto [known, is_new] = mass.emplace(number, bodies.mass[i]);
            ASSERT_EQ(known->second, bodies.mass[i]) << "body " << number << " is another one";
            if (!is_new) { // nothing jumps: grains fall less than 0.5 m
                ASSERT_LT((place[number] - bodies.position[i]).norm(), 4e-3) << "body " << number;
            }
            place[number] = bodies.position[i];
        }
        turned_over = std::max(turned_over, std::abs(simulation.energy.balance()));
        ASSERT_LT(std::abs(simulation.energy_imbalance()), 1e-12 * (1 + turned_over)) << step;
    }
    EXPECT_GT(simulation.left.size(), 50u);
    EXPECT_EQ(mass.size(), simulation.bodies.size() + simulation.left.size());
    for (const Departure& one : simulation.left) EXPECT_EQ(simulation.bodies.find(one.body), -1);
}

TYPED_TEST(Leaving, WhereNobodyLeavesNothingChanges)
{
    constexpr int D = TypeParam::value;
    auto with = simulation_of<D>(open_box<D>(outlet<D>(-8))), without = simulation_of<D>(open_box<D>());
    for (int step = 0; step < 200; ++step) {
        with.step();
        without.step();
    }
    EXPECT_EQ(with.state_hash(), without.state_hash());
    EXPECT_TRUE(with.bodies.number.empty());
}

TYPED_TEST(Leaving, SameBitsForAnyNumberOfThreads)
{
    constexpr int D = TypeParam::value;
    const int before = thread_count();
    std::set<std::uint64_t> bits;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        auto simulation = simulation_of<D>(open_box<D>(outlet<D>(-0.05)));
        for (int step = 0; step < 400; ++step) simulation.step();
        bits.insert(simulation.state_hash());
    }
    set_thread_count(before);
    EXPECT_EQ(bits.size(), 1u);
}

TYPED_TEST(Leaving, IsInFramesAndCheckpoints)
{
    constexpr int D = TypeParam::value;
    const io::Scratch scratch;
    const scene::Value scene =
        checked(io::parse_scene(open_box<D>(outlet<D>(-0.05) + "[output]\nframes_every = 0.02\n"), "test.toml"));
    talus::Run<D> run(set_up<D>(scene));
    run.observe(run_folder(run, scratch / "run"));
    std::map<std::int64_t, BodyTable<D>> seen; // by step
    run.observe([&](const State<D>& state) { seen[state.clock.step] = state.bodies; }, 0.02);
    run.advance_to(0.5);
    Simulation<D> resumed = io::recorded_simulation<D>(scratch / "run", scene);
    run.finish("enough");
    EXPECT_EQ(io::verify_run(scratch / "run"), std::vector<std::string>{});
    io::read_checkpoint(scratch / "run", resumed);
    EXPECT_EQ(resumed.state_hash(), run.simulation().state_hash());
    EXPECT_EQ(resumed.left.size(), run.simulation().left.size());
    ASSERT_GT(resumed.left.size(), 10u);
    for (int step = 0; step < 100; ++step) {
        resumed.step();
        run.simulation().step();
    }
    EXPECT_EQ(resumed.state_hash(), run.simulation().state_hash());
    for (std::int64_t f = 1; f <= 25; ++f) {
        const io::Frame<D> frame = io::read_frame<D>(scratch / "run", f);
        const BodyTable<D>& was = seen.at(frame.clock.step);
        ASSERT_EQ(frame.bodies.size(), was.size()) << f;
        for (std::size_t i = 0; i < was.size(); ++i) {
            EXPECT_EQ(frame.bodies.id(i), was.id(i));
            EXPECT_EQ(frame.bodies.position[i], was.position[i]);
            EXPECT_EQ(frame.bodies.mass[i], was.mass[i]) << "frame " << f << ", body " << std::int32_t(was.id(i));
        }
    }
}

TEST(Leaving2D, IsSaidByNameWhereADriverOrAGaugeMissesTheBody)
{
    const scene::Value scene = checked(io::parse_scene(
        open_box<2>(outlet<2>(-0.1) +
                    "[[gauges]]\nname = \"watch\"\ntype = \"body\"\nbody = \"tracer\"\n"
                    "[[gauges]]\nname = \"around\"\ntype = \"box\"\nlower = [-0.1,0]\nupper = [0.1,0.1]\n"
                    "attached_to = \"tracer\"\n"),
        "test.toml"));
    talus::Run<2> run(set_up<2>(scene));
    run.advance();
    const auto& left = run.simulation().left;
    const auto tracer = std::ranges::find(left, BodyId(1), &Departure::body);
    ASSERT_NE(tracer, left.end());
    std::string said;
    for (const std::string& line : run.tally().warnings) said += line + "\n";
    EXPECT_TRUE(
        has(said, fmt::format("body tracer left the run at t = {:.4g} s: gauge watch has no values from then on; "
                              "gauge around has no values from then on; what drives it acts on nothing",
                              tracer->time)))
        << said;
    EXPECT_FALSE(run.reading("watch")["settlement_m"].has_value());
    EXPECT_FALSE(run.reading("around")["compacity"].has_value());
}

Body<2> with_mass(double mass)
{
    Body<2> body;
    body.mass = mass;
    return body;
}

// Whoever leaves, in whatever order: a group is the same bodies.
TEST(Leaving2D, GroupsMeanTheSameBodies)
{
    Random random{5};
    for (int round = 0; round < 20; ++round) {
        State<2> state;
        std::vector<double> mass;
        for (int i = 0; i < 60; ++i) {
            mass.push_back(random.uniform(1, 2));
            state.bodies.add(with_mass(mass.back()));
        }
        state.groups = {{"first", 0, 20}, {"one", 20, 1}, {"last", 40, 20}};
        for (int wave = 0; wave < 3; ++wave) {
            std::vector<std::uint8_t> kept;
            for (std::size_t i = 0; i < state.bodies.size(); ++i) kept.push_back(random.uniform(0, 1) < 0.7);
            remove_others(state, kept);
            state.bodies.add(with_mass(9)); // a new one is in none of them
        }
        for (std::size_t i = 0; i < state.bodies.size(); ++i) {
            const auto number = std::size_t(state.bodies.id(i));
            EXPECT_EQ(state.bodies.mass[i], number < mass.size() ? mass[number] : 9);
        }
        std::vector<double> of_last;
        for (std::size_t i = 0; i < state.bodies.size(); ++i) {
            if (state.groups[2].has(state.bodies.id(i))) of_last.push_back(state.bodies.mass[i]);
        }
        renumber(state);
        EXPECT_EQ(std::size_t(state.groups[2].count), of_last.size());
        for (std::size_t k = 0; k < of_last.size(); ++k) {
            EXPECT_EQ(state.bodies.mass[std::size_t(state.groups[2].first) + k], of_last[k]);
        }
        EXPECT_TRUE(state.bodies.number.empty() && state.left.empty());
    }
}
