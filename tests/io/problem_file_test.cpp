#include "made_up_run.hpp"
#include "recorded_problems.hpp"
#include "same_problems.hpp"
#include "solvers/pile.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/hdf5_file.hpp"
#include "talus/io/problems/problem_file.hpp"
#include "texts.hpp"

#include <limits>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

using Integers = std::vector<std::int32_t>;
using Numbers = std::vector<double>;

// Two contacts in 2D whose normals are coupled, in FCLIB's layout; a test may spoil it before it is written.
//     W = 2 . 1 .    q = −1    μ = 0.5    r =  0.25   and so u = 0
//         . 1 . .        0.5                  −0.1              0.4
//         1 . 2 .       −1       0.0          0.5               0.25
//         . . . 1        0                    0                 0
struct TwoContacts {
    Integers spacedim{2}, m{4}, n{4}, nz{-1}, nzmax{6};
    Integers p{0, 2, 3, 5, 6}, i{0, 2, 1, 0, 2, 3};
    Numbers x{2, 1, 1, 1, 2, 1}, q{-1, 0.5, -1, 0}, mu{0.5, 0}, r{0.25, -0.1, 0.5, 0};
    double reference_velocity = 0;
    std::string group = "fclib_local", left_out;

    void write(const fs::path& path) const
    {
        Hdf5Writer out(path);
        const auto put = [&](const std::string& name, const auto& column) {
            if (name != left_out) out.column(name, column);
        };
        put(group + "/spacedim", spacedim);
        put(group + "/W/m", m);
        put(group + "/W/n", n);
        put(group + "/W/nz", nz);
        put(group + "/W/nzmax", nzmax);
        put(group + "/W/p", p);
        put(group + "/W/i", i);
        put(group + "/W/x", x);
        put(group + "/vectors/q", q);
        put(group + "/vectors/mu", mu);
        if (!r.empty()) put("guesses/1/r", r);
        if (reference_velocity != 0) out.attribute("reference_velocity", reference_velocity);
        out.commit();
    }
};

std::string refusal_to_read(const fs::path& path)
{
    return refusal_of([&] { read_problem(path); });
}

// what is said about the problem once it is spoiled
template <class Spoil>
std::string refusal_when(Spoil&& spoil)
{
    const Scratch scratch;
    TwoContacts problem;
    spoil(problem);
    problem.write(scratch / "bad.hdf5");
    const std::string said = refusal_to_read(scratch / "bad.hdf5");
    EXPECT_NE(said.find("bad.hdf5"), std::string::npos) << said;
    return said;
}

// blocks one on the other: contacts of polyhedra
ContactProblem<3> stack_problem()
{
    auto simulation = library_simulation<3>("masonry/stack");
    for (int step = 0; step < 10; ++step) simulation.step();
    return problem_of(simulation);
}

template <int D>
void comes_back_to_the_bit(const ContactProblem<D>& problem)
{
    const Scratch scratch;
    ASSERT_GT(problem.rows.size(), 5u);
    write_problem(scratch / "a.h5", problem);
    const RecordedProblem back = read_problem(scratch / "a.h5");
    ASSERT_TRUE(std::holds_alternative<ContactProblem<D>>(back));
    expect_same(std::get<ContactProblem<D>>(back), problem);
    EXPECT_TRUE(read_partition(scratch / "a.h5").part.empty());
}

} // namespace

// ---- FCLIB's layout

TEST(FclibFile, IsReadAndJudgedAsByHand)
{
    const Scratch scratch;
    TwoContacts file;
    file.reference_velocity = 0.5;
    file.write(scratch / "two.hdf5");
    const auto problem = std::get<AssembledProblem<2>>(read_problem(scratch / "two.hdf5"));
    ASSERT_EQ(problem.size(), 2u);
    EXPECT_EQ(problem.begin, (std::vector<std::size_t>{0, 2, 4}));
    EXPECT_EQ(problem.column, (Integers{0, 1, 0, 1}));
    EXPECT_EQ(contact_velocity(problem, 0), (Vec<2>(0, 0.4)));
    EXPECT_EQ(contact_velocity(problem, 1), (Vec<2>(0.25, 0)));
    // contact 0, trace/d = 3/2: r − û/(3/2) = (7, −22)/60 is outside the cone, its projection is (0.24, −0.12);
    // contact 1, without friction, pushes while it opens: the map is u_n
    const double map_0 = (1.5 * Vec<2>(0.01, 0.02)).squaredNorm(), map_1 = 0.25 * 0.25;
    const double q = 1 + 0.25 + 1;
    const ProblemErrors errors = judge(problem);
    EXPECT_NEAR(errors.scaled, std::sqrt((map_0 + map_1) / q), 1e-15);
    EXPECT_NEAR(errors.scaled_max, 0.25 / std::sqrt(q / 2), 1e-15);
    EXPECT_NEAR(errors.run, std::sqrt((map_0 + map_1) / 2) / 0.5, 1e-15);
    // with ρ = 1 the projection of contact 0, (0.05, −0.5), happens to be the same point
    EXPECT_NEAR(errors.siconos, std::sqrt((0.01 * 0.01 + 0.02 * 0.02 + 0.25 * 0.25) / q), 1e-15);
    EXPECT_NEAR(errors.dissipation, 0.1 * 0.4, 1e-16);
    EXPECT_EQ(errors.cone_violation, 0);
    EXPECT_EQ(errors.worst_approach, 0);
}

TEST(FclibFile, WhatIsOutsideTheConeOrApproachesIsTold)
{
    const Scratch scratch;
    TwoContacts file;
    file.r = {0.1, 0.3, -0.2, 0};
    file.write(scratch / "two.hdf5");
    const ProblemErrors errors = judge(std::get<AssembledProblem<2>>(read_problem(scratch / "two.hdf5")));
    const double largest = std::sqrt(0.1 * 0.1 + 0.3 * 0.3);
    EXPECT_NEAR(errors.cone_violation, (0.3 - 0.5 * 0.1) / largest, 1e-15);
    EXPECT_NEAR(errors.worst_approach, 1 + 0.2 * 2 - 0.1, 1e-15); // at the second contact
}

TEST(FclibFile, AllStoragesOfTheMatrixAreTheSameProblem)
{
    const Scratch scratch;
    TwoContacts columns, rows, triplets;
    columns.x[1] = 1.25; // W_20: the matrix is not symmetric, so that rows and columns differ
    rows = triplets = columns;
    rows.nz = {-2};
    rows.p = {0, 2, 3, 5, 6};
    rows.i = {0, 2, 1, 0, 2, 3};
    rows.x = {2, 1, 1, 1.25, 2, 1};
    triplets.nz = {7};
    triplets.nzmax = {8}; // more room than entries, and one entry in two parts
    triplets.p = {3, 0, 2, 1, 2, 0, 0};
    triplets.i = {3, 0, 2, 1, 0, 2, 0};
    triplets.x = {1, 0.5, 2, 1, 1.25, 1, 1.5, 77};
    columns.write(scratch / "columns.hdf5");
    rows.write(scratch / "rows.hdf5");
    triplets.write(scratch / "triplets.hdf5");
    const auto problem = std::get<AssembledProblem<2>>(read_problem(scratch / "columns.hdf5"));
    EXPECT_EQ(problem.block[2], (Mat<2>() << 1.25, 0, 0, 0).finished());
    expect_same(std::get<AssembledProblem<2>>(read_problem(scratch / "rows.hdf5")), problem);
    expect_same(std::get<AssembledProblem<2>>(read_problem(scratch / "triplets.hdf5")), problem);
}

TEST(FclibFile, WithoutAGuessTheImpulsesAreZero)
{
    const Scratch scratch;
    TwoContacts file;
    file.r.clear();
    file.write(scratch / "two.hdf5");
    const auto problem = std::get<AssembledProblem<2>>(read_problem(scratch / "two.hdf5"));
    EXPECT_EQ(problem.impulse, (std::vector<Vec<2>>{{0, 0}, {0, 0}}));
}

TEST(FclibFile, ComesBackToTheBit)
{
    const Scratch scratch;
    const ContactProblem<2> flat = pile_problem<2>();
    const ContactProblem<3> solid = pile_problem<3>();
    AssembledProblem<2> a = assemble_matrix(flat);
    AssembledProblem<3> b = assemble_matrix(solid);
    a.impulse[0] = {0.1, 0.2};
    b.impulse[0] = {0.1, 0.2, 0.3};
    write_fclib(scratch / "a.hdf5", a);
    write_fclib(scratch / "b.hdf5", b, Impulses::solution);
    expect_same(std::get<AssembledProblem<2>>(read_problem(scratch / "a.hdf5")), a);
    expect_same(std::get<AssembledProblem<3>>(read_problem(scratch / "b.hdf5")), b);
}

TEST(FclibFile, NoContactsAreAProblemToo)
{
    const Scratch scratch;
    write_fclib(scratch / "none.hdf5", assemble_matrix(ContactProblem<3>{}));
    EXPECT_EQ(std::get<AssembledProblem<3>>(read_problem(scratch / "none.hdf5")).size(), 0u);
}

TEST(FclibFile, RecordedProblemsOfSiconosAreReadAndSolved)
{
    for (const std::string& name : recorded_names) {
        std::visit(
            [&](auto problem) {
                using Kind = decltype(problem);
                if constexpr (std::is_same_v<Kind, AssembledProblem<2>> || std::is_same_v<Kind, AssembledProblem<3>>) {
                    constexpr int D = std::is_same_v<Kind, AssembledProblem<2>> ? 2 : 3;
                    EXPECT_GT(judge(problem).scaled, 1e-3) << name; // without impulses: far from what is asked for
                    SolverOptions options;
                    options.tolerance = 1e-4;
                    options.sweeps = 20000;
                    const SolveReport report = make_assembled_solver<D>(options)->solve(problem);
                    EXPECT_TRUE(report.reached) << name << ": " << report.residual;
                    EXPECT_LE(judge(problem).scaled, 1e-4) << name; // what was asked for
                    EXPECT_LE(judge(problem).cone_violation, 1e-12) << name;
                } else {
                    ADD_FAILURE() << name;
                }
            },
            read_problem(recorded_problem(name)));
    }
}

TEST(FclibFile, MistakesAreRefusedByFileDatasetAndValue)
{
    EXPECT_TRUE(
        has(refusal_when([](TwoContacts& f) { f.spacedim = {4}; }), "fclib_local/spacedim = 4: must be 2 or 3"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.m = f.n = {5}; }),
                    "fclib_local/W/m = 5: must be a multiple of spacedim, 2"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.m = {-4}; }), "fclib_local/W/m = -4: must not be negative"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.n = {6}; }), "fclib_local/W/n = 6: must be 4"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.nz = {-3}; }), "fclib_local/W/nz = -3: must be -1"));
    EXPECT_TRUE(
        has(refusal_when([](TwoContacts& f) { f.nzmax = {7}; }), "fclib_local/W/i = 6 numbers: there must be 7"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.nzmax = {2147483647}; }), "there must be 2147483647"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.x.pop_back(); }), "fclib_local/W/x = 5 numbers"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.p.pop_back(); }), "fclib_local/W/p = 4 numbers"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.p[2] = 1; }), "fclib_local/W/p[2] = 1: must be from 2 to 6"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.p[4] = 9; }), "fclib_local/W/p[4] = 9: must be from 5 to 6"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.p[0] = 1; }), "fclib_local/W/p[0] = 1: must be 0"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.i[3] = 4; }), "fclib_local/W/i[3] = 4: must be from 0 to 3"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.i[3] = -1; }), "fclib_local/W/i[3] = -1: must be from 0 to 3"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.q.push_back(0); }), "fclib_local/vectors/q = 5 numbers"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.mu.push_back(0); }), "fclib_local/vectors/mu = 3 numbers"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.mu[1] = -0.1; }), "fclib_local/vectors/mu[1] = -0.1"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.q[2] = NAN; }), "fclib_local/vectors/q[2] = nan"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.x[2] = INFINITY; }), "fclib_local/W/x[2] = inf"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.r.pop_back(); }), "guesses/1/r = 3 numbers: there must be 4"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.reference_velocity = -1; }), "reference_velocity = -1"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.group = "fclib_global"; }), "condense"));
    EXPECT_TRUE(has(refusal_when([](TwoContacts& f) { f.group = "else"; }), "is no contact problem"));
    for (const char* name : {"fclib_local/spacedim", "fclib_local/W/m", "fclib_local/W/nz", "fclib_local/W/nzmax",
                             "fclib_local/W/p", "fclib_local/W/x", "fclib_local/vectors/q", "fclib_local/vectors/mu"}) {
        EXPECT_TRUE(
            has(refusal_when([&](TwoContacts& f) { f.left_out = name; }), std::string("has no dataset ") + name));
    }
}

TEST(FclibFile, WhatIsNoHdf5OrCutOffIsRefused)
{
    const Scratch scratch;
    EXPECT_TRUE(has(refusal_to_read(scratch / "nothing.hdf5"), "no such file"));
    EXPECT_TRUE(has(refusal_to_read(scratch.path()), "is not a file"));
    overwrite(scratch / "text.hdf5", "hello");
    EXPECT_TRUE(has(refusal_to_read(scratch / "text.hdf5"), "is not an HDF5 file"));
    const std::string whole = contents(recorded_problem("GFC3D_OneContact"));
    ASSERT_GT(whole.size(), 1000u);
    for (std::size_t size = 0; size < whole.size(); size += 97) {
        overwrite(scratch / "cut.hdf5", whole.substr(0, size));
        EXPECT_NE(refusal_to_read(scratch / "cut.hdf5"), "") << size;
    }
}

// ---- our own layout

TEST(ProblemFile, ComesBackToTheBit2D) { comes_back_to_the_bit<2>(pile_problem<2>()); }
TEST(ProblemFile, ComesBackToTheBit3D) { comes_back_to_the_bit<3>(pile_problem<3>()); }
TEST(ProblemFile, ComesBackToTheBitWithPolyhedra) { comes_back_to_the_bit<3>(stack_problem()); }
TEST(ProblemFile, ComesBackToTheBitWithRollingFriction)
{
    const auto rolls = pile_problem<3>("friction = 0.4\nrolling_friction = 1e-4");
    ASSERT_FALSE(rolls.rolling.empty());
    comes_back_to_the_bit<3>(rolls);
}

TEST(ProblemFile, IsSolvedToTheSameBitsAsInTheRun)
{
    const Scratch scratch;
    ContactProblem<3> problem = stack_problem();
    write_problem(scratch / "p.h5", problem);
    auto back = std::get<ContactProblem<3>>(read_problem(scratch / "p.h5"));
    make_solver<3>({}, false)->solve(problem);
    make_solver<3>({}, false)->solve(back);
    expect_same(back, problem);
}

TEST(ProblemFile, RemembersWhoOwnsWhichBody)
{
    const Scratch scratch;
    const ContactProblem<2> problem = pile_problem<2>();
    Partition partition;
    partition.parts = 3;
    for (std::size_t k = 0; k < problem.bodies.size(); ++k) partition.part.push_back(std::int32_t(k % 4) - 1);
    write_problem(scratch / "p.h5", problem, partition);
    const Partition back = read_partition(scratch / "p.h5");
    EXPECT_EQ(back.parts, 3);
    EXPECT_EQ(back.part, partition.part);
    partition.part[3] = 3;
    write_problem(scratch / "p.h5", problem, partition);
    EXPECT_THROW(read_partition(scratch / "p.h5"), InputError);
}

// other people's frames need not diagonalise anything: they are turned, and what is given in them with them
TEST(ProblemFile, AnyFrameIsTheSameProblem)
{
    const Scratch scratch;
    const ContactProblem<3> problem = stack_problem();
    ContactProblem<3> turned = problem;
    for (ContactRow<3>& row : turned.rows) {
        const Mat<3> before = row.frame;
        row.frame.col(1) = 0.6 * before.col(1) + 0.8 * before.col(2);
        row.frame.col(2) = 0.6 * before.col(2) - 0.8 * before.col(1);
        row.impulse = row.frame.transpose() * (before * row.impulse);
    }
    write_problem(scratch / "p.h5", turned);
    const auto back = std::get<ContactProblem<3>>(read_problem(scratch / "p.h5"));
    const ProblemErrors errors = judge(assemble_matrix(back)), expected = judge(assemble_matrix(problem));
    EXPECT_GT(expected.scaled, 0);
    EXPECT_NEAR(errors.scaled, expected.scaled, 1e-10 * expected.scaled);
    // and the blocks fit their frames
    EXPECT_NEAR(natural_residual(back).rms, natural_residual(problem).rms, 1e-10 * natural_residual(problem).rms);
}

TEST(ProblemFile, MistakesAreRefusedByFileDatasetAndValue)
{
    const Scratch scratch;
    const auto refusal_when = [&](auto spoil) {
        ContactProblem<2> problem = pile_problem<2>();
        spoil(problem);
        write_problem(scratch / "bad.h5", problem);
        return refusal_to_read(scratch / "bad.h5");
    };
    using P = ContactProblem<2>;
    const auto bodies = std::to_string(pile_problem<2>().bodies.size() - 1);
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[2].candidate = 100000; }),
                    "bad.h5: rows/candidate[2] = 100000: must be from 0 to " + bodies));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[2].antagonist = -1; }), "rows/antagonist[2] = -1: must be from 0"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[1].antagonist = p.rows[1].candidate; }), "another body"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[0].block.friction = -0.5; }), "rows/friction[0] = -0.5"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[0].frame *= 2; }), "rows/frame[0]: must be 2 unit vectors"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.rows[0].offset[0] = NAN; }), "rows/offset[0] = nan"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.bodies[3].velocity[1] = INFINITY; }), "bodies/velocity[3] = inf"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.bodies[3].inverse_mass[1] = -1; }), "bodies/inverse_mass[3] = -1"));
    EXPECT_TRUE(has(refusal_when([](P& p) { p.reference_velocity = -2; }), "reference_velocity = -2"));
    const std::string whole = [&] {
        refusal_when([](P&) {});
        return contents(scratch / "bad.h5");
    }();
    overwrite(scratch / "cut.h5", whole.substr(0, whole.size() - 100));
    EXPECT_NE(refusal_to_read(scratch / "cut.h5"), "");
    std::string changed = whole;
    changed[whole.size() / 2] = char(changed[whole.size() / 2] ^ 1);
    overwrite(scratch / "changed.h5", changed);
    EXPECT_TRUE(has(refusal_to_read(scratch / "changed.h5"), "damaged"));
}

TEST(ProblemFile, AnotherFileOfTalusIsNoProblem)
{
    const Scratch scratch;
    Hdf5Writer out(scratch / "run.h5");
    out.attribute("format", std::string("talus-run"));
    out.column("rows", Numbers{1});
    out.commit();
    EXPECT_TRUE(has(refusal_to_read(scratch / "run.h5"), "is a talus-run file"));
}

} // namespace talus::io
