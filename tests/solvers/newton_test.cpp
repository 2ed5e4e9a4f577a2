// The referee: exact answers where they are known, 1e-8 where Gauss-Seidel creeps.
#include "recorded_problems.hpp"
#include "solvers/divided.hpp"
#include "talus/base/random.hpp"
#include "talus/io/problems/problem_file.hpp"
#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/newton/newton.hpp"

using namespace talus;

namespace {

SolverOptions to(double tolerance)
{
    SolverOptions options = named("newton");
    options.tolerance = tolerance;
    return options;
}

template <int D>
void expect_solved(AssembledProblem<D> problem, const std::string& what)
{
    const SolveReport report = make_newton<D>(to(1e-8))->solve(problem);
    EXPECT_TRUE(report.reached) << what << ": " << report.residual << ", " << report.ended;
    EXPECT_EQ(report.ended, "reached") << what;
    EXPECT_EQ(report.solver, "newton");
    EXPECT_EQ(report.residual, natural_residual(problem).rms) << what;
    EXPECT_LE(judge(problem).cone_violation, 0) << what << ": impulses lie in their cones";
}

// One contact, random blocks and velocities: apart, stick and slide all occur.
template <int D>
void expect_the_exact_answer_of_one_contact()
{
    Random random{5};
    for (int repeat = 0; repeat < 200; ++repeat) {
        AssembledProblem<D> problem;
        Mat<D> root, frame = Mat<D>::Identity();
        for (int i = 0; i < D * D; ++i) root(i) = random.uniform(-1, 1);
        Vec<D> q;
        for (int i = 0; i < D; ++i) q[i] = random.uniform(-1, 1);
        const Mat<D> w = root * root.transpose() + 0.1 * Mat<D>::Identity();
        problem.begin = {0, 1};
        problem.column = {0};
        problem.block = {w};
        problem.free_velocity = {q};
        problem.friction = {random.uniform(0, 1.5)};
        problem.impulse = {Vec<D>::Zero()};
        const LocalBlock<D> block = diagonalise<D>(frame, w, problem.friction[0]);
        const Vec<D> exact = frame * solve_exactly<D>(block, Vec<D>(frame.transpose() * q));
        const SolveReport report = make_newton<D>(to(1e-12))->solve(problem);
        EXPECT_TRUE(report.reached);
        EXPECT_NEAR((problem.impulse[0] - exact).norm(), 0, 1e-9 * (1 + exact.norm())); // residual over the least of W
    }
}

TEST(Newton, FindsTheExactAnswerOfOneContact2D) { expect_the_exact_answer_of_one_contact<2>(); }
TEST(Newton, FindsTheExactAnswerOfOneContact3D) { expect_the_exact_answer_of_one_contact<3>(); }

TEST(Newton, SolvesPiles)
{
    for (const std::string contact : {"friction = 0", "friction = 0.5", "friction = 0.5\nrestitution = 0.5"}) {
        expect_solved(assemble_matrix(pile_problem<2>(contact)), contact + " in 2D");
        expect_solved(assemble_matrix(pile_problem<3>(contact)), contact + " in 3D");
    }
    for (int seed = 2; seed <= 12; ++seed) {
        const auto simulation = pile<3>("friction = 0.5", 1, {fmt::format("scene.seed={}", seed)});
        expect_solved(assemble_matrix(problem_of(simulation)), fmt::format("seed {}", seed));
    }
}

// 400 spheres under a plate: thousands of equations, of which the plate's three count
TEST(Newton, SolvesRedundantContacts)
{
    Simulation<3> simulation = plate_on_spheres(20);
    simulation.step();
    const ContactProblem<3> problem = problem_of(simulation);
    ASSERT_GT(problem.rows.size(), 700u);
    expect_solved(assemble_matrix(problem), "plate");
}

// Real data may be asymmetric by a thousandth: the answer is that of the true W.
TEST(Newton, SolvesAnAsymmetricMatrix)
{
    AssembledProblem<3> problem = assemble_matrix(pile_problem<3>());
    Random random{2};
    for (Mat<3>& block : problem.block) {
        for (int i = 0; i < 9; ++i) block(i) *= 1 + random.uniform(-1e-3, 1e-3);
    }
    expect_solved(problem, "asymmetric");
}

TEST(Newton, SolvesRecordedProblems)
{
    for (const std::string& name : recorded_names) {
        std::visit(
            [&](auto problem) {
                if constexpr (requires { problem.free_velocity; }) {
                    for (auto& r : problem.impulse) r.setZero();
                    expect_solved(problem, name);
                }
            },
            io::read_problem(recorded_problem(name)));
    }
}

TEST(Newton, HasNothingToDoWithoutContacts)
{
    AssembledProblem<3> nothing;
    nothing.begin = {0};
    EXPECT_TRUE(make_newton<3>(to(1e-8))->solve(nothing).reached);
}

TEST(Newton, StopsAtItsCapAndSaysSo)
{
    AssembledProblem<3> problem = assemble_matrix(pile_problem<3>());
    for (Vec<3>& r : problem.impulse) r.setZero();
    SolverOptions options = to(1e-14);
    options.sweeps = 1;
    const SolveReport report = make_newton<3>(options)->solve(problem);
    EXPECT_LE(report.sweeps, 1);
    EXPECT_EQ(report.reached, report.residual <= 1e-14);
    EXPECT_EQ(report.ended, report.reached ? "reached" : "cap");
}

// A plate on 400 spheres: one factorisation is a thousand times what it may spend, and so are a hundred sweeps.
TEST(Newton, GivesUpWhereTheWorkIsMoreThanItMayDo)
{
    Simulation<3> simulation = plate_on_spheres(20);
    simulation.step();
    AssembledProblem<3> problem = assemble_matrix(problem_of(simulation));
    for (Vec<3>& r : problem.impulse) r.setZero();
    const double before = natural_residual(problem).rms;
    SolverOptions options = to(1e-8);
    options.operations = 1e5;
    const SolveReport report = make_newton<3>(options)->solve(problem);
    EXPECT_EQ(report.updates, 0);
    EXPECT_LE(report.sweeps, 1);
    EXPECT_EQ(report.ended, "cap");
    EXPECT_EQ(report.residual, before);
}

// A whole step by the referee.
TEST(Newton, IsASolverOfSteps)
{
    Case<3> now = divided(pile<3>(), {"rcb", 1, {}});
    const Case<3> start = now;
    const SolveReport report = solve(now, to(1e-8));
    EXPECT_TRUE(report.reached) << report.residual;
    EXPECT_LT(momentum_error(start.problem, now.problem), 1e-11);
}

// What is to be solved by alternating directions, and in how many iterations at most.
void expect_alternating_directions_solve(AssembledProblem<3> problem, double tolerance, const std::string& what)
{
    SolverOptions options = named("admm");
    options.tolerance = tolerance;
    options.sweeps = 10000;
    for (Vec<3>& r : problem.impulse) r.setZero();
    const SolveReport report = make_assembled_solver<3>(options)->solve(problem);
    EXPECT_EQ(report.ended, "reached") << what << ": " << report.residual;
    EXPECT_EQ(report.solver, "admm");
    EXPECT_LE(natural_residual(problem).rms, tolerance * (1 + 1e-6)) << what;
    EXPECT_LE(judge(problem).cone_violation, 1e-15) << what << ": impulses lie in their cones";
}

TEST(Admm, SolvesPilesAndRedundantContacts)
{
    expect_alternating_directions_solve(assemble_matrix(pile_problem<3>()), 1e-6, "a pile");
    Simulation<3> simulation = plate_on_spheres(20);
    simulation.step();
    expect_alternating_directions_solve(assemble_matrix(problem_of(simulation)), 1e-6, "a plate on 400 spheres");
}

// Rocks with high friction: Newton steps stall at 1e-4, Siconos' ADMM takes 0.6 s to 1e-5 and 6.6 s to 2.2e-6.
TEST(Admm, SolvesWhereNewtonStalls)
{
    auto rocks = std::get<AssembledProblem<3>>(io::read_problem(recorded_problem("RockPile_tob1")));
    for (Vec<3>& r : rocks.impulse) r.setZero();
    AssembledProblem<3> again = rocks;
    SolverOptions options = to(1e-5);
    EXPECT_FALSE(make_assembled_solver<3>(options)->solve(again).reached);
    expect_alternating_directions_solve(rocks, 1e-5, "rocks");
    // below 2.5e-6 round-off decides: five of eight arrive at 2.2e-6 where the free velocities are moved by 1e-13
    options.name = "auto";
    options.tolerance = 3e-6;
    again = rocks;
    const SolveReport report = make_assembled_solver<3>(options)->solve(again);
    EXPECT_EQ(report.solver, "auto, then newton, then admm");
    EXPECT_TRUE(report.reached) << report.residual;
}

// Where sweeps run into their cap the referee goes on.
TEST(AssembledAuto, AsksTheRefereeAtTheCap)
{
    auto stack = std::get<AssembledProblem<3>>(io::read_problem(recorded_problem("Box_Stacks-i0122-82-5")));
    SolverOptions options = named("auto");
    options.tolerance = 1e-8;
    options.sweeps = 16; // it takes 40
    const SolveReport report = make_assembled_solver<3>(options)->solve(stack);
    EXPECT_TRUE(report.reached) << report.residual;
    EXPECT_EQ(report.solver, "auto, then newton");
}

TEST(Admm, GivesUpWhereTheWorkIsMoreThanItMayDo)
{
    AssembledProblem<3> problem = assemble_matrix(pile_problem<3>());
    for (Vec<3>& r : problem.impulse) r.setZero();
    const double before = natural_residual(problem).rms;
    SolverOptions options = named("admm");
    options.tolerance = 1e-12;
    options.operations = 10;
    const SolveReport report = make_admm<3>(options)->solve(problem);
    EXPECT_EQ(report.sweeps, 0);
    EXPECT_EQ(report.ended, "cap");
    EXPECT_EQ(report.residual, before);
}

} // namespace
