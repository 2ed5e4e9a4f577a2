// The default solver: the law is satisfied, no update is lost, the bits depend on nothing but the problem.
#include "solvers/divided.hpp"
#include "talus/base/random.hpp"
#include "talus/solvers/pairs/packed_problem.hpp"
#include "talus/solvers/residual.hpp"

using namespace talus;

namespace {

class Auto : public WithThreads {};

// After a solve: the tolerance is reached by the judge, impulses lie in their cones, velocities agree with them.
template <int D>
void expect_a_solution(const Case<D>& start, double tolerance, int sweeps, const std::string& what)
{
    Case<D> now = start;
    SolverOptions options = named("auto");
    options.tolerance = tolerance;
    options.sweeps = sweeps;
    const SolveReport report = solve(now, options);
    EXPECT_TRUE(report.reached) << what << ": " << report.residual << " after " << report.sweeps;
    EXPECT_EQ(report.ended, "reached") << what;
    EXPECT_LE(natural_residual(now.problem).rms, tolerance) << what;
    EXPECT_EQ(natural_residual(now.problem).rms, report.residual) << what;
    for (const ContactRow<D>& row : now.problem.rows) {
        const double size = row.impulse.template tail<D - 1>().norm();
        ASSERT_LE(size, row.block.friction * row.impulse[0] * (1 + 1e-12)) << what; // round-off of a norm
    }
    for (std::size_t k = 0; k < now.problem.rolling.size(); ++k) {
        const RollingRow<D>& rolling = now.problem.rolling[k];
        ASSERT_LE(rolling.impulse.norm(), rolling.rolling_friction * now.problem.rows[k].impulse[0] * (1 + 1e-12))
            << what;
    }
    // sums of some dozen impulses in another order
    EXPECT_LT(momentum_error(start.problem, now.problem), 1e-11) << what;
    EXPECT_LT(spin_error(start.problem, now.problem), 1e-11) << what;
}

template <int D>
void threads_do_not_change_the_bits(const Simulation<D>& simulation)
{
    for (const int parts : {1, 4, 12}) {
        Case<D> expected;
        SolveReport expected_report;
        for (const int threads : {1, 2, 3, 4}) {
            set_thread_count(threads);
            Case<D> now = divided(simulation, {"rcb", parts, {}});
            SolverOptions options = named("auto");
            options.tolerance = 1e-3;
            const SolveReport report = solve(now, options);
            if (threads == 1) {
                expected = now;
                expected_report = report;
                continue;
            }
            expect_same_bits(expected.problem, now.problem, fmt::format("{} parts, {} threads", parts, threads));
            EXPECT_EQ(report.sweeps, expected_report.sweeps);
            EXPECT_EQ(report.residual, expected_report.residual);
        }
    }
}

TEST_F(Auto, SameBitsForAnyNumberOfThreadsWithRollingFriction)
{
    threads_do_not_change_the_bits(pile<2>(rolling_law, 4));
    threads_do_not_change_the_bits(pile<3>(rolling_law, 2));
}

TEST_F(Auto, SameBitsForAnyNumberOfThreads2D) { threads_do_not_change_the_bits(pile<2>("friction = 0.5", 4)); }
TEST_F(Auto, SameBitsForAnyNumberOfThreads3D) { threads_do_not_change_the_bits(pile<3>("friction = 0.5", 2)); }

TEST_F(Auto, SatisfiesTheLawWhateverTheDecomposition)
{
    set_thread_count(2);
    const Simulation<3> spheres = pile<3>();
    const Simulation<2> disks = pile<2>();
    for (const int parts : {1, 2, 5, 8}) {
        expect_a_solution(divided(spheres, {"rcb", parts, {}}), 1e-4, 5000, fmt::format("{} parts of spheres", parts));
        expect_a_solution(divided(disks, {"rcb", parts, {}}), 1e-4, 5000, fmt::format("{} parts of disks", parts));
    }
}

TEST_F(Auto, TakesExtremes)
{
    for (const std::string contact : {"friction = 0", "friction = 0.5\nrestitution = 0.9"}) {
        expect_a_solution(divided(pile<3>(contact), {"rcb", 6, {}}), 1e-4, 3000, contact);
        expect_a_solution(divided(pile<2>(contact), {"rcb", 3, {}}), 1e-4, 3000, contact);
    }
    Case<3> nothing{{}, {3, {}, {}}};
    const SolveReport report = solve(nothing, named("auto"));
    EXPECT_TRUE(report.reached);
    EXPECT_EQ(report.sweeps, 0);
}

// With a friction of 10 a rigid contact may have no solution at all (Painlevé). Whatever comes out is said as it is.
TEST_F(Auto, FrictionOfTenIsSolvedOrSaidNotToBe)
{
    for (const int parts : {1, 6}) {
        Case<3> now = divided(pile<3>("friction = 10"), {"rcb", parts, {}});
        const Case<3> start = now;
        SolverOptions options = named("auto");
        options.tolerance = 1e-4;
        const SolveReport report = solve(now, options);
        EXPECT_EQ(report.residual, natural_residual(now.problem).rms);
        EXPECT_EQ(report.reached, report.residual <= 1e-4);
        EXPECT_EQ(report.ended == "reached", report.reached);
        EXPECT_LE(report.sweeps, 1000);
        EXPECT_LT(momentum_error(start.problem, now.problem), 1e-11);
    }
}

// 2025 spheres under one free plate: the plate is split among the parts, and the forces are not unique
TEST_F(Auto, SplitsAHeavyBody)
{
    set_thread_count(2);
    Simulation<3> simulation = plate_on_spheres(45);
    simulation.step();
    ASSERT_GT(simulation.contacts.size(), 4000u);
    for (const int parts : {1, 4, 12}) {
        const Case<3> start = divided(simulation, {"rcb", parts, {}});
        PackedProblem<3> packed;
        packed.pack(start.problem, start.partition);
        EXPECT_EQ(packed.has_heavy_bodies(), parts > 1);
        EXPECT_LT(packed.colours(), 32) << "the plate sets no number of colours";
        expect_a_solution(start, 1e-3, 20000, fmt::format("{} parts", parts));
    }
}

// A slab that turns and slides: its copies feel other tangents than the whole body, and impulses come back in those of
// the whole; moments of rolling friction meet the share of the inertia that a copy has.
void expect_impulses_to_agree_with_a_slab(const std::string& rolling_friction)
{
    Simulation<3> simulation = simulation_of<3>(glass_floor + R"(
        [[bodies]]
        shape = "box"
        size = [0.5, 0.3, 0.02]
        position = [0.2, 0.2, 0.03]
        velocity = [0.5, 0.2, 0]
        spin = [0, 0, 2]
        material = "glass"
        [[generators]]
        type = "lattice"
        lower = [0, 0, 0]
        upper = [0.4, 0.4, 0.02]
        radius = 0.01
        spacing = 0.02
        material = "glass"
    )",
                                                {"contact.rolling_friction=" + rolling_friction});
    simulation.step();
    const Case<3> start = divided(simulation, {"rcb", 4, {}});
    PackedProblem<3> packed;
    packed.pack(start.problem, start.partition);
    ASSERT_TRUE(packed.has_heavy_bodies());
    Case<3> now = start;
    SolverOptions options = named("auto");
    options.tolerance = 1e-3;
    const SolveReport report = solve(now, options);
    EXPECT_TRUE(report.reached) << report.residual;
    EXPECT_EQ(report.solver, "auto");
    EXPECT_LE(natural_residual(now.problem).rms, 1e-3);
    // hundreds of impulses on one body, added up in hundreds of sweeps; in the wrong tangents it was 0.015
    EXPECT_LT(momentum_error(start.problem, now.problem), 1e-9);
    EXPECT_LT(spin_error(start.problem, now.problem), 1e-9);
}

TEST_F(Auto, ImpulsesOfAHeavyBodyThatTurnsAgreeWithItsMotion)
{
    expect_impulses_to_agree_with_a_slab("0");
    expect_impulses_to_agree_with_a_slab("1e-4");
}

TEST_F(Auto, SaysWhenItDidNotArrive)
{
    Simulation<3> simulation = plate_on_spheres(45); // too large for the referee
    simulation.step();
    Case<3> now = divided(simulation, {"rcb", 2, {}});
    for (ContactRow<3>& row : now.problem.rows) row.impulse.setZero();
    SolverOptions options = named("auto");
    options.tolerance = 1e-9;
    options.sweeps = 5;
    const SolveReport report = solve(now, options);
    EXPECT_FALSE(report.reached);
    EXPECT_EQ(report.ended, "cap");
    EXPECT_EQ(report.sweeps, 5);
    EXPECT_GT(report.residual, 1e-9);
}

TEST_F(Auto, AsksTheRefereeAboutWhatSweepsLeave)
{
    const Case<3> start = divided(pile<3>(), {"rcb", 2, {}});
    Case<3> now = start;
    for (ContactRow<3>& row : now.problem.rows) row.impulse.setZero();
    SolverOptions options = named("auto");
    options.tolerance = 1e-9;
    options.sweeps = 5;
    const SolveReport report = solve(now, options);
    EXPECT_EQ(report.solver, "auto, then newton");
    EXPECT_TRUE(report.reached) << report.residual;
    EXPECT_EQ(report.residual, natural_residual(now.problem).rms);
    EXPECT_LT(momentum_error(start.problem, now.problem), 1e-11);
}

// A ball between a floor and a lid that is led downward: no velocity satisfies both contacts. It is said, and the
// referee, who would try for long, is not asked.
TEST_F(Auto, AWedgedGrainIsLeftAsItIs)
{
    Simulation<3> simulation = simulation_of<3>(glass_floor + R"(
        [[bodies]]
        shape = "half_space"
        normal = [0, 0, -1]
        position = [0, 0, 0.02]
        motion = "fixed"
        material = "glass"
        [[bodies]]
        shape = "sphere"
        radius = 0.01
        position = [0, 0, 0.01]
        material = "glass"
    )");
    simulation.step();
    Case<3> now = divided(simulation, {"rcb", 1, {}});
    for (auto& body : now.problem.bodies) {
        if (body.inverse_mass.isZero()) body.velocity.z() = -1;
    }
    now.problem.bodies[0].velocity.z() = 0; // the floor stays
    const SolveReport report = solve(now, named("auto"));
    EXPECT_EQ(report.solver, "auto");
    EXPECT_EQ(report.ended, "cap");
    EXPECT_GT(report.residual, 1);
}

TEST_F(Auto, HandsOverToDdmWhereACriterionIsAskedFor)
{
    Case<3> now = divided(pile<3>(rolling_law), {"rcb", 2, {}});
    SolverOptions options = named("auto");
    options.stop = Stop::mean_dvor;
    EXPECT_EQ(solve(now, options).solver, "ddm");
    EXPECT_EQ(solve(now, named("auto")).solver, "auto");
}

// The velocities are those of plain Gauss-Seidel, whatever the decomposition.
template <int D>
void expect_the_rolling_of_nlgs(const std::string& seed)
{
    set_thread_count(2);
    const Simulation<D> simulation = pile<D>(rolling_law, 1, {"scene.seed=" + seed});
    const double tolerance = 1e-6;
    SolverOptions options = named("nlgs");
    options.tolerance = tolerance;
    options.sweeps = 100000;
    Case<D> plain = divided(simulation, {"rcb", 1, {}});
    ASSERT_TRUE(solve(plain, options).reached);
    for (const int parts : {1, 4}) {
        const Case<D> start = divided(simulation, {"rcb", parts, {}});
        expect_a_solution(start, tolerance, 20000, fmt::format("seed {}, {} parts", seed, parts));
        Case<D> now = start;
        options.name = "auto";
        EXPECT_EQ(solve(now, options).solver, "auto");
        double squares = 0;
        for (std::size_t i = 0; i < now.problem.bodies.size(); ++i) {
            squares += (now.problem.bodies[i].velocity - plain.problem.bodies[i].velocity).squaredNorm();
        }
        const double rms = std::sqrt(squares / double(now.problem.bodies.size()));
        // errors at the contacts add up along chains of grains
        EXPECT_LE(rms, 1000 * tolerance * now.problem.reference_velocity) << seed;
    }
}

TEST_F(Auto, RollsAsPlainGaussSeidelDoes2D)
{
    for (const char* seed : {"1", "2", "3"}) expect_the_rolling_of_nlgs<2>(seed);
}
TEST_F(Auto, RollsAsPlainGaussSeidelDoes3D)
{
    for (const char* seed : {"1", "2", "3"}) expect_the_rolling_of_nlgs<3>(seed);
}

// From the same warm start, after the same number of sweeps.
template <int D>
void expect_never_worse_than_nlgs(const Case<D>& start, const std::string& what)
{
    for (const int sweeps : {8, 32, 100}) {
        SolverOptions options = named("auto");
        options.tolerance = 1e-12; // of neither
        options.sweeps = sweeps;
        Case<D> ours = start, plain = start;
        const double residual = solve(ours, options).residual;
        options.name = "nlgs";
        EXPECT_LE(residual, solve(plain, options).residual) << fmt::format("{}, {} sweeps", what, sweeps);
    }
}

TEST_F(Auto, RollingIsNeverWorseThanInPlainGaussSeidel)
{
    for (const std::string seed : {"1", "2", "3"}) {
        expect_never_worse_than_nlgs(divided(pile<2>(rolling_law, 2, {"scene.seed=" + seed}), {"rcb", 2, {}}),
                                     "disks, seed " + seed);
        expect_never_worse_than_nlgs(divided(pile<3>(rolling_law, 2, {"scene.seed=" + seed}), {"rcb", 2, {}}),
                                     "spheres, seed " + seed);
    }
}

// A batch is eight pairs that may be solved at the same time: no two share a body that can move.
TEST(PackedProblem, ABatchHoldsEachMovableBodyOnce)
{
    const Case<3> of = divided(pile<3>("friction = 0.5", 2), {"rcb", 4, {}});
    PackedProblem<3> packed;
    packed.pack(of.problem, of.partition);
    std::size_t lanes = 0, batches = 0;
    const auto look = [&](std::span<const PairBatch> group) {
        for (const PairBatch& batch : group) {
            ++batches;
            std::vector<std::int32_t> movable;
            for (int lane = 0; lane < wide_count; ++lane) {
                for (const std::int32_t body : {batch.candidate[lane], batch.antagonist[lane]}) {
                    if (packed.can_move(body)) movable.push_back(body);
                }
                lanes += packed.can_move(batch.candidate[lane]) || packed.can_move(batch.antagonist[lane]);
            }
            std::sort(movable.begin(), movable.end());
            EXPECT_EQ(std::adjacent_find(movable.begin(), movable.end()), movable.end());
        }
    };
    for (int p = 0; p < packed.parts(); ++p) look(packed.part(p));
    for (int c = 0; c < packed.colours(); ++c) look(packed.colour(c));
    EXPECT_EQ(lanes, of.problem.rows.size()); // spheres: one point per pair
    EXPECT_GT(double(lanes) / double(wide_count * batches), 0.7) << "lanes in use";
}

// A contact keeps its impulse while its frame turns and its friction changes: what is left of it starts in the cone.
TEST(WarmStart, LiesInTheCone)
{
    Simulation<3> simulation = pile<3>();
    Random random(3);
    for (Vec<3>& r : simulation.contacts.impulse) {
        r = Vec<3>(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    }
    const ContactProblem<3> problem = problem_of(simulation);
    ASSERT_GT(problem.rows.size(), 100u);
    std::size_t on_surface = 0;
    for (const ContactRow<3>& row : problem.rows) {
        const double tangential = row.impulse.tail<2>().norm(), limit = row.block.friction * row.impulse[0];
        EXPECT_GE(row.impulse[0], 0);
        EXPECT_LE(tangential, limit * (1 + 1e-14));
        on_surface += tangential > 0 && tangential > 0.999999 * limit;
    }
    EXPECT_GT(on_surface, 0u) << "some were outside";
}

// Rows that carry nothing and part are judged, not swept; without a velocity to tell them by, all are swept.
TEST(PackedProblem, RowsAtRestAreNotSwept)
{
    const Case<3> start = divided(pile<3>(), {"rcb", 1, {}});
    std::size_t rest = 0;
    const double velocity = 0.02 * start.problem.reference_velocity;
    for (const ContactRow<3>& row : start.problem.rows) {
        const Vec<3> v =
            relative_velocity(row, start.problem.bodies[row.candidate], start.problem.bodies[row.antagonist]);
        rest += !(row.impulse[0] > 0) && row.offset[0] + v.dot(row.frame.col(0)) > velocity;
    }
    ASSERT_GT(rest, 10u);
    PackedProblem<3> packed;
    packed.pack(start.problem, start.partition);
    EXPECT_EQ(packed.swept_rows(), start.problem.rows.size());
    packed.pack(start.problem, start.partition, pair_kernels<3>(), PackedProblem<3>::Velocities::free, velocity);
    EXPECT_EQ(packed.swept_rows(), start.problem.rows.size() - rest);
    EXPECT_EQ(packed.rows(), start.problem.rows.size());
}

// Whatever the start: a bad one is left for none at all, and the answer is judged on all rows.
TEST_F(Auto, ABadWarmStartCostsLittle)
{
    Case<3> start = divided(pile<3>(), {"rcb", 1, {}});
    SolverOptions options = named("auto");
    options.tolerance = 1e-3;
    Case<3> cold = start;
    for (ContactRow<3>& row : cold.problem.rows) row.impulse.setZero();
    Case<3> bad = start;
    for (ContactRow<3>& row : bad.problem.rows) row.impulse *= 1000;
    const SolveReport from_none = make_solver<3>(options, false)->solve(cold.problem, cold.partition);
    const SolveReport from_bad = make_solver<3>(options, false)->solve(bad.problem, bad.partition);
    EXPECT_TRUE(from_none.reached && from_bad.reached) << from_none.residual << " " << from_bad.residual;
    EXPECT_LE(from_bad.sweeps, 2 * from_none.sweeps + 32);
    EXPECT_LT(from_none.updates, std::int64_t(from_none.sweeps) * std::int64_t(cold.problem.rows.size()));
}

// Everything flies apart from the origin, walls too: whatever the last step's impulses were, none is left. A share of
// one, however small, would be counted as a force that a neighbour transmits.
TEST_F(Auto, ContactsThatPartCarryNothingAtAll)
{
    Simulation<3> simulation = pile<3>();
    Case<3> start = divided(simulation, {"rcb", 1, {}});
    for (std::size_t i = 0; i < start.problem.bodies.size(); ++i) {
        start.problem.bodies[i].velocity = 10 * simulation.bodies.position[i];
    }
    SolverOptions options = named("auto");
    options.sweeps = 20;
    const SolveReport report = solve(start, options);
    EXPECT_TRUE(report.reached);
    for (const ContactRow<3>& row : start.problem.rows) EXPECT_EQ(row.impulse, Vec<3>::Zero());
}

// Boxes of random sizes and directions, rough, under a heavy lid that comes down: faces share loads.
Simulation<3> pressed_boxes(std::uint64_t seed, const std::vector<std::string>& sets = {})
{
    std::string scene = R"(
        [scene]
        dimension = 3
        dt = 1e-3
        duration = 1
        [materials]
        stone = { density = 2700 }
        [contact]
        friction = 1
        [[generators]]
        type = "container"
        lower = [0, 0, 0]
        upper = [0.4, 0.4, 0.8]
        material = "stone"
        [[bodies]]
        shape = "box"
        size = [0.36, 0.36, 0.04]
        position = [0.2, 0.2, 0.53]
        velocity = [0, 0, -2]
        mass = 1000
        material = "stone"
        [[drivers]]
        type = "gravity"
    )";
    Random random{seed};
    for (int i = 0; i < 80; ++i) {
        const auto side = [&] { return random.uniform(0.035, 0.056); };
        const auto turn = [&] { return random.uniform(0, 6); };
        const double layer = i / 16, x = 0.05 + 0.1 * (i % 4), y = 0.05 + 0.1 * (i / 4 % 4), z = 0.05 + 0.1 * layer;
        scene += fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{}, {}, {}]\nposition = [{}, {}, {}]\n"
                             "rotation = [{}, {}, {}]\nmaterial = \"stone\"\n",
                             side(), side(), side(), x, y, z, 0.2 * turn(), 0.2 * turn(), turn());
    }
    auto simulation = simulation_of<3>(scene, sets);
    for (int step = 0; step < 250; ++step) simulation.step();
    return simulation;
}

// From the same warm start, at the same number of sweeps, and its own best iterate is what it returns.
void expect_better_than_plain_gauss_seidel(const std::vector<std::string>& sets, int most_worse)
{
    int worse = 0, solves = 0;
    double logarithms = 0;
    for (const std::uint64_t seed : {1, 2}) {
        Simulation<3> simulation = pressed_boxes(seed, sets);
        for (int problem = 0; problem < 3; ++problem) {
            const Case<3> start = divided(simulation, {"rcb", 2, {}});
            ASSERT_GT(start.problem.rows.size(), 250u);
            double before = std::numeric_limits<double>::infinity();
            for (const int sweeps : {8, 32, 100}) {
                SolverOptions options = named("auto");
                options.tolerance = 1e-12; // of neither
                options.sweeps = sweeps;
                options.good_enough = std::numeric_limits<double>::infinity(); // the referee is not asked
                Case<3> ours = start, plain = start;
                const SolveReport report = solve(ours, options);
                options.name = "nlgs";
                const SolveReport reference = solve(plain, options);
                EXPECT_LE(report.sweeps, sweeps); // those without the warm start included
                EXPECT_LE(report.residual, before)
                    << fmt::format("seed {}, problem {}, {} sweeps", seed, problem, sweeps);
                before = report.residual;
                worse += report.residual > reference.residual;
                logarithms += std::log(report.residual / reference.residual);
                ++solves;
            }
            for (int step = 0; step < 5; ++step) simulation.step();
        }
    }
    EXPECT_LE(worse, most_worse) << "of " << solves;
    EXPECT_LT(std::exp(logarithms / solves), 0.6);
}

// In a jam each of the two may be lucky: of 108 such solves two are worse, and the mean is 0.4. (On recorded
// problems none is: NeverWorse.*.)
TEST_F(Auto, IsBetterThanPlainGaussSeidelInJams) { expect_better_than_plain_gauss_seidel({}, 2); }

// with levers of 0.5, 2 and 10 mm and four seeds, four of 108 are worse
const std::vector<std::string> rolling_boxes = {"contact.rolling_friction=2e-3"};
TEST_F(Auto, IsBetterThanPlainGaussSeidelInJamsThatRoll) { expect_better_than_plain_gauss_seidel(rolling_boxes, 0); }

TEST_F(Auto, SameBitsForAnyNumberOfThreadsWhereBoxesAreJammed)
{
    threads_do_not_change_the_bits(pressed_boxes(1));
    threads_do_not_change_the_bits(pressed_boxes(1, rolling_boxes));
}

// The widest instructions of this machine and the plainest give the same bits, whatever a visit does.
template <int D>
void expect_the_same_bits_of_all_instruction_sets(const std::string& contact)
{
    const Case<D> start = divided(pile<D>(contact), {"rcb", 1, {}});
    std::optional<Case<D>> expected;
    for (const PairKernels<D>& kernels : supported_pair_kernels<D>()) {
        Case<D> now = start;
        PackedProblem<D> packed;
        packed.pack(now.problem, now.partition, kernels);
        packed.give(packed.part(0));
        for (int sweep = 0; sweep < 20; ++sweep) {
            packed.extrapolate(0, 0.5);
            packed.sweep(packed.part(0), 0.5, 2, sweep < 10 ? Visit::solve : Visit::project);
        }
        packed.unpack(now.problem);
        if (!expected) expected = now;
        expect_same_bits(expected->problem, now.problem, kernels.name);
    }
}

TEST(PackedProblem, TheInstructionSetDoesNotChangeTheBits)
{
    for (const std::string& contact : {std::string("friction = 0.5"), rolling_law}) {
        expect_the_same_bits_of_all_instruction_sets<2>(contact);
        expect_the_same_bits_of_all_instruction_sets<3>(contact);
    }
}

// Bodies that are not round: a visit makes a step of their moments, where plain Gauss-Seidel solves for them. Under a
// light lid and in a jam.
TEST_F(Auto, BoxesRollByTheLaw)
{
    for (const std::uint64_t seed : {1, 2, 3}) {
        for (const auto& [mass, tolerance] : {std::pair("10", 1e-3), std::pair("1000", 1e-2)}) {
            const Simulation<3> boxes = pressed_boxes(seed, {rolling_boxes[0], fmt::format("bodies[0].mass={}", mass)});
            expect_a_solution(divided(boxes, {"rcb", 2, {}}), tolerance, 5000,
                              fmt::format("seed {}, {} kg", seed, mass));
        }
    }
}

} // namespace
