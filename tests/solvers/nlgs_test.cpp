#include "solvers/pile.hpp"
#include "talus/base/error.hpp"
#include "talus/solvers/residual.hpp"
#include "talus/solvers/solver.hpp"

using namespace talus;

namespace {

template <int D>
SolveReport solve(ContactProblem<D>& problem, SolverOptions options)
{
    return make_solver<D>(options, false)->solve(problem);
}

template <int D>
void storages_agree(const std::string& local)
{
    ContactProblem<D> elg = pile_problem<D>(), sdl = elg;
    SolverOptions options;
    options.stop = Stop::sweeps;
    options.sweeps = 25;
    options.local = local;
    solve(elg, options);
    options.storage = "sdl";
    solve(sdl, options);
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < elg.rows.size(); ++k) {
        largest = std::max(largest, elg.rows[k].impulse.norm());
        difference = std::max(difference, (elg.rows[k].impulse - sdl.rows[k].impulse).norm());
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(difference, 1e-10 * largest); // round-off, grown over 25 sweeps
}

} // namespace

TEST(Nlgs, ElgAndSdlHaveTheSameIterates2D) { storages_agree<2>("exact"); }
TEST(Nlgs, ElgAndSdlHaveTheSameIterates3D) { storages_agree<3>("exact"); }
TEST(Nlgs, ElgAndSdlHaveTheSameIteratesByProjection) { storages_agree<3>("projection"); }

TEST(Nlgs, ConvergesToTheLaw)
{
    ContactProblem<3> problem = pile_problem<3>();
    SolverOptions options;
    options.tolerance = 1e-6;
    options.sweeps = 100000;
    const SolveReport report = solve(problem, options);
    EXPECT_TRUE(report.reached);
    EXPECT_LE(report.residual, 1e-6);
    EXPECT_EQ(report.sweeps % options.check_every, 0);
    // what the residual claims, term by term
    for (const ContactRow<3>& row : problem.rows) {
        const Vec<3> v = row.frame.transpose() *
                             relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]) +
                         row.offset;
        const double unit = report.residual_max * problem.reference_velocity;
        EXPECT_GT(v[0], -2 * unit);
        EXPECT_GE(row.impulse[0], 0);
        EXPECT_LE(row.impulse.tail<2>().norm(), row.block.friction * row.impulse[0] * (1 + 1e-12));
    }
}

TEST(Nlgs, CriteriaFallAsTheSweepsGoOn)
{
    for (const Stop stop : {Stop::mean_dvor, Stop::quad_dv, Stop::quad_dvr}) {
        ContactProblem<3> problem = pile_problem<3>();
        SolverOptions options;
        options.stop = stop;
        options.tolerance = 1e-3;
        options.sweeps = 20000;
        const SolveReport loose = solve(problem, options);
        EXPECT_TRUE(loose.reached);
        EXPECT_GT(loose.criterion, 0);
        EXPECT_LE(loose.criterion, 1e-3);
        ContactProblem<3> again = pile_problem<3>();
        options.tolerance = 1e-5;
        const SolveReport tight = solve(again, options);
        EXPECT_TRUE(tight.reached);
        EXPECT_GT(tight.sweeps, loose.sweeps);
        EXPECT_LT(tight.residual, loose.residual);
    }
}

TEST(Nlgs, FixedSweepsAreDoneAndTheResidualIsStillReported)
{
    ContactProblem<2> problem = pile_problem<2>();
    SolverOptions options;
    options.stop = Stop::sweeps;
    options.sweeps = 7;
    const SolveReport report = solve(problem, options);
    EXPECT_EQ(report.sweeps, 7);
    EXPECT_TRUE(report.reached);
    EXPECT_GT(report.residual, 0);
    EXPECT_EQ(report.residual, natural_residual(problem).rms);
}

TEST(Nlgs, SaysWhenItDidNotArrive)
{
    ContactProblem<3> problem = pile_problem<3>();
    SolverOptions options;
    options.tolerance = 1e-9;
    options.sweeps = 20;
    const SolveReport report = solve(problem, options);
    EXPECT_FALSE(report.reached);
    EXPECT_EQ(report.sweeps, 20);
}

TEST(Nlgs, HasNothingToDoWithoutContacts)
{
    ContactProblem<3> problem;
    const SolveReport report = solve(problem, {});
    EXPECT_TRUE(report.reached);
    EXPECT_EQ(report.sweeps, 0);
    EXPECT_EQ(report.residual, 0);
}

TEST(Nlgs, SdlRefusesRollingFrictionByName)
{
    SolverOptions options;
    options.storage = "sdl";
    EXPECT_THROW(make_solver<3>(options, true), InputError);
}
