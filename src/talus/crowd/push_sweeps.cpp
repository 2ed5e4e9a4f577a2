#include "talus/crowd/push_problem.hpp"
#include "talus/exec/grouping.hpp"
#include "talus/exec/team.hpp"

#include <array>
#include <limits>

namespace talus {

namespace {

// of the board on which contacts are solved at the same time
constexpr double pairs_per_square = 4; // lengths of a pair along its side: more than 2, or two squares share somebody
constexpr double least_square = 0.1;   // [m]
constexpr double most_squares = 512;   // along the ground

// How much further than asked a contact goes: ω of successive over-relaxation. From the factor λ by which the last
// sweeps shrank what was missing follows that of Jacobi's method, μ² = (λ + ω − 1)²/(λ ω²), and from it the best
// ω = 2/(1 + √(1 − μ²)) (Young, 1954).
class Relaxation {
  public:
    explicit Relaxation(bool is_allowed) : is_allowed_(is_allowed) {}
    double factor() const { return factor_; }
    // After each sweep: what was missing in it.
    void see(double missed)
    {
        const int every = factor_ > 1 ? 8 : 4; // sweeps: the first guess soon, the better ones from a longer time
        if (!is_allowed_ || ++sweeps_ < every) return;
        const double shrunk = std::pow(missed / before_, 1.0 / every); // infinite at first
        before_ = missed;
        sweeps_ = 0;
        if (!(shrunk > 0)) return;
        if (shrunk >= 1) { // who pushes whom is still changing, or it went too far
            factor_ = 1 + 0.8 * (factor_ - 1);
        } else if (shrunk > factor_ - 1) {
            const double sum = shrunk + factor_ - 1;
            const double jacobi = std::min(sum * sum / (shrunk * factor_ * factor_), 1.0);
            factor_ = std::min(most, 2 / (1 + std::sqrt(1 - jacobi)));
        }
    }

  private:
    static constexpr double most = 1.95;
    bool is_allowed_;
    int sweeps_ = 0;
    double factor_ = 1, before_ = 0;
};

// The sweeps on a team of threads, colour by colour. The order among squares of a colour does not matter, so bits are
// the same for any number of threads.
class Sweeps {
  public:
    Sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options)
        : problem_(problem), law_(law), options_(options), order_(problem.order), rows_(problem.in_order)
    {
        const auto squares = std::size_t(PushProblem::colours * problem.squares_per_colour);
        group_items(order_, problem.rows.size(), squares,
                    [&](std::size_t k) { return problem.square.empty() ? 0 : problem.square[k]; });
        rows_.resize(problem.rows.size()); // those of a square side by side
        parallel_for(rows_.size(), [&](std::size_t k) { rows_[k] = problem.rows[std::size_t(order_.items[k])]; });
    }

    PushReport solve()
    {
        const std::size_t worth = 1 + rows_.size() / rows_per_thread;
        Team::run(int(std::min(std::size_t(thread_count()), worth)),
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
    double sweep(std::span<const Share> shares, Barrier& barrier, double factor)
    {
        double worst = 0; // its square
        for_each_row(shares, barrier, [&](PushRow& row) {
            Vec<2> change = missing_impulse(problem_, law_, row);
            if (change.isZero(0)) return;
            worst = std::max(worst, row.give * row.give * change.squaredNorm());
            if (factor > 1) change = relaxed(row, change, factor);
            row.impulse += change;
            problem_.push(row, change);
        });
        return std::sqrt(worst);
    }
    // Not beyond the kinks of the law, where contact opens or is kept: there the slope changes.
    Vec<2> relaxed(const PushRow& row, const Vec<2>& change, double factor) const
    {
        const double asked = row.impulse.x() + change.x();
        double taken = row.impulse.x() + factor * change.x();
        for (const double kink : {0.0, law_.keeps_places ? 0.0 : 0.5 * law_.normal * std::max(0.0, -row.before.x())}) {
            if ((asked - kink) * (taken - kink) < 0) taken = kink;
        }
        return {taken - row.impulse.x(), factor * change.y()};
    }
    double residual(int thread, Barrier& barrier) const
    {
        double worst = 0; // its square
        const std::size_t count = rows_.size(), threads = std::size_t(barrier.size());
        for (std::size_t k = count * std::size_t(thread) / threads; k < count * std::size_t(thread + 1) / threads;
             ++k) {
            const Vec<2> missing = missing_impulse(problem_, law_, rows_[k]);
            worst = std::max(worst, rows_[k].give * rows_[k].give * missing.squaredNorm());
        }
        return std::sqrt(worst);
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

    // Looks at the residual where the last sweep missed as little as that: a look costs as much as a sweep.
    void work(int thread, Barrier& barrier)
    {
        if (thread == 0) largest_.resize(std::size_t(barrier.size()));
        std::array<Share, PushProblem::colours> shares;
        for (std::size_t c = 0; c < shares.size(); ++c) shares[c] = share_of(c, thread, barrier.size());
        barrier.wait();
        if (options_.apply_start)
            for_each_row(shares, barrier, [&](const PushRow& row) { problem_.push(row, row.impulse); });
        double missed = largest(residual(thread, barrier), thread, barrier);
        Relaxation relaxation(law_.keeps_places || law_.power == 2);
        int sweeps = 0;
        while (missed > options_.tolerance && sweeps < options_.sweeps) {
            const double in_sweep = largest(sweep(shares, barrier, relaxation.factor()), thread, barrier);
            relaxation.see(in_sweep);
            ++sweeps;
            if (!(in_sweep > options_.tolerance) || sweeps == options_.sweeps)
                missed = largest(residual(thread, barrier), thread, barrier);
            if (!std::isfinite(in_sweep)) break;
        }
        if (thread != 0) return;
        report_.sweeps = sweeps;
        report_.residual = missed;
        report_.reached = missed <= options_.tolerance;
    }

    PushProblem& problem_;
    const PushLaw& law_;
    const PushOptions& options_;
    Grouped& order_;
    std::vector<PushRow>& rows_;
    std::vector<Largest> largest_; // of each thread
    PushReport report_;
};

} // namespace

// Squares so large that a pair in one of them is out of reach of a pair in the next but one.
void divide_ground(PushProblem& problem, std::span<const Vec<2>> position)
{
    struct Extent {
        Vec<2> low = Vec<2>::Constant(std::numeric_limits<double>::infinity());
        Vec<2> high = Vec<2>::Constant(-std::numeric_limits<double>::infinity());
        double longest = 0; // [m] of a pair that gives way
    };
    const auto gives_way = [&](std::int32_t body) { return problem.inverse_mass[std::size_t(body)] > 0; };
    const auto place = [&](std::size_t r) -> const Vec<2>& { // of one who gives way
        const PushRow& row = problem.rows[r];
        return position[std::size_t(gives_way(row.candidate) ? row.candidate : row.antagonist)];
    };
    const Extent extent = parallel_reduce(
        problem.rows.size(), Extent{},
        [&](std::size_t r) {
            const std::int32_t i = problem.rows[r].candidate, j = problem.rows[r].antagonist;
            const Vec<2> apart = position[std::size_t(i)] - position[std::size_t(j)];
            return Extent{place(r), place(r), gives_way(i) && gives_way(j) ? apart.norm() : 0.0};
        },
        [](const Extent& a, const Extent& b) {
            return Extent{a.low.cwiseMin(b.low), a.high.cwiseMax(b.high), std::max(a.longest, b.longest)};
        });
    problem.square.clear();
    problem.squares_per_colour = 1;
    const Vec<2> size = extent.high - extent.low;
    if (problem.rows.empty() || !std::isfinite(size.sum())) return;
    const double side = std::max({pairs_per_square * extent.longest, least_square, size.maxCoeff() / most_squares});
    const auto half = [&](double length) { return std::int32_t(length / (2 * side)); };
    const std::int32_t halves = half(size.x()) + 1;
    problem.squares_per_colour = halves * (half(size.y()) + 1);
    problem.square.resize(problem.rows.size());
    parallel_for(problem.rows.size(), [&](std::size_t r) {
        const Vec<2> from = place(r) - extent.low;
        const auto i = std::int32_t(from.x() / side), j = std::int32_t(from.y() / side);
        const std::int32_t colour = i % 2 + 2 * (j % 2);
        problem.square[r] = colour * problem.squares_per_colour + j / 2 * halves + i / 2;
    });
}

PushReport solve_by_sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options)
{
    if (problem.rows.empty()) return {};
    return Sweeps(problem, law, options).solve();
}

} // namespace talus
