#include "solvers/auto_solver.hpp"

#include "base/stopwatch.hpp"
#include "exec/team.hpp"
#include "solvers/momentum.hpp"
#include "solvers/newton.hpp"
#include "solvers/on_assembled.hpp"
#include "solvers/packed_problem.hpp"
#include "solvers/residual.hpp"
#include "solvers/subdomains.hpp"

namespace talus {

namespace {

constexpr int rounds = 2; // over the points of a pair in each sweep

// Pairs whose residuals are all below this share of the tolerance are left alone until the next look.
constexpr double quiet_share = 0.05;

// The referee is asked about problems up to this size, and for so much work.
constexpr std::size_t newton_contacts = 2000;
constexpr int most_factorisations = 200;
// Above this residual there may be no solution at all: a grain wedged between bodies that are led at a speed.
constexpr double hopeless = 1;

// Batches that one thread judges: a whole part, or so many of a colour whatever the number of threads.
constexpr std::size_t judged_together = 256;

template <int D>
class AutoSolver final : public Solver<D> {
  public:
    explicit AutoSolver(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition& partition) override
    {
        SolveReport report;
        report.solver = "auto";
        if (problem.rows.empty()) {
            report.ended = "reached";
            return report;
        }
        packed_.pack(problem, partition);
        plan();
        const double unit = problem.reference_velocity > 0 ? problem.reference_velocity : 1.0;
        tolerance_ = unit * (problem.reference_velocity > 0 ? options_.tolerance : 1e-12);
        quiet_ = options_.stop == Stop::residual ? std::pow(quiet_share * tolerance_, 2) : -1;
        const int threads = std::min(thread_count(), most_useful_threads());
        shares_ = share_out(work_, threads);
        subdomain_seconds_ = interface_seconds_ = 0;
        watch_ = {};
        Team::run(threads, [&](int thread, Barrier& barrier) { sweep_until_done(thread, barrier, report); });
        report.subdomain_seconds = subdomain_seconds_;
        report.interface_seconds = interface_seconds_;
        packed_.unpack(problem);
        const Residual residual = natural_residual(problem);
        report.residual = residual.rms;
        report.residual_max = residual.maximum;
        report.reached = options_.stop == Stop::sweeps || residual.rms * unit <= tolerance_;
        report.ended = options_.stop == Stop::sweeps ? "sweeps" : report.reached ? "reached" : "cap";
        report.updates = std::int64_t(report.sweeps) * std::int64_t(packed_.rows());
        const bool is_for_the_referee = packed_.rows() <= newton_contacts && residual.rms < hopeless;
        if (!report.reached && is_for_the_referee) ask_the_referee(problem, report);
        return report;
    }

    void set_tolerance(double tolerance) override { options_.tolerance = tolerance; }

  private:
    // What sweeps leave unsolved, in a problem that is small enough; kept if it is better.
    void ask_the_referee(ContactProblem<D>& problem, SolveReport& report) const
    {
        ContactProblem<D> copy = problem;
        for (ContactRow<D>& row : copy.rows) { // back to the free velocities
            give_impulse<D>(row, copy.bodies[row.candidate], copy.bodies[row.antagonist], -(row.frame * row.impulse));
        }
        SolverOptions options = options_;
        options.sweeps = most_factorisations;
        const SolveReport referee = OnAssembled<D>(make_newton<D>(options), options_.tolerance).solve(copy, {});
        if (!(referee.residual < report.residual)) return;
        problem = std::move(copy);
        report.residual = referee.residual;
        report.residual_max = referee.residual_max;
        report.reached = referee.reached;
        report.ended = referee.ended;
        report.solver = "auto, then newton";
    }

    void plan()
    {
        work_.clear();
        judged_.clear();
        for (int p = 0; p < packed_.parts(); ++p) {
            std::size_t points = 0;
            for (const PairBatch& batch : packed_.part(p)) points += std::size_t(batch.points);
            work_.push_back(points);
            judged_.push_back(packed_.part(p));
        }
        for (int c = 0; c < packed_.colours(); ++c) {
            const auto colour = packed_.colour(c);
            for (std::size_t b = 0; b < colour.size(); b += judged_together) {
                judged_.push_back(colour.subspan(b, std::min(judged_together, colour.size() - b)));
            }
        }
        sums_.resize(judged_.size());
    }

    int most_useful_threads() const { return packed_.parts(); }

    // this thread's share of a colour
    static std::span<const PairBatch> share(std::span<const PairBatch> colour, int thread, int threads)
    {
        const std::size_t begin = colour.size() * std::size_t(thread) / std::size_t(threads);
        const std::size_t end = colour.size() * std::size_t(thread + 1) / std::size_t(threads);
        return colour.subspan(begin, end - begin);
    }

    template <class Interior, class Interface>
    void once(int thread, Barrier& barrier, const std::vector<int>& mine, Interior&& interior, Interface&& interface)
    {
        for (const int part : mine) interior(part);
        barrier.wait();
        if (thread == 0) subdomain_seconds_ += watch_.lap();
        for (int c = 0; c < packed_.colours(); ++c) {
            interface(share(packed_.colour(c), thread, barrier.size()));
            barrier.wait();
        }
        if (packed_.has_heavy_bodies()) {
            if (thread == 0) packed_.merge_heavy_bodies();
            barrier.wait();
        }
        if (thread == 0) interface_seconds_ += watch_.lap();
    }

    void sweep_until_done(int thread, Barrier& barrier, SolveReport& report)
    {
        const std::vector<int> mine = tasks_of(shares_, thread, barrier.size());
        once(
            thread, barrier, mine, [&](int part) { packed_.give(packed_.part(part)); },
            [&](std::span<const PairBatch> batches) { packed_.give(batches); });
        Momentum momentum;
        for (int sweep = 1; sweep <= options_.sweeps; ++sweep) {
            const double beta = momentum.next();
            once(
                thread, barrier, mine,
                [&](int part) {
                    packed_.extrapolate(part, beta);
                    packed_.sweep(packed_.part(part), beta, rounds);
                },
                [&](std::span<const PairBatch> batches) { packed_.sweep(batches, beta, rounds); });
            if (thread == 0) report.sweeps = sweep;
            if (!is_time_to_look(sweep, options_.sweeps)) continue;
            const double residual = look(thread, barrier);
            momentum.look(residual);
            if (options_.stop == Stop::residual && residual <= tolerance_) break;
            once(
                thread, barrier, mine, [&](int part) { packed_.freeze(packed_.part(part), quiet_); },
                [&](std::span<const PairBatch> batches) { packed_.freeze(batches, quiet_); });
        }
    }

    // rms of the scaled natural map [m/s]; every thread adds up the same sums in the same order
    double look(int thread, Barrier& barrier)
    {
        for (std::size_t k = std::size_t(thread); k < judged_.size(); k += std::size_t(barrier.size())) {
            sums_[k] = {};
            packed_.residual(judged_[k], sums_[k]);
        }
        barrier.wait();
        double total = 0;
        for (const LaneSums& sums : sums_) {
            for (const double lane : sums.sum) total += lane;
        }
        return std::sqrt(total / double(packed_.rows()));
    }

    SolverOptions options_;
    PackedProblem<D> packed_;
    double tolerance_ = 0; // [m/s]
    double quiet_ = 0;     // [m²/s²] a batch with smaller squares is frozen
    Stopwatch watch_;      // of thread 0
    double subdomain_seconds_ = 0, interface_seconds_ = 0;
    std::vector<std::size_t> work_;
    std::vector<std::vector<int>> shares_;
    std::vector<std::span<const PairBatch>> judged_;
    std::vector<LaneSums> sums_;
};

} // namespace

template <int D>
std::unique_ptr<Solver<D>> make_auto(const SolverOptions& options)
{
    return std::make_unique<AutoSolver<D>>(options);
}

template std::unique_ptr<Solver<2>> make_auto(const SolverOptions&);
template std::unique_ptr<Solver<3>> make_auto(const SolverOptions&);

} // namespace talus
