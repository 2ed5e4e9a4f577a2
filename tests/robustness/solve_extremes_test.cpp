// talus solve on files with extreme and degenerate values: no crash, an exact status, and nothing false. What it claims
// is checked by a judge of our own, in long double.
#include "robustness/command.hpp"
#include "talus/base/random.hpp"
#include "talus/io/problems/problem_file.hpp"
#include "talus/solvers/row_compliance.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::robustness {
namespace {

using Long = long double;

// Between `grains` bodies and a floor that does not move; masses from 1 to `spread`.
ContactProblem<3> random_problem(Random& random, int grains, int contacts, double spread)
{
    ContactProblem<3> problem;
    problem.bodies.resize(std::size_t(grains) + 1);
    const auto vector = [&] { return Vec<3>(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
        BodyRecord<3>& body = problem.bodies[i];
        body = {vector(), vector(), Vec<3>::Zero(), SymmetricAng<3>(AngMat<3>(AngMat<3>::Zero()))};
        if (i == 0) continue; // the floor
        const double inverse = std::pow(spread, -random.uniform(0, 1));
        body.inverse_mass.setConstant(inverse);
        body.inverse_inertia = SymmetricAng<3>(AngMat<3>(2.5 * inverse * AngMat<3>::Identity()));
    }
    const double friction = std::vector{0.0, 0.3, 1.0, 10.0}[std::size_t(random.uniform(0, 3.999))];
    for (int k = 0; k < contacts; ++k) {
        ContactRow<3> row;
        row.candidate = 1 + int(random.uniform(0, grains - 1e-9));
        row.antagonist = int(random.uniform(0, row.candidate - 1e-9));
        row.candidate_lever = vector();
        row.antagonist_lever = vector();
        row.frame = frame_of(Vec<3>(vector().normalized()));
        row.offset = Vec<3>::Zero();
        row.impulse = 0.1 * vector();
        row.block = diagonalise<3>(
            row.frame, local_delassus(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]), friction);
        problem.rows.push_back(row);
    }
    problem.reference_velocity = 1;
    return problem;
}

// One thing that a file may bring, by number; its name for the message.
std::string distort(AssembledProblem<3>& problem, Random& random, int kind)
{
    const auto any_contact = [&] { return std::size_t(random.uniform(0, double(problem.size()) - 1e-9)); };
    const auto scale = [&](std::vector<Vec<3>>& vectors, double by) {
        for (Vec<3>& v : vectors) v *= by;
    };
    const auto diagonal = [&](std::size_t k) -> Mat<3>& { return const_cast<Mat<3>&>(diagonal_block(problem, k)); };
    const auto extreme = [&] { return std::pow(10.0, random.uniform(-300, 300)); };
    switch (kind) {
    case 0:
        return "as it is";
    case 1:
        scale(problem.free_velocity, 1e155);
        return "q times 1e155";
    case 2:
        scale(problem.free_velocity, 1e160);
        return "q times 1e160";
    case 3:
        scale(problem.free_velocity, 1e-200);
        return "q times 1e-200";
    case 4: {
        const double by = extreme();
        for (Mat<3>& block : problem.block) block *= by;
        return fmt::format("W times {:.0e}", by);
    }
    case 5:
        problem.block[std::size_t(random.uniform(0, double(problem.block.size()) - 1e-9))](0, 1) = 1e308;
        return "one entry of W 1e308";
    case 6:
        diagonal(any_contact()).setZero();
        return "a diagonal block of zeros";
    case 7:
        diagonal(any_contact()) *= -1;
        return "a negative diagonal block";
    case 8:
        diagonal(any_contact())(0, 0) = 1e308;
        return "w_nn 1e308";
    case 9:
        for (Vec<3>& r : problem.impulse) r *= extreme();
        return "a start of extreme impulses";
    case 10:
        problem.friction[any_contact()] = 1e60;
        return "a friction of 1e60";
    case 11:
        scale(problem.free_velocity, 0);
        return "q of zeros";
    case 12:
        problem.free_velocity[any_contact()] *= extreme();
        return "one extreme free velocity";
    case 13:
        for (Mat<3>& block : problem.block) block.setZero();
        return "W of zeros";
    case 14:
        for (Mat<3>& block : problem.block) block.col(1).setZero(), block.row(1).setZero();
        return "nothing gives way along a tangent";
    default:
        problem.free_velocity[any_contact()][0] = -1.7e308;
        return "an approach of 1.7e308 m/s";
    }
}
constexpr int kinds = 16;

// The rms of the scaled natural map over the rms of q, in long double and in units in which no square overflows.
Long residual_of_written(const AssembledProblem<3>& problem)
{
    Long map = 0, size = 0, largest = 0;
    for (const Vec<3>& q : problem.free_velocity) largest = std::max(largest, Long(q.cwiseAbs().maxCoeff()));
    if (largest == 0) largest = 1;
    for (std::size_t k = 0; k < problem.size(); ++k) {
        const Mat<3>& own = diagonal_block(problem, k);
        const Long mean = (Long(own(0, 0)) + own(1, 1) + own(2, 2)) / 3;
        Long u[3], r[3];
        for (int i = 0; i < 3; ++i) {
            u[i] = Long(problem.free_velocity[k][i]) / largest;
            r[i] = Long(problem.impulse[k][i]) / largest * mean;
            for (std::size_t j = problem.begin[k]; j < problem.begin[k + 1]; ++j) {
                for (int c = 0; c < 3; ++c) {
                    u[i] += Long(problem.block[j](i, c)) * (Long(problem.impulse[problem.column[j]][c]) / largest);
                }
            }
            size += std::pow(Long(problem.free_velocity[k][i]) / largest, Long(2));
        }
        if (!(Long(own(0, 0)) > 1e-13L * 3 * mean) || !(mean > 0)) continue; // carries nothing
        const Long mu = problem.friction[k];
        const Long x[3] = {r[0] - u[0] - mu * std::hypot(u[1], u[2]), r[1] - u[1], r[2] - u[2]};
        const Long tangential = std::hypot(x[1], x[2]);
        Long p[3] = {x[0], x[1], x[2]};
        if (mu * tangential <= -x[0]) {
            p[0] = p[1] = p[2] = 0;
        } else if (tangential > mu * x[0]) {
            p[0] = (x[0] + mu * tangential) / (1 + mu * mu);
            for (int i = 1; i < 3; ++i) p[i] = x[i] * (mu * p[0] / tangential);
        }
        for (int i = 0; i < 3; ++i) map += (r[i] - p[i]) * (r[i] - p[i]);
    }
    return size > 0 ? std::sqrt(map / size) : std::sqrt(map / Long(problem.size())) * largest;
}

double value_of(const std::string& json, const std::string& name)
{
    const auto at = json.find("\"" + name + "\": ");
    const std::string text = at == std::string::npos ? "null" : json.substr(at + name.size() + 4, 40);
    return text.starts_with("null") ? NAN : std::stod(text);
}

// `file` was written with all that `problem` holds: what does talus solve say, and does it hold?
void expect_nothing_false(const Workplace& here, const std::string& file, const std::string& solver,
                          const std::string& what)
{
    fs::remove(here / "solved.h5");
    const Outcome outcome = talus_command(here, {"solve", file, "--solver", solver, "--json", "--sweeps", "300",
                                                 "--threads", "1", "--write", "solved.h5", "--to", "fclib"});
    const std::string said = fmt::format("{}, {}: ", what, solver);
    ASSERT_TRUE(outcome.status == 0 || outcome.status == 1 || outcome.status == 3) << said << outcome;
    const bool claims = outcome.out.find("\"status\": \"reached\"") != std::string::npos;
    EXPECT_EQ(claims, outcome.status == 0) << said << outcome;
    if (outcome.status == 1) {
        EXPECT_TRUE(has(outcome.out, "\"status\": \"failed\"")) << said << outcome;
        EXPECT_TRUE(has(outcome.err, "double precision")) << said << outcome;
        return;
    }
    const auto recorded = io::read_problem(here / "solved.h5");
    const Long residual = residual_of_written(std::get<AssembledProblem<3>>(recorded));
    const double claimed = value_of(outcome.out, "residual_scaled");
    // one rounding of double precision per term of W r, over the largest terms: beyond 1e-7 both see the same; above 1
    // there is no answer, only a start that was far too large
    EXPECT_NEAR(double(residual), claimed, claimed < 1 ? 1e-3 * claimed + 1e-7 : claimed) << said << outcome;
    EXPECT_TRUE(!claims || double(residual) <= 1.001e-4 + 1e-7) << said << outcome;
}

void try_files(std::uint64_t seed, int files)
{
    const Workplace here;
    Random random(seed);
    for (int number = 0; number < files; ++number) {
        const int grains = 1 + int(random.uniform(0, 8)), contacts = 1 + int(random.uniform(0, 24));
        const double spread = std::vector{1.0, 10.0, 1e6}[std::size_t(random.uniform(0, 2.999))];
        AssembledProblem<3> problem = assemble_matrix(random_problem(random, grains, contacts, spread));
        problem.unit = problem.reference_velocity = 0;
        const std::string what = fmt::format("seed {}, file {}, {} contacts of {} grains, {}", seed, number, contacts,
                                             grains, distort(problem, random, number % kinds));
        io::write_fclib(here / "problem.h5", problem);
        const char* solver = std::vector{"auto", "nlgs", "newton"}[std::size_t(number / kinds) % 3];
        expect_nothing_false(here, "problem.h5", solver, what);
    }
}

TEST(SolveExtremes, FilesWithAnyValuesGetAnExactStatus) { try_files(1, 100); }
TEST(SolveExtremes, OtherFilesToo) { try_files(2, 100); }

// the same in our own layout: bodies and levers instead of a matrix
TEST(SolveExtremes, MatrixFreeProblemsToo)
{
    const Workplace here;
    Random random(3);
    for (int number = 0; number < 60; ++number) {
        ContactProblem<3> problem = random_problem(random, 1 + number % 8, 1 + number % 24, 1e3);
        const bool mass = number % 2 == 1;
        // below 1e-8 m/s lies what v_ref calls round-off
        const double by = std::vector{1.0, 1e155, 1e160, mass ? 1e-170 : 1e-5, 1e300}[std::size_t(number) % 5];
        for (BodyRecord<3>& body : problem.bodies) {
            if (mass) {
                body.inverse_mass *= by;
                body.inverse_inertia = body.inverse_inertia.scaled(by);
            } else {
                body.velocity *= by;
                body.spin *= by;
            }
        }
        problem.reference_velocity = mass ? 1 : by;
        io::write_problem(here / "problem.h5", problem);
        for (const char* solver : {"auto", "nlgs", "ddm", "newton"}) {
            expect_nothing_false(here, "problem.h5", solver,
                                 fmt::format("{} times {:g}", mass ? "1/m" : "velocities", by));
        }
    }
}

} // namespace
} // namespace talus::robustness
