#include "solvers/pile.hpp"
#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/solvers/assembled/assembled_problem.hpp"

using namespace talus;

namespace {

// contacts with nothing between them
template <int D>
AssembledProblem<D> separate_contacts(std::size_t contacts)
{
    AssembledProblem<D> problem;
    Random random{7};
    for (std::size_t k = 0; k < contacts; ++k) {
        Mat<D> root;
        Vec<D> q;
        for (int i = 0; i < D * D; ++i) root(i) = random.uniform(-1, 1);
        for (int i = 0; i < D; ++i) q[i] = random.uniform(-1, 1);
        problem.begin.push_back(k);
        problem.column.push_back(std::int32_t(k));
        problem.block.push_back(root * root.transpose() + 0.1 * Mat<D>::Identity());
        problem.free_velocity.push_back(q);
        problem.friction.push_back(random.uniform(0, 1));
        problem.impulse.push_back(Vec<D>::Zero());
    }
    problem.begin.push_back(contacts);
    return problem;
}

// a chain: each contact is coupled with the next, and the couplings are not quite each other's transpose
template <int D>
AssembledProblem<D> chain(std::size_t contacts, double asymmetry)
{
    const AssembledProblem<D> alone = separate_contacts<D>(contacts);
    AssembledProblem<D> problem = alone;
    problem.begin = {0};
    problem.column.clear();
    problem.block.clear();
    Random random{11};
    for (std::size_t k = 0; k < contacts; ++k) {
        for (std::size_t j = k - (k > 0); j <= std::min(k + 1, contacts - 1); ++j) {
            Mat<D> block = j == k ? Mat<D>(3 * alone.block[k]) : Mat<D>(0.1 * Mat<D>::Identity());
            for (int i = 0; i < D * D; ++i) block(i) += random.uniform(-asymmetry, asymmetry);
            problem.column.push_back(std::int32_t(j));
            problem.block.push_back(block);
        }
        problem.begin.push_back(problem.column.size());
    }
    return problem;
}

template <int D>
void velocities_agree_with_the_bodies()
{
    ContactProblem<D> problem = pile_problem<D>();
    Random random{3};
    for (ContactRow<D>& row : problem.rows) {
        for (int i = 0; i < D; ++i) row.impulse[i] = 1e-3 * random.uniform(-1, 1);
    }
    const AssembledProblem<D> assembled = assemble_matrix(problem);
    ASSERT_GT(assembled.size(), 30u);
    EXPECT_EQ(assembled.reference_velocity, problem.reference_velocity);
    for (const ContactRow<D>& row : problem.rows) {
        give_impulse<D>(row, problem.bodies[row.candidate], problem.bodies[row.antagonist], row.frame * row.impulse);
    }
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        const ContactRow<D>& row = problem.rows[k];
        const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
        const Vec<D> u = row.frame.transpose() * v + row.offset;
        largest = std::max(largest, u.norm());
        difference = std::max(difference, (contact_velocity(assembled, k) - u).norm());
        EXPECT_EQ(assembled.friction[k], row.block.friction);
        // columns increase, and the diagonal is there
        EXPECT_TRUE(std::is_sorted(assembled.column.begin() + std::ptrdiff_t(assembled.begin[k]),
                                   assembled.column.begin() + std::ptrdiff_t(assembled.begin[k + 1])));
        EXPECT_NEAR(diagonal_block(assembled, k).trace(), D * row.block.mean_diagonal(),
                    1e-12 * row.block.mean_diagonal());
    }
    EXPECT_LT(difference, 1e-12 * largest); // sums of some ten terms
    // and so does the residual, told in units of v_ref
    EXPECT_NEAR(natural_residual(assembled).rms, natural_residual(problem).rms, 1e-10 * natural_residual(problem).rms);
    EXPECT_NEAR(judge(assembled).run, natural_residual(problem).rms, 1e-10 * natural_residual(problem).rms);
}

template <int D>
void solves_separate_contacts_in_a_sweep()
{
    AssembledProblem<D> problem = separate_contacts<D>(200);
    SolverOptions options;
    options.tolerance = 1e-13;
    options.check_every = 1;
    const SolveReport report = make_assembled_solver<D>(options)->solve(problem);
    EXPECT_EQ(report.sweeps, 1); // nothing couples them, and each is solved exactly
    EXPECT_EQ(report.updates, 200);
    EXPECT_EQ(report.ended, "reached");
    const ProblemErrors errors = judge(problem);
    EXPECT_LT(errors.scaled, 1e-14); // round-off of the local solver
    EXPECT_LT(errors.siconos, 1e-13);
    EXPECT_LT(errors.worst_approach, 1e-13);
    EXPECT_LT(errors.cone_violation, 1e-15);
    EXPECT_GT(errors.dissipation, 0);
}

} // namespace

TEST(Assemble, VelocitiesAgreeWithTheBodies2D) { velocities_agree_with_the_bodies<2>(); }
TEST(Assemble, VelocitiesAgreeWithTheBodies3D) { velocities_agree_with_the_bodies<3>(); }

TEST(Assemble, RollingFrictionIsRefusedByName)
{
    const auto rolls = pile_problem<3>("friction = 0.4\nrolling_friction = 1e-4");
    EXPECT_THROW(assemble_matrix(rolls), InputError);
}

TEST(Assemble, NoContactsAreNoProblem)
{
    AssembledProblem<2> problem = assemble_matrix(ContactProblem<2>{});
    EXPECT_EQ(problem.size(), 0u);
    EXPECT_EQ(judge(problem).scaled, 0);
    const SolveReport report = make_assembled_solver<2>({})->solve(problem);
    EXPECT_TRUE(report.reached);
    EXPECT_EQ(report.sweeps, 0);
}

TEST(AssembledNlgs, SolvesSeparateContactsInASweep2D) { solves_separate_contacts_in_a_sweep<2>(); }
TEST(AssembledNlgs, SolvesSeparateContactsInASweep3D) { solves_separate_contacts_in_a_sweep<3>(); }

// the local block is symmetric, but what is solved is the true W
TEST(AssembledNlgs, TheFixedPointIsThatOfAnAsymmetricMatrix)
{
    AssembledProblem<3> problem = chain<3>(40, 0.01);
    SolverOptions options;
    options.tolerance = 1e-13;
    const SolveReport report = make_assembled_solver<3>(options)->solve(problem);
    EXPECT_TRUE(report.reached) << report.residual;
    EXPECT_LE(judge(problem).scaled, 1e-13);
}

TEST(AssembledNlgs, ContactThatCannotGiveWayCarriesNothing)
{
    AssembledProblem<3> problem = chain<3>(5, 0);
    problem.block[problem.begin[2] + 1].setZero(); // W_22
    problem.impulse.assign(5, Vec<3>(1, 0, 0));
    SolverOptions options;
    options.tolerance = 1e-12;
    const SolveReport report = make_assembled_solver<3>(options)->solve(problem);
    EXPECT_TRUE(report.reached);
    EXPECT_EQ(problem.impulse[2], (Vec<3>(0, 0, 0)));
    EXPECT_TRUE(std::isfinite(judge(problem).scaled));
}

TEST(AssembledNlgs, OtherNamesAreRefusedAndTheKnownOnesListed)
{
    SolverOptions options;
    options.name = "nlg";
    try {
        make_assembled_solver<3>(options);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("\"nlgs\""), std::string::npos) << error.what();
    }
}

// W, q, r → s W, t q, (t/s) r is the same problem in other units
TEST(Judge, TheScaledErrorHasNoUnits)
{
    AssembledProblem<3> problem = chain<3>(30, 0);
    for (std::size_t k = 0; k < problem.size(); ++k) problem.impulse[k] = Vec<3>(0.3, 0.1, -0.2);
    const ProblemErrors before = judge(problem);
    EXPECT_GT(before.scaled, 1e-2);
    const double s = 1e-3, t = 1e2;
    for (auto& block : problem.block) block *= s;
    for (auto& q : problem.free_velocity) q *= t;
    for (auto& r : problem.impulse) r *= t / s;
    const ProblemErrors after = judge(problem);
    EXPECT_NEAR(after.scaled, before.scaled, 1e-13 * before.scaled);
    EXPECT_NEAR(after.scaled_max, before.scaled_max, 1e-13 * before.scaled_max);
    EXPECT_NEAR(after.cone_violation, before.cone_violation, 1e-13);
    EXPECT_NEAR(after.worst_approach, t * before.worst_approach, 1e-12 * t);
    EXPECT_NEAR(after.dissipation, t * t / s * before.dissipation, 1e-10 * std::abs(t * t / s * before.dissipation));
    EXPECT_GT(std::abs(after.siconos / before.siconos - 1), 0.1); // which has
}

TEST(Judge, TheUnitOfTheResidualIsTheRmsOfQUnlessOneIsGiven)
{
    AssembledProblem<2> problem = separate_contacts<2>(50);
    EXPECT_NEAR(natural_residual(problem).rms, judge(problem).scaled, 1e-15);
    EXPECT_NEAR(natural_residual(problem).maximum, judge(problem).scaled_max, 1e-15);
    const double before = natural_residual(problem).rms;
    double q = 0;
    for (const Vec<2>& v : problem.free_velocity) q += v.squaredNorm() / 50;
    problem.unit = 0.5 * std::sqrt(q);
    EXPECT_NEAR(natural_residual(problem).rms, 2 * before, 1e-14);
}

// an open contact that nothing closes has an offset of 1e30 m/s: it must not hide the error of the others
TEST(Judge, ContactsThatNeverCloseDoNotCount)
{
    AssembledProblem<2> problem = separate_contacts<2>(50);
    problem.free_velocity[7] = Vec<2>(open_contact, 0);
    EXPECT_GT(judge(problem).scaled, 1e-2);
    EXPECT_GT(judge(problem).siconos, 1e-2);
    EXPECT_GT(natural_residual(problem).rms, 1e-2);
}

TEST(Judge, SumsHaveTheSameBitsForAnyNumberOfThreads)
{
    AssembledProblem<3> problem = chain<3>(30000, 0.01);
    for (std::size_t k = 0; k < problem.size(); ++k) problem.impulse[k] = Vec<3>(0.3, 0.1 * double(k % 7), -0.2);
    const int threads = thread_count();
    set_thread_count(1);
    const ProblemErrors one = judge(problem);
    const Residual alone = natural_residual(problem);
    set_thread_count(3);
    const ProblemErrors three = judge(problem);
    const Residual together = natural_residual(problem);
    set_thread_count(threads);
    EXPECT_EQ(one.scaled, three.scaled);
    EXPECT_EQ(one.siconos, three.siconos);
    EXPECT_EQ(one.dissipation, three.dissipation);
    EXPECT_EQ(alone.rms, together.rms);
    EXPECT_GT(one.scaled, 0);
}
