// Contacts of a crowd by themselves: restitution of NSM2 (REFERENCE R2), and two solvers with one answer.
#include "talus/base/random.hpp"
#include "talus/crowd/push_problem.hpp"
#include "talus/exec/parallel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace talus {
namespace {

constexpr double mass = 75; // [kg]

double speed_after(double before, double normal, double power)
{
    const PushLaw law{.normal = normal, .power = power};
    const PushRow row{.before = {-before, 0}};
    return -before + law.impulse(row, {-before, 0}, 1 / mass).x() / mass;
}

// MODEL §7: e = (K_N − 2m)/(K_N + 2m) for K_N ≥ 2m.
TEST(CrowdRestitution, IsNewtonsForAQuadraticPotential)
{
    struct {
        double normal, restitution;
    } const table[] = {{0, 0}, {75, 0}, {150, 0}, {300, 1.0 / 3}, {1e3, 0.739130}, {1e4, 0.970443}, {1e5, 0.997004}};
    for (const auto& [normal, restitution] : table) {
        for (const double before : {0.01, 1.0, 10.0}) {
            EXPECT_NEAR(speed_after(before, normal, 2) / before, restitution, 5e-7) << normal; // digits printed
        }
    }
}

TEST(CrowdRestitution, HasTheSpeedsOfOtherPowers)
{
    const double before[] = {0.5, 1, 2, 4, 10};
    struct {
        double power, after[5];
    } const table[] = {{1.5, {0.398979, 0.656854, 0.928203, 0.944272, 0}},
                       {2, {0.166667, 0.333333, 0.666667, 1.333333, 3.333333}},
                       {3, {0, 0, 0.438447, 1.627719, 6}},
                       {4, {0, 0, 0.329755, 1.743652, 6.774760}}};
    for (const auto& [power, after] : table) {
        for (int k = 0; k < 5; ++k) {
            EXPECT_NEAR(speed_after(before[k], 4 * mass, power), after[k], 5e-7) << power << " " << before[k];
        }
    }
}

// U⁺ = 0 at K_N (v/2)^{p−1} = m v: below or above that speed contact is kept.
TEST(CrowdRestitution, BeginsAtTheCriticalSpeed)
{
    for (const double power : {1.2, 1.5, 1.9, 2.5, 3.0, 4.0, 6.0}) {
        const double critical = std::pow(std::pow(2, power - 1) * mass / (4 * mass), 1 / (power - 2));
        const double inside = power < 2 ? 0.99 : 1.01, outside = power < 2 ? 1.01 : 0.99;
        EXPECT_GT(speed_after(inside * critical, 4 * mass, power), 0) << power;
        EXPECT_NEAR(speed_after(outside * critical, 4 * mass, power), 0, 1e-14 * critical) << power; // round-off
    }
}

TEST(PercussionRoot, SolvesItsEquation)
{
    Random random(5);
    for (int k = 0; k < 2000; ++k) {
        const double c = std::exp(random.uniform(-12, 12)), p = random.uniform(1.05, 6);
        const double b = std::exp(random.uniform(-12, 6)), x = percussion_root(c, p, b);
        EXPECT_NEAR(2 * x + c * std::pow(x, p - 1), b, 1e-12 * b) << c << " " << p << " " << b;
    }
}

// People in a row or in a heap at random, some against walls, pushed together.
PushProblem random_crowd(Random& random, int people, double overlap, std::vector<Vec<2>>* places = nullptr)
{
    PushProblem problem;
    problem.inverse_mass.assign(std::size_t(people) + 1, 0);
    problem.velocity.assign(std::size_t(people) + 1, Vec<2>::Zero());
    std::vector<Vec<2>> place;
    std::vector<Vec<2>> before(std::size_t(people) + 1, Vec<2>::Zero());
    const double side = 0.45 * std::sqrt(double(people));
    for (int i = 0; i < people; ++i) {
        place.emplace_back(random.uniform(0, side), random.uniform(0, side));
        problem.inverse_mass[std::size_t(i)] = 1 / random.uniform(50, 100);
        before[std::size_t(i)] = Vec<2>(random.uniform(-1, 1), random.uniform(-1, 1));
        problem.velocity[std::size_t(i)] = before[std::size_t(i)] + Vec<2>(random.uniform(-0.1, 0.1), 0);
    }
    const auto add = [&](std::int32_t a, std::int32_t b, const Vec<2>& normal) {
        PushRow row{.candidate = a, .antagonist = b, .normal = normal, .gap = random.uniform(-overlap, 0.01)};
        row.give = problem.inverse_mass[std::size_t(a)] + problem.inverse_mass[std::size_t(b)];
        const Vec<2> difference = before[std::size_t(a)] - before[std::size_t(b)];
        row.before = {difference.dot(normal), difference.dot(Vec<2>(-normal.y(), normal.x()))};
        problem.rows.push_back(row);
    };
    for (std::int32_t a = 0; a < people; ++a) {
        for (std::int32_t b = a + 1; b < people; ++b) {
            const Vec<2> apart = place[std::size_t(a)] - place[std::size_t(b)];
            if (apart.norm() < 0.5) add(a, b, apart.normalized());
        }
        if (place[std::size_t(a)].x() < 0.25) add(a, people, {1, 0});
        if (place[std::size_t(a)].y() < 0.25) add(a, people, {0, 1});
    }
    place.emplace_back(0, 0); // of the walls
    if (places) *places = place;
    return problem;
}

// Whatever people did before and others do to them.
TEST(PushLaw, NeverPullsAndNeverGivesEnergy)
{
    Random random(11);
    for (int repeat = 0; repeat < 20000; ++repeat) {
        PushRow row;
        row.before = {random.uniform(-2, 2), 0};
        const Vec<2> free(random.uniform(-2, 2), 0);
        const double give = random.uniform(0.01, 0.04);
        PushLaw law;
        law.normal = repeat % 5 == 0 ? 0 : std::pow(10, random.uniform(-1, 6));
        law.power = repeat % 2 == 0 ? 2 : random.uniform(1.1, 6);
        const double impulse = law.impulse(row, free, give).x(), after = free.x() + give * impulse;
        const double mean = 0.5 * (after + row.before.x());
        EXPECT_GE(impulse, -1e-12) << row.before.x() << " then " << free.x();
        EXPECT_LE(impulse * mean, 1e-12) << row.before.x() << " then " << free.x();
        EXPECT_GE(after, -std::max(0.0, row.before.x()) - 1e-12) << row.before.x() << " then " << free.x();
    }
}

TEST(PushSolvers, GiveTheSameVelocities)
{
    Random random(11);
    for (int k = 0; k < 24; ++k) {
        PushLaw law{.dt = 0.01};
        law.keeps_places = k % 4 == 0;
        law.power = k % 4 == 1 ? 2 : random.uniform(1.3, 4);
        law.normal = std::exp(random.uniform(0, 11));
        law.tangential = k % 3 == 0 ? 0 : random.uniform(0, 500);
        PushProblem by_sweeps = random_crowd(random, 2 + k, law.keeps_places ? 0.0 : 0.01), by_uzawa = by_sweeps;
        const PushReport sweeps = solve_by_sweeps(by_sweeps, law, {.tolerance = 1e-12, .sweeps = 200'000});
        const PushReport uzawa = solve_by_uzawa(by_uzawa, law, {.tolerance = 1e-12, .sweeps = 2'000'000});
        ASSERT_TRUE(sweeps.reached && uzawa.reached) << k << " " << sweeps.residual << " " << uzawa.residual;
        for (std::size_t i = 0; i < by_sweeps.velocity.size(); ++i) {
            EXPECT_LT((by_sweeps.velocity[i] - by_uzawa.velocity[i]).norm(), 1e-8) << k << " " << i;
        }
    }
}

// What a board of squares allows to be solved at the same time shares nobody.
TEST(PushBoard, SquaresOfOneColourShareNobody)
{
    Random random(21);
    for (int k = 0; k < 10; ++k) {
        const int people = 300;
        std::vector<Vec<2>> place;
        PushProblem problem = random_crowd(random, people, 0.01, &place);
        divide_ground(problem, place);
        ASSERT_EQ(problem.square.size(), problem.rows.size());
        EXPECT_GT(problem.squares_per_colour, 3);
        std::vector<std::array<std::int32_t, PushProblem::colours>> in_square(std::size_t(people), {-1, -1, -1, -1});
        for (std::size_t r = 0; r < problem.rows.size(); ++r) {
            const auto colour = std::size_t(problem.square[r] / problem.squares_per_colour);
            ASSERT_LT(colour, std::size_t(PushProblem::colours));
            for (const std::int32_t body : {problem.rows[r].candidate, problem.rows[r].antagonist}) {
                if (body == people) continue; // a wall
                std::int32_t& square = in_square[std::size_t(body)][colour];
                EXPECT_TRUE(square == -1 || square == problem.square[r]) << body;
                square = problem.square[r];
            }
        }
    }
}

TEST(PushBoard, GivesTheSameBitsOnAnyNumberOfThreads)
{
    const int before = thread_count();
    Random random(22);
    for (const bool keeps_places : {false, true}) {
        std::vector<Vec<2>> place;
        PushProblem start = random_crowd(random, 600, keeps_places ? 0.0 : 0.01, &place);
        std::erase_if(start.rows, [](const PushRow& row) { return row.before.x() >= 0; }); // they part
        const PushLaw law{.keeps_places = keeps_places, .dt = 0.01, .normal = 300};
        std::vector<PushProblem> solved;
        for (const int threads : {1, 2, 3}) {
            set_thread_count(threads);
            solved.push_back(start);
            divide_ground(solved.back(), place);
            EXPECT_TRUE(solve_by_sweeps(solved.back(), law, {.tolerance = 1e-9, .sweeps = 50'000}).reached);
            EXPECT_EQ(solved.back().velocity, solved[0].velocity) << threads;
        }
        PushProblem one_by_one = start;
        solve_by_sweeps(one_by_one, law, {.tolerance = 1e-11, .sweeps = 50'000});
        for (std::size_t i = 0; i < place.size(); ++i) {
            // a residual of 1e-9 m/s in contacts that depend on each other leaves less than a thousand times as much
            EXPECT_LT((one_by_one.velocity[i] - solved[0].velocity[i]).norm(), 1e-6) << i;
        }
    }
    set_thread_count(before);
}

// Φ ≥ 0 is convex and 0 at rest: percussions take energy, whatever K_N and p; with K_N → ∞ they take none.
TEST(PushSolvers, TakeEnergyAndNeverGiveIt)
{
    Random random(3);
    const auto energy = [](const PushProblem& problem) {
        double sum = 0;
        for (std::size_t i = 0; i < problem.velocity.size(); ++i) {
            if (problem.inverse_mass[i] > 0) sum += 0.5 / problem.inverse_mass[i] * problem.velocity[i].squaredNorm();
        }
        return sum;
    };
    for (int k = 0; k < 40; ++k) {
        PushProblem problem = random_crowd(random, 30, 0.01);
        for (PushRow& row : problem.rows) row.before = problem.relative_velocity(row); // no loads: V is u⁻
        std::erase_if(problem.rows, [](const PushRow& row) { return row.before.x() >= 0; });
        const double before = energy(problem);
        const bool elastic = k % 2 == 0;
        const PushLaw law{.normal = elastic ? 1e9 : std::exp(random.uniform(-3, 12)),
                          .power = elastic ? 2 : random.uniform(1.2, 4)};
        solve_by_sweeps(problem, law, {.tolerance = 1e-11, .sweeps = 200'000});
        EXPECT_LE(energy(problem), before * (1 + 1e-9));
        if (elastic) {
            EXPECT_GT(energy(problem), 0.99 * before);
        }
    }
}

} // namespace
} // namespace talus
