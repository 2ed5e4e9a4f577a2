// Domain decomposition: the same solution as one domain, the same bits for any number of threads, nothing lost.
#include "solvers/divided.hpp"
#include "talus/base/error.hpp"
#include "talus/solvers/decomposed/parts_and_colours.hpp"
#include "talus/solvers/decomposed/shared_visit.hpp"
#include "talus/solvers/residual.hpp"

#include <set>

using namespace talus;

namespace {

class Ddm : public WithThreads {};
class DdmAsync : public WithThreads {};

const std::string rubbing = "friction = 0.5";

template <int D>
void one_subdomain_is_plain_nlgs(const std::string& contact, const std::string& local)
{
    const Simulation<D> simulation = pile<D>(contact);
    for (const Stop stop : {Stop::residual, Stop::mean_dvor, Stop::quad_dv, Stop::quad_dvr, Stop::sweeps}) {
        SolverOptions options = named("nlgs");
        options.stop = stop;
        options.local = local;
        options.tolerance = stop == Stop::residual ? 1e-4 : 1e-3;
        options.sweeps = stop == Stop::sweeps ? 17 : 3000;
        options.check_every = 7;
        Case<D> nlgs = divided(simulation, {"rcb", 1, {}}), ddm = nlgs;
        const SolveReport expected = solve(nlgs, options);
        options.name = "ddm";
        const SolveReport report = solve(ddm, options);
        EXPECT_EQ(report.sweeps, expected.sweeps) << int(stop);
        EXPECT_EQ(report.residual, expected.residual) << int(stop);
        EXPECT_EQ(report.residual_max, expected.residual_max) << int(stop);
        EXPECT_EQ(report.criterion, expected.criterion) << int(stop);
        EXPECT_EQ(report.reached, expected.reached) << int(stop);
        EXPECT_EQ(report.updates, std::int64_t(report.sweeps) * std::int64_t(ddm.problem.rows.size()));
        expect_same_bits(nlgs.problem, ddm.problem, "stop " + std::to_string(int(stop)));
    }
}

template <int D>
void threads_do_not_change_the_bits(const std::string& contact)
{
    const Simulation<D> simulation = pile<D>(contact, D == 2 ? 6 : 3);
    for (const int parts : {1, 4, 12}) {
        for (const Stop stop : {Stop::residual, Stop::quad_dv}) {
            for (const char* interface : {"colours", "sequential"}) {
                SolverOptions options = named("ddm");
                options.stop = stop;
                options.tolerance = 1e-3;
                options.interface = interface;
                options.sweeps = 60;
                Case<D> expected;
                SolveReport expected_report;
                for (const int threads : {1, 2, 3, 4}) {
                    set_thread_count(threads);
                    Case<D> now = divided(simulation, {"rcb", parts, {}});
                    ASSERT_GT(now.problem.rows.size(), 1000u); // enough to be shared out
                    const SolveReport report = solve(now, options);
                    if (threads == 1) {
                        expected = now;
                        expected_report = report;
                        continue;
                    }
                    expect_same_bits(expected.problem, now.problem,
                                     fmt::format("{} parts, {} threads, {}", parts, threads, interface));
                    EXPECT_EQ(report.sweeps, expected_report.sweeps);
                    EXPECT_EQ(report.criterion, expected_report.criterion);
                    EXPECT_EQ(report.residual, expected_report.residual);
                }
            }
        }
    }
}

} // namespace

TEST_F(Ddm, OneSubdomainIsPlainNlgsToTheBit2D) { one_subdomain_is_plain_nlgs<2>(rubbing, "exact"); }
TEST_F(Ddm, OneSubdomainIsPlainNlgsToTheBit3D) { one_subdomain_is_plain_nlgs<3>(rubbing, "exact"); }
TEST_F(Ddm, OneSubdomainIsPlainNlgsToTheBitByProjection) { one_subdomain_is_plain_nlgs<3>(rubbing, "projection"); }
TEST_F(Ddm, OneSubdomainIsPlainNlgsToTheBitWithRollingFriction)
{
    one_subdomain_is_plain_nlgs<3>(rolling_law, "exact");
}

TEST_F(Ddm, SameBitsForAnyNumberOfThreads2D) { threads_do_not_change_the_bits<2>(rubbing); }
TEST_F(Ddm, SameBitsForAnyNumberOfThreads3D) { threads_do_not_change_the_bits<3>(rubbing); }
TEST_F(Ddm, SameBitsForAnyNumberOfThreadsWithRollingFriction) { threads_do_not_change_the_bits<3>(rolling_law); }

// BALLAST table 7.1, as far as a pile of 200 grains can be cut
TEST_F(Ddm, SatisfiesTheLawWhateverTheDecomposition)
{
    set_thread_count(2);
    const Simulation<3> simulation = pile<3>(rubbing, 2);
    for (const std::vector<int>& boxes : {std::vector<int>{2, 2, 1}, {2, 2, 2}, {3, 3, 3}}) {
        for (const std::string name : {"ddm", "ddm_async", "ddm_free"}) {
            for (const int inner : {1, 3}) {
                SolverOptions options = named(name);
                options.tolerance = 1e-4;
                options.sweeps = 20000;
                options.inner_sweeps = inner;
                options.interface_sweeps = inner;
                Case<3> now = divided(simulation, {"boxes", 0, boxes});
                ContactProblem<3> start = now.problem;
                for (auto& row : start.rows) row.impulse.setZero();
                const SolveReport report = solve(now, options);
                EXPECT_TRUE(report.reached) << name << " " << boxes[0] << boxes[1] << boxes[2];
                EXPECT_LE(report.residual, 1e-4);
                EXPECT_EQ(report.residual, natural_residual(now.problem).rms);
                EXPECT_EQ(report.ended, "reached");
                EXPECT_EQ(report.solver, name);
                EXPECT_LT(momentum_error(start, now.problem), 1e-10); // round-off over thousands of visits
            }
        }
    }
}

TEST_F(Ddm, EveryStopReachesWhatItAsksFor)
{
    const Simulation<3> simulation = pile<3>();
    for (const Stop stop : {Stop::mean_dvor, Stop::quad_dv, Stop::quad_dvr}) {
        for (const std::string name : {"ddm", "ddm_async"}) {
            SolverOptions options = named(name);
            options.stop = stop;
            options.tolerance = 1e-4;
            options.sweeps = 20000;
            Case<3> now = divided(simulation, {"rcb", 5, {}});
            const SolveReport report = solve(now, options);
            EXPECT_TRUE(report.reached);
            EXPECT_GT(report.criterion, 0);
            EXPECT_LE(report.criterion, 1e-4);
        }
    }
}

TEST_F(Ddm, SaysWhenItDidNotArrive)
{
    SolverOptions options = named("ddm");
    options.tolerance = 1e-12;
    options.sweeps = 20;
    Case<3> now = divided(pile<3>(), {"rcb", 4, {}});
    const SolveReport report = solve(now, options);
    EXPECT_FALSE(report.reached);
    EXPECT_EQ(report.ended, "cap");
    EXPECT_EQ(report.sweeps, 20);
}

TEST_F(Ddm, SweepsAsOftenAsTheDocumentSays)
{
    Case<3> now = divided(pile<3>(), {"boxes", 0, {2, 2, 1}});
    const Subdomains subdomains = divide_rows(now.problem, now.partition, InterfaceOrder::colours);
    std::int64_t inside = 0;
    for (int part = 0; part < 4; ++part) inside += std::int64_t(subdomains.size_of(part));
    const std::int64_t gamma = std::int64_t(subdomains.interface_size());
    SolverOptions options = named("ddm");
    options.stop = Stop::sweeps;
    options.sweeps = 9;
    options.inner_sweeps = 3;
    options.interface_sweeps = 2;
    const SolveReport report = solve(now, options);
    EXPECT_EQ(report.sweeps, 9);
    EXPECT_EQ(report.ended, "sweeps");
    EXPECT_EQ(report.updates, 9 * (3 * inside + 2 * gamma));
}

// BALLAST §10.1: sub-domain E is active in its first plan[E] outer iterations, Γ in all
TEST_F(Ddm, APlanLeavesSubdomainsAlone)
{
    for (const std::string name : {"ddm", "ddm_async"}) {
        Case<3> now = divided(pile<3>(), {"boxes", 0, {1, 3, 1}});
        const Subdomains subdomains = divide_rows(now.problem, now.partition, InterfaceOrder::colours);
        SolverOptions options = named(name);
        options.stop = Stop::sweeps;
        options.sweeps = 20;
        options.inner_sweeps = 2;
        options.plan = {20, 7, 0};
        const SolveReport report = solve(now, options);
        const std::int64_t expected = 20 * 2 * std::int64_t(subdomains.size_of(0)) +
                                      7 * 2 * std::int64_t(subdomains.size_of(1)) +
                                      20 * std::int64_t(subdomains.interface_size());
        EXPECT_EQ(report.updates, expected) << name;
        options.plan = {20, 7};
        EXPECT_THROW(solve(now, options), InputError);
    }
}

TEST_F(Ddm, APlanThatNeverEndsChangesNothing)
{
    SolverOptions options = named("ddm");
    options.sweeps = 50;
    Case<3> whole = divided(pile<3>(), {"boxes", 0, {1, 3, 1}}), planned = whole;
    solve(whole, options);
    options.plan = {50, 50, 50};
    solve(planned, options);
    expect_same_bits(whole.problem, planned.problem, "plan");
}

TEST_F(Ddm, TakesExtremes)
{
    for (const std::string name : {"ddm", "ddm_async", "ddm_free"}) {
        for (const int threads : {1, 3}) {
            set_thread_count(threads);
            for (const std::string contact : {"friction = 0", "friction = 10"}) {
                SolverOptions options = named("nlgs");
                options.tolerance = 1e-4;
                options.sweeps = 2000;
                Case<3> now = divided(pile<3>(contact), {"rcb", 6, {}}), whole = now;
                const SolveReport expected = solve(whole, options);
                options.name = name;
                const SolveReport report = solve(now, options);
                // with μ = 10 Gauss-Seidel goes round in circles on this pile, in whatever order
                EXPECT_EQ(report.reached, expected.reached) << name << " " << contact;
                EXPECT_LT(report.residual, 4 * expected.residual) << name << " " << contact;
            }
            Case<3> nothing{{}, {3, {}, {}}};
            EXPECT_TRUE(solve(nothing, named(name)).reached);
            EXPECT_EQ(solve(nothing, named(name)).sweeps, 0);
        }
    }
}

TEST_F(Ddm, SolvesOneContact)
{
    const std::string two = R"(
        [scene]
        dimension = 2
        dt = 1e-3
        duration = 1
        [materials]
        glass = { preset = "glass" }
        [[bodies]]
        shape = "disk"
        radius = 0.01
        velocity = [1, 0]
        material = "glass"
        [[bodies]]
        shape = "disk"
        radius = 0.01
        position = [0.02, 0]
        material = "glass"
    )";
    for (const std::string name : {"ddm", "ddm_async"}) {
        auto simulation = simulation_of<2>(two, {"solver.name=\"" + name + "\"", "partition.boxes=[2,1]"});
        const StepReport report = simulation.step();
        EXPECT_EQ(report.contacts, 1u);
        EXPECT_EQ(report.partition.interface, 1); // the only contact is Γ: two sub-domains without any
        EXPECT_NEAR(simulation.bodies.velocity[0][0], 0.5, 1e-12);
        EXPECT_NEAR(simulation.bodies.velocity[1][0], 0.5, 1e-12);
    }
}

// 2025 spheres under one plate: hundreds of its contacts are on Γ, and the forces are not unique
TEST_F(Ddm, SolvesThousandsOfRedundantContacts)
{
    set_thread_count(2);
    Simulation<3> simulation = plate_on_spheres(45);
    simulation.step();
    ASSERT_GT(simulation.contacts.size(), 4000u);
    for (const std::string name : {"ddm", "ddm_async"}) {
        Case<3> now = divided(simulation, {"rcb", 4, {}});
        const Subdomains subdomains = divide_rows(now.problem, now.partition, InterfaceOrder::colours);
        EXPECT_GT(subdomains.interface_size(), 1000u);
        EXPECT_EQ(subdomains.colours(), most_colours);
        EXPECT_GT(subdomains.order.size(), subdomains.colour_begin.back()) << "the rest is visited row by row";
        SolverOptions options = named(name);
        options.tolerance = 1e-3;
        options.sweeps = 20000;
        EXPECT_TRUE(solve(now, options).reached) << name;
    }
}

TEST(Subdomains, AColourTouchesEachBodyOnce)
{
    Case<3> now = divided(pile<3>(), {"rcb", 7, {}});
    const Subdomains subdomains = divide_rows(now.problem, now.partition, InterfaceOrder::colours);
    EXPECT_GT(subdomains.colours(), 1);
    EXPECT_EQ(subdomains.colour_begin.front(), subdomains.interface_begin());
    EXPECT_EQ(subdomains.colour_begin.back(), subdomains.order.size());
    for (int colour = 0; colour < subdomains.colours(); ++colour) {
        std::set<std::int32_t> bodies;
        for (std::size_t k = subdomains.colour_begin[colour]; k < subdomains.colour_begin[colour + 1]; ++k) {
            const ContactRow<3>& row = now.problem.rows[subdomains.order[k]];
            EXPECT_NE(now.partition.part[row.candidate], now.partition.part[row.antagonist]);
            EXPECT_TRUE(bodies.insert(row.candidate).second && bodies.insert(row.antagonist).second);
        }
    }
}

TEST(Subdomains, KeepTheOrderOfTheRowsInEachPart)
{
    Case<3> now = divided(pile<3>(), {"rcb", 7, {}});
    const Subdomains subdomains = divide_rows(now.problem, now.partition, InterfaceOrder::sequential);
    const auto begin = subdomains.order.begin();
    for (int part = 0; part < 7; ++part) {
        EXPECT_TRUE(std::is_sorted(begin + std::ptrdiff_t(subdomains.part_begin[part]),
                                   begin + std::ptrdiff_t(subdomains.part_begin[part + 1])));
    }
    EXPECT_TRUE(std::is_sorted(begin + std::ptrdiff_t(subdomains.interface_begin()), subdomains.order.end()));
    const std::set<std::int32_t> all(subdomains.order.begin(), subdomains.order.end());
    EXPECT_EQ(all.size(), now.problem.rows.size());
}

TEST(Subdomains, AreSharedOutEvenly)
{
    const std::vector<std::size_t> work = {10, 70, 30, 40, 50};
    EXPECT_EQ(share_out(work, 2), (std::vector<std::vector<int>>{{1, 2}, {0, 3, 4}})); // 100 and 100
    EXPECT_EQ(share_out(work, 1), (std::vector<std::vector<int>>{{0, 1, 2, 3, 4}}));
    EXPECT_EQ(tasks_of(share_out(work, 2), 0, 1), (std::vector<int>{1, 2, 0, 3, 4})); // a team of one
}

// Each part and each item once, and a stage begins when all before it is done.
TEST_F(Ddm, PartsComeBeforeColoursAndColoursOneByOne)
{
    const std::vector<std::size_t> work = {5, 1, 4, 2, 3};
    const std::vector<Stage> stages = {{0, 7, true}, {7, 10, false}, {10, 12, true}};
    for (const int threads : {1, 2, 4}) {
        PartsAndColours team;
        team.plan(work, stages, threads);
        std::vector<int> visits(work.size() + 12, 0);
        std::atomic<std::size_t> done = 0;
        std::atomic<int> early = 0;
        team.run([&](const PartsAndColours::Member& me) {
            me.on_both(
                [&](int part) {
                    ++visits[std::size_t(part)];
                    ++done;
                },
                [&](std::size_t begin, std::size_t end) {
                    for (std::size_t k = begin; k < end; ++k) {
                        const std::size_t before = work.size() + (k < 7 ? 0 : k < 10 ? 7 : 10);
                        early += done < before;
                        ++visits[work.size() + k];
                        ++done;
                    }
                });
        });
        EXPECT_EQ(visits, std::vector<int>(visits.size(), 1)) << threads;
        EXPECT_EQ(early, 0) << threads;
    }
}

// integers are added without rounding: what is missing at the end was lost
TEST_F(DdmAsync, AddsWithoutLosingAnUpdate)
{
    set_thread_count(4);
    Vec<3> shared = Vec<3>::Zero();
    const int times = 50000;
    Team::run([&](int thread, Barrier& barrier) {
        barrier.wait(); // all at once
        const Vec<3> change(1, 2, double(thread));
        for (int i = 0; i < times; ++i) add_shared<3>(shared, change);
    });
    EXPECT_EQ(shared[0], 4.0 * times);
    EXPECT_EQ(shared[1], 8.0 * times);
    EXPECT_EQ(shared[2], 6.0 * times);
}

TEST_F(DdmAsync, LosesNoUpdateInASolve)
{
    set_thread_count(4);
    for (const std::string name : {"ddm_async", "ddm_free"}) {
        for (const std::string& contact : {rubbing, rolling_law}) {
            Case<3> now = divided(pile<3>(contact, 2), {"rcb", 8, {}});
            ContactProblem<3> start = now.problem;
            SolverOptions options = named(name);
            options.stop = Stop::sweeps;
            options.sweeps = 200;
            const SolveReport report = solve(now, options);
            EXPECT_EQ(report.updates, 200 * std::int64_t(now.problem.rows.size()));
            EXPECT_LT(momentum_error(start, now.problem), 1e-11); // round-off of 200 sweeps
        }
    }
}

TEST_F(DdmAsync, OnOneThreadIsDdmWithASequentialInterface)
{
    set_thread_count(1);
    for (const std::string& contact : {rubbing, rolling_law}) {
        Case<3> async = divided(pile<3>(contact), {"rcb", 5, {}}), sync = async;
        SolverOptions options = named("ddm_async");
        options.tolerance = 1e-5;
        const SolveReport one = solve(async, options);
        options.name = "ddm";
        options.interface = "sequential";
        const SolveReport other = solve(sync, options);
        EXPECT_NEAR(one.sweeps, other.sweeps, 10); // changes are rounded apart before they are added
        double largest = 0, difference = 0;
        for (std::size_t k = 0; k < sync.problem.rows.size(); ++k) {
            largest = std::max(largest, sync.problem.rows[k].impulse.norm());
            difference = std::max(difference, (sync.problem.rows[k].impulse - async.problem.rows[k].impulse).norm());
        }
        EXPECT_LT(difference, 1e-6 * largest);
    }
}

TEST(DdmAsyncLabel, SaysThatItIsNotReproducible)
{
    EXPECT_TRUE(make_solver<3>(named("nlgs"), false)->reproducible());
    EXPECT_TRUE(make_solver<3>(named("ddm"), false)->reproducible());
    EXPECT_FALSE(make_solver<3>(named("ddm_async"), false)->reproducible());
    EXPECT_FALSE(make_solver<3>(named("ddm_free"), false)->reproducible());
}

TEST(Team, BarriersKeepEveryoneTogether)
{
    const int before = thread_count();
    set_thread_count(3);
    std::vector<int> at(3, 0);
    int wrong = 0;
    Team::run([&](int thread, Barrier& barrier) {
        for (int round = 1; round <= 2000; ++round) {
            at[thread] = round;
            barrier.wait();
            if (thread == 0) {
                for (const int other : at) wrong += other != round;
            }
            barrier.wait();
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(at, std::vector<int>(3, 2000));
    set_thread_count(before);
}
