#include "talus/crowd/push_problem.hpp"

#include "talus/exec/grouping.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/team.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus {

namespace {

constexpr int look_every = 4; // sweeps between two looks at the residual

// What the law asks of a contact beyond what it has, the others as they are.
Vec<2> missing_impulse(const PushProblem& problem, const PushLaw& law, const PushRow& row)
{
    const Vec<2> free = problem.relative_velocity(row) - row.give * row.impulse;
    return law.impulse(row, free, row.give) - row.impulse;
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

void PushProblem::clear(std::size_t bodies)
{
    rows.clear();
    inverse_mass.assign(bodies, 0);
    velocity.assign(bodies, Vec<2>::Zero());
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

namespace {

// The sweeps on a team of threads, colour by colour. The order among squares of a colour does not matter, so bits are
// the same for any number of threads.
class Sweeps {
  public:
    Sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options)
        : problem_(problem), law_(law), options_(options)
    {
        const auto squares = std::size_t(PushProblem::colours * problem.squares_per_colour);
        group_items(order_, problem.rows.size(), squares,
                    [&](std::size_t k) { return problem.square.empty() ? 0 : problem.square[k]; });
        rows_.resize(problem.rows.size()); // those of a square side by side
        parallel_for(rows_.size(), [&](std::size_t k) { rows_[k] = problem.rows[std::size_t(order_.items[k])]; });
    }

    PushReport solve()
    {
        const std::size_t teams_worth = rows_.size() / rows_per_thread;
        Team::run(std::min<int>(thread_count(), 1 + int(teams_worth)),
                  [&](int thread, Barrier& barrier) { work(thread, barrier); });
        parallel_for(rows_.size(),
                     [&](std::size_t k) { problem_.rows[std::size_t(order_.items[k])].impulse = rows_[k].impulse; });
        report_.updates = std::int64_t(report_.sweeps) * std::int64_t(rows_.size());
        return report_;
    }

  private:
    static constexpr std::size_t rows_per_thread = 256; // fewer are not worth waiting for each other
    struct alignas(64) Largest {
        double value = 0;
    };

    struct Share {
        std::size_t begin, end;
    };
    // Rows of a thread's squares of one colour: about the same number for each.
    Share share_of(std::size_t colour, int thread, int threads) const
    {
        const auto squares = std::ptrdiff_t(problem_.squares_per_colour);
        const auto first = order_.begin.begin() + std::ptrdiff_t(colour) * squares;
        const std::size_t rows = first[squares] - first[0];
        const auto boundary = [&](int t) {
            return *std::lower_bound(first, first + squares, first[0] + rows * std::size_t(t) / std::size_t(threads));
        };
        return {boundary(thread), thread + 1 == threads ? first[squares] : boundary(thread + 1)};
    }

    // visit(row) for each row, colour after colour; everybody waits for everybody between two colours.
    template <class Visit>
    void for_each_row(std::span<const Share> shares, Barrier& barrier, Visit&& visit)
    {
        for (const Share& share : shares) {
            for (std::size_t k = share.begin; k < share.end; ++k) visit(rows_[k]);
            barrier.wait();
        }
    }
    // [m/s] by how much the worst contact missed its law when it was visited
    double sweep(std::span<const Share> shares, Barrier& barrier)
    {
        double worst = 0; // its square
        for_each_row(shares, barrier, [&](PushRow& row) {
            const Vec<2> change = missing_impulse(problem_, law_, row);
            if (change.isZero(0)) return;
            worst = std::max(worst, row.give * row.give * change.squaredNorm());
            row.impulse += change;
            problem_.push(row, change);
        });
        return std::sqrt(worst);
    }
    double residual(int thread, Barrier& barrier) const
    {
        double worst = 0;
        const std::size_t count = rows_.size(), threads = std::size_t(barrier.size());
        for (std::size_t k = count * std::size_t(thread) / threads; k < count * std::size_t(thread + 1) / threads; ++k)
            worst = std::max(worst, rows_[k].give * missing_impulse(problem_, law_, rows_[k]).norm());
        return worst;
    }
    // The same for all: the largest that any of them has.
    double largest(double mine, int thread, Barrier& barrier)
    {
        if (barrier.size() == 1) return mine;
        largest_[std::size_t(thread)].value = mine;
        barrier.wait();
        double all = 0;
        for (int t = 0; t < barrier.size(); ++t) all = std::max(all, largest_[std::size_t(t)].value);
        barrier.wait(); // before the next is written
        return all;
    }

    // Looks at the residual where the last sweep changed as little as that: a look costs as much as a sweep.
    void work(int thread, Barrier& barrier)
    {
        if (thread == 0) largest_.resize(std::size_t(barrier.size()));
        std::array<Share, PushProblem::colours> shares;
        for (std::size_t c = 0; c < shares.size(); ++c) shares[c] = share_of(c, thread, barrier.size());
        barrier.wait();
        if (options_.apply_start)
            for_each_row(shares, barrier, [&](const PushRow& row) { problem_.push(row, row.impulse); });
        double missed = largest(residual(thread, barrier), thread, barrier);
        int sweeps = 0;
        while (missed > options_.tolerance && sweeps < options_.sweeps) {
            const double changed = largest(sweep(shares, barrier), thread, barrier);
            ++sweeps;
            if (!(changed > options_.tolerance) || sweeps == options_.sweeps)
                missed = largest(residual(thread, barrier), thread, barrier);
            if (!std::isfinite(changed)) break;
        }
        if (thread == 0) {
            report_.sweeps = sweeps;
            report_.residual = missed;
            report_.reached = missed <= options_.tolerance;
        }
    }

    PushProblem& problem_;
    const PushLaw& law_;
    const PushOptions& options_;
    Grouped order_;
    std::vector<PushRow> rows_;
    std::vector<Largest> largest_; // of each thread
    PushReport report_;
};

} // namespace

PushReport solve_by_sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options)
{
    if (problem.rows.empty()) return {};
    return Sweeps(problem, law, options).solve();
}

} // namespace talus
