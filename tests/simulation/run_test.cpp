// A run in the library: whoever looks on, it computes the same; and it does what the command does.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/error.hpp"
#include "talus/simulation/run.hpp"

using namespace talus;

namespace {

// the name is taken in tests by googletest
using Run2 = Run<2>;

// 200 disks that fall into a box; their gauge is the whole sample
scene::Value falling_disks(const std::vector<std::string>& sets = {})
{
    const std::string scene =
        piece::start({.dt = "\"1 ms\"", .duration = "\"0.2 s\"", .materials = "glass = { preset = \"glass\" }"}) +
        piece::generator("container", "[0, 0]", "[0.2, 0.4]", "", "glass") +
        piece::generator("lattice", "[0, 0]", "[0.2, 0.3]", "radius = [0.006, 0.009]\njitter = 0.3", "glass") +
        piece::gravity;
    return checked(io::parse_scene(scene, "test.toml"), sets);
}

struct Seen {
    int starts = 0, lines = 0, steps = 0, stops = 0, ends = 0;
    std::vector<std::string> warnings, tolerances;
    RunEnd end;
};

class Witness final : public Observer<2> {
  public:
    explicit Witness(Seen& seen) : seen_(seen) {}
    void on_start(Run<2>&) override { ++seen_.starts; }
    void on_line(const Run<2>&, const StepReport&, std::span<const GaugeLine>) override { ++seen_.lines; }
    void on_step(const Run<2>&, const StepReport&) override { ++seen_.steps; }
    void on_stop(const Run<2>&) override { ++seen_.stops; }
    void on_warning(const std::string& line) override { seen_.warnings.push_back(line); }
    void on_tolerance(const std::string& line) override { seen_.tolerances.push_back(line); }
    void on_end(const Run<2>&, const RunEnd& end) override
    {
        ++seen_.ends;
        seen_.end = end;
    }

  private:
    Seen& seen_;
};

// a disk that cannot write
class FullDisk final : public Observer<2> {
    void on_step(const Run<2>& run, const StepReport&) override
    {
        if (run.tally().steps == 5) throw RunError("disk full");
    }
};

Run2 run_of(const scene::Value& scene) { return {assemble<2>(scene), plan_of(scene)}; }

TEST(Run, TellsItsObserversOnceOfEverything)
{
    const scene::Value scene = falling_disks({"output.series_every=\"10 ms\""});
    Run2 run = run_of(scene);
    Seen seen;
    run.observe(std::make_unique<Witness>(seen));
    const RunEnd end = run.advance();
    EXPECT_EQ(end.status, 0) << end.reason;
    EXPECT_EQ(end.outcome, "done");
    EXPECT_EQ(seen.end.reason, end.reason);
    EXPECT_EQ(seen.steps, run.plan().steps);
    EXPECT_EQ(seen.steps, run.tally().steps);
    EXPECT_EQ(seen.lines, 21) << "the start and twenty lines";
    EXPECT_EQ(seen.starts + seen.stops + seen.ends, 3);
    EXPECT_GT(run.first_reading("mean_speed_mps"), 0);
    EXPECT_EQ(run.reading(run.simulation().gauges.front().name())["mean_speed_mps"],
              run.first_reading("mean_speed_mps"));
    EXPECT_THROW(run.reading("nobody's"), InputError);
}

TEST(Run, ComputesTheSameWhoeverLooksOn)
{
    const scene::Value scene = falling_disks();
    Run2 alone = run_of(scene), watched = run_of(scene);
    Seen seen;
    watched.observe(std::make_unique<Witness>(seen));
    alone.advance();
    watched.advance();
    EXPECT_EQ(alone.simulation().state_hash(), watched.simulation().state_hash());
    Simulation<2> stepped = assemble<2>(scene);
    for (std::int64_t step = 0; step < alone.plan().steps; ++step) stepped.step();
    EXPECT_EQ(alone.simulation().state_hash(), stepped.state_hash());
}

// [quality] adapt is the run's, not the command's: where grains overlap more than half of what is allowed, solves are
// asked for more
TEST(Run, TightensTheToleranceByWhatItsGaugesShow)
{
    const scene::Value scene = falling_disks({"quality.interpenetration=1e-12", "quality.adapt=[\"sweeps\"]",
                                              "solver.position_correction=false", "output.series_every=\"5 ms\""});
    Run2 run = run_of(scene);
    Seen seen;
    run.observe(std::make_unique<Witness>(seen));
    const RunEnd end = run.advance();
    EXPECT_FALSE(seen.tolerances.empty());
    EXPECT_LT(run.simulation().contact_dynamics().tolerance.tightest,
              0.1 * run.simulation().contact_dynamics().tolerance.asked);
    EXPECT_EQ(end.status, 3);
    EXPECT_EQ(end.outcome, "quality");
    EXPECT_FALSE(run.quality().advice.empty());
}

TEST(Run, EndsWhenItIsToldTo)
{
    Run2 run = run_of(falling_disks());
    run.stop_when([&]() -> std::optional<RunEnd> {
        if (run.tally().steps < 7) return {};
        return RunEnd{"interrupted", "enough", 130};
    });
    const RunEnd end = run.advance();
    EXPECT_EQ(run.simulation().clock.step, 7);
    EXPECT_EQ(end.status, 130);
    EXPECT_EQ(end.reason, "enough");
}

TEST(Run, ComputesTheSameInPieces)
{
    const scene::Value scene = falling_disks();
    Run2 whole = run_of(scene), pieces = run_of(scene);
    Seen seen;
    pieces.observe(std::make_unique<Witness>(seen));
    whole.advance();
    std::optional<RunEnd> end;
    for (int piece = 1; !(end = pieces.advance_to(0.03 * piece)); ++piece) {
        EXPECT_NEAR(pieces.time(), 0.03 * piece, 1e-9);
        EXPECT_GT(pieces.measure("sample").at("mean_speed_mps"), 0);
    }
    EXPECT_EQ(end->reason, "reached the end");
    EXPECT_EQ(pieces.simulation().state_hash(), whole.simulation().state_hash());
    EXPECT_EQ(pieces.advance().reason, end->reason) << "it ends once";
    EXPECT_EQ(seen.starts + seen.stops + seen.ends, 3);
    EXPECT_EQ(seen.steps, pieces.plan().steps);
}

TEST(Run, EndsWhereAProgramHasSeenEnough)
{
    Run2 run = run_of(falling_disks());
    Seen seen;
    run.observe(std::make_unique<Witness>(seen));
    EXPECT_FALSE(run.advance_to(0.05));
    EXPECT_EQ(run.finish("seen enough").reason, "seen enough");
    EXPECT_EQ(seen.steps, 50);
    EXPECT_EQ(seen.stops + seen.ends, 2);
    EXPECT_EQ(seen.end.outcome, "done");
    EXPECT_EQ(run.advance_to(1)->reason, "seen enough");
}

TEST(Run, ShowsItsStateToAFunction)
{
    Run2 run = run_of(falling_disks());
    int steps = 0;
    std::vector<double> times;
    run.observe([&](const State<2>&) { ++steps; });
    run.observe([&](const State<2>& state) { times.push_back(state.clock.time()); }, 0.05);
    run.advance();
    EXPECT_EQ(steps, 200);
    ASSERT_EQ(times.size(), 4u);
    EXPECT_NEAR(times.front(), 0.05, 1e-9);
}

TEST(Run, IsAdvancedUntilRestByTheCriteriaOfTheScene)
{
    const scene::Value scene = falling_disks({"scene.duration=5", "rest.kinetic=1e-3", "rest.unbalance=0.1"});
    Run2 run = run_of(scene);
    EXPECT_EQ(run.advance(until_rest).reason, "at rest");
    EXPECT_LT(run.time(), 4.9);
    EXPECT_EQ(run.simulation().rest->kinetic, 1e-3);
}

// what the command shows of a scene, a program gets too
TEST(Run, BeginsWithTheAdviceOnItsScene)
{
    const scene::Value scene = falling_disks({"generators[1].velocity=[0,-50]", "scene.duration=0.002"});
    Run2 run(RunSetup<2>{assemble<2>(scene), plan_of(scene), scene});
    Seen seen;
    run.observe(std::make_unique<Witness>(seen));
    run.advance();
    ASSERT_FALSE(seen.warnings.empty());
    EXPECT_NE(seen.warnings.front().find("keeps contacts in sight"), std::string::npos) << seen.warnings.front();
}

TEST(Run, FailsWhereAnObserverCannotGoOn)
{
    Run2 run = run_of(falling_disks());
    Seen seen;
    run.observe(std::make_unique<FullDisk>());
    run.observe(std::make_unique<Witness>(seen));
    const RunEnd end = run.advance();
    EXPECT_EQ(end.outcome, "failed");
    EXPECT_EQ(end.reason, "disk full");
    EXPECT_EQ(end.status, 1);
    EXPECT_EQ(seen.stops, 0) << "nothing is to be sealed";
    EXPECT_EQ(seen.ends, 1);
}

} // namespace
