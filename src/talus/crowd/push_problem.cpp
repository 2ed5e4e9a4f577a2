#include "talus/crowd/push_problem.hpp"

#include "talus/exec/grouping.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace talus {

namespace {

constexpr int look_every = 4; // sweeps between two looks at the residual

Vec<2> across(const Vec<2>& normal) { return {-normal.y(), normal.x()}; }

// Contacts in groups that share no body that gives way; greedy, in the order of the rows.
void colour(const PushProblem& problem, Grouped& colours)
{
    std::vector<std::uint64_t> taken(problem.velocity.size(), 0); // colours that a body has
    std::vector<std::int32_t> colour_of(problem.rows.size());
    std::int32_t count = 0;
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        const PushRow& row = problem.rows[k];
        std::uint64_t used = 0;
        for (const std::int32_t body : {row.candidate, row.antagonist}) {
            if (problem.inverse_mass[std::size_t(body)] > 0) used |= taken[std::size_t(body)];
        }
        const std::int32_t mine = std::min(63, std::countr_one(used));
        colour_of[k] = mine;
        for (const std::int32_t body : {row.candidate, row.antagonist}) taken[std::size_t(body)] |= 1ull << mine;
        count = std::max(count, mine + 1);
    }
    group_items(colours, problem.rows.size(), std::size_t(count), [&](std::size_t k) { return colour_of[k]; });
}

// [1/kg] at least the largest eigenvalue of G M⁻¹ Gᵀ: the largest sum of absolute values in a row (Gershgorin).
double eigenvalue_bound(const PushProblem& problem)
{
    std::vector<double> contacts_of(problem.velocity.size(), 0);
    for (const PushRow& row : problem.rows) {
        ++contacts_of[std::size_t(row.candidate)];
        ++contacts_of[std::size_t(row.antagonist)];
    }
    double largest = 0;
    for (const PushRow& row : problem.rows) {
        double sum = 0;
        for (const std::int32_t body : {row.candidate, row.antagonist}) {
            sum += problem.inverse_mass[std::size_t(body)] * contacts_of[std::size_t(body)];
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

} // namespace

double percussion_root(double c, double p, double b)
{
    if (b <= 0) return 0;
    if (p == 2) return b / (2 + c);
    if (c == 0) return 0.5 * b;
    // In x for p > 2, in y = x^{p−1} for p < 2, the left side is convex: Newton's steps from above come down to the
    // root.
    const bool steep = p > 2;
    const double power = steep ? p - 1 : 1 / (p - 1);
    const double linear = steep ? 2 : c, other = steep ? c : 2;
    double x = std::min(b / linear, std::pow(b / other, 1 / power));
    for (int step = 0; step < 100; ++step) {
        const double high = std::pow(x, power);
        const double excess = linear * x + other * high - b;
        const double next = x - excess / (linear + other * power * high / x);
        if (!(next < x)) break; // as near as numbers go
        x = std::max(next, 0.0);
        if (x == 0) break;
    }
    return steep ? x : std::pow(x, power);
}

Vec<2> PushLaw::impulse(const PushRow& row, const Vec<2>& free, double give) const
{
    if (keeps_places) return {std::max(0.0, (-row.gap / dt - free.x()) / give), 0};
    // 2 z + give K_N |z|^{p−2} z = free + U⁻ with z = (U + U⁻)/2; where U would be negative, contact is kept: U = 0
    const double sum = free.x() + row.before.x();
    const double z = std::copysign(percussion_root(give * normal, power, std::abs(sum)), sum);
    const double after = std::max(0.0, 2 * z - row.before.x());
    const double slide = (free.y() + row.before.y()) / (2 + give * tangential);
    return {(after - free.x()) / give, -tangential * slide};
}

void PushProblem::clear(std::size_t bodies)
{
    rows.clear();
    inverse_mass.assign(bodies, 0);
    velocity.assign(bodies, Vec<2>::Zero());
}

Vec<2> PushProblem::relative_velocity(const PushRow& row) const
{
    const Vec<2> difference = velocity[std::size_t(row.candidate)] - velocity[std::size_t(row.antagonist)];
    return {difference.dot(row.normal), difference.dot(across(row.normal))};
}

void PushProblem::push(const PushRow& row, const Vec<2>& impulse)
{
    const Vec<2> world = impulse.x() * row.normal + impulse.y() * across(row.normal);
    // a wall belongs to many contacts of a colour: it is not written to
    const auto give = [&](std::int32_t body, double sign) {
        const double inverse = inverse_mass[std::size_t(body)];
        if (inverse > 0) velocity[std::size_t(body)] += sign * inverse * world;
    };
    give(row.candidate, 1);
    give(row.antagonist, -1);
}

void PushProblem::apply_start()
{
    for (const PushRow& row : rows) push(row, row.impulse);
}

double push_residual(const PushProblem& problem, const PushLaw& law)
{
    return parallel_reduce(
        problem.rows.size(), 0.0,
        [&](std::size_t k) {
            const PushRow& row = problem.rows[k];
            const Vec<2> free = problem.relative_velocity(row) - row.give * row.impulse;
            return row.give * (law.impulse(row, free, row.give) - row.impulse).norm();
        },
        [](double a, double b) { return std::max(a, b); });
}

PushReport solve_by_uzawa(PushProblem& problem, const PushLaw& law, const PushOptions& options)
{
    PushReport report;
    const double step = 1 / eigenvalue_bound(problem); // ρ
    std::vector<Vec<2>> change(problem.rows.size());
    const auto look = [&] {
        report.residual = push_residual(problem, law);
        report.reached = report.residual <= options.tolerance;
        return report.reached;
    };
    while (!look() && report.sweeps < options.sweeps) {
        for (int more = 0; more < look_every; ++more) {
            for (std::size_t k = 0; k < problem.rows.size(); ++k) {
                const PushRow& row = problem.rows[k];
                const Vec<2> free = problem.relative_velocity(row) - row.impulse / step;
                change[k] = law.impulse(row, free, 1 / step) - row.impulse;
            }
            for (std::size_t k = 0; k < problem.rows.size(); ++k) {
                problem.rows[k].impulse += change[k];
                problem.push(problem.rows[k], change[k]);
            }
            ++report.sweeps;
        }
    }
    report.updates = std::int64_t(report.sweeps) * std::int64_t(problem.rows.size());
    return report;
}

PushReport solve_by_sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options)
{
    PushReport report;
    Grouped colours;
    colour(problem, colours);
    const std::size_t count = colours.begin.size() - 1;
    const auto visit = [&](std::int32_t k) {
        PushRow& row = problem.rows[std::size_t(k)];
        const Vec<2> free = problem.relative_velocity(row) - row.give * row.impulse;
        const Vec<2> change = law.impulse(row, free, row.give) - row.impulse;
        if (change.isZero(0)) return;
        row.impulse += change;
        problem.push(row, change);
    };
    const auto look = [&] {
        report.residual = push_residual(problem, law);
        report.reached = report.residual <= options.tolerance;
        return report.reached;
    };
    while (!look() && report.sweeps < options.sweeps) {
        for (int more = 0; more < look_every; ++more) {
            for (std::size_t c = 0; c < count; ++c) {
                const std::span<const std::int32_t> group = colours.of(c);
                if (c == 63) { // whoever touches more than that many: one after the other
                    for (const std::int32_t k : group) visit(k);
                } else {
                    parallel_for(group.size(), [&](std::size_t g) { visit(group[g]); });
                }
            }
            ++report.sweeps;
        }
    }
    report.updates = std::int64_t(report.sweeps) * std::int64_t(problem.rows.size());
    return report;
}

} // namespace talus
