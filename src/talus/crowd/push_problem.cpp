#include "talus/crowd/push_problem.hpp"

#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr int look_every = 4; // sweeps between two looks at the residual

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
            return row.give * missing_impulse(problem, law, row).norm();
        },
        [](double a, double b) { return std::max(a, b); });
}

PushReport solve_by_uzawa(PushProblem& problem, const PushLaw& law, const PushOptions& options)
{
    PushReport report;
    if (options.apply_start) problem.apply_start();
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

} // namespace talus
