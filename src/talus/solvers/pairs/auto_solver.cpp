#include "talus/solvers/pairs/auto_solver.hpp"

#include "talus/solvers/assembled/on_assembled.hpp"
#include "talus/solvers/decomposed/parts_and_colours.hpp"
#include "talus/solvers/momentum.hpp"
#include "talus/solvers/newton/newton.hpp"
#include "talus/solvers/pairs/packed_problem.hpp"
#include "talus/solvers/residual.hpp"

namespace talus {

namespace {

constexpr int rounds_of_a_sweep = 2; // over the points of a pair in each sweep

// Pairs whose residuals are all below this share of the tolerance are left alone until the next look.
constexpr double quiet_share = 0.05;

// Rows that carry nothing and part faster than this share of v_ref are looked at, not swept. Which they are is found
// again after so many sweeps, then after so many times as many.
constexpr double resting_share = 0.02, nothing_rests = std::numeric_limits<double>::infinity();
constexpr int first_packing = 24, packings_apart = 3;

// Sweeps are slow when a look, from this sweep on, finds more than this share of the residual of the look before: from
// then on visits go by projection, in problems that are not small and where pairs touch at several points. (Of spheres,
// and of what is to be solved exactly, solving the law is the best visit.)
constexpr int first_judged = 8;
constexpr double slow = 0.6;

// After so many sweeps, where they are slow and the residual is so many times the tolerance, as many are made without
// the warm start; the better of the two goes on.
constexpr int trial_sweeps = 8;
constexpr double poor_start = 2;

// The referee is asked about problems up to this size, and for so much work: about small ones to reach what is aimed
// at, about others only where the sweeps' answer is not good enough.
constexpr std::size_t newton_contacts = 2000, small_problem = 200;
constexpr int most_factorisations = 200;
constexpr double most_operations = 5e8; // about a tenth of a second; what it can solve has taken it 1e7
// Above this residual there may be no solution at all: a grain wedged between bodies that are led at a speed.
constexpr double hopeless = 1;

// Times the best residual so far: momentum feeds itself where contacts wedge.
constexpr double far_off = 100;

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
        const bool rolls = !problem.rolling.empty(); // of which the referee knows nothing
        if (!rolls) keep_free_velocities(problem);
        reference_velocity_ = problem.reference_velocity;
        tolerance_ = reference_velocity_ * options_.tolerance;
        quiet_ = options_.stop == Stop::residual ? std::pow(quiet_share * tolerance_, 2) : -1;
        const double resting = options_.stop == Stop::residual ? resting_share * reference_velocity_ : nothing_rests;
        may_project_ = problem.rows.size() > small_problem && has_pairs_with_several_points(problem);
        progress_ = Progress();
        using Velocities = typename PackedProblem<D>::Velocities;
        for (Velocities velocities = Velocities::free; !progress_.done; velocities = Velocities::with_impulses) {
            packed_.pack(problem, partition, pair_kernels<D>(), velocities, resting);
            plan();
            team_.run([&](const Member& me) { sweep_for_a_while(me); });
            report.subdomain_seconds += team_.part_seconds();
            report.interface_seconds += team_.interface_seconds();
            packed_.unpack(problem);
        }
        report.sweeps = progress_.sweep;
        report.updates = progress_.updates;
        conclude(report, natural_residual(problem), options_);
        const bool is_small = problem.rows.size() <= small_problem;
        const bool is_wanted = !report.reached && (is_small || report.residual > options_.good_enough);
        const bool is_for_the_referee = !rolls && problem.rows.size() <= newton_contacts && report.residual < hopeless;
        if (is_wanted && is_for_the_referee) ask_the_referee(problem, report);
        return report;
    }

    void set_tolerance(double aimed, double good_enough) override
    {
        options_.tolerance = aimed;
        options_.good_enough = good_enough;
    }

  private:
    using Member = PartsAndColours::Member;

    static bool has_pairs_with_several_points(const ContactProblem<D>& problem)
    {
        const auto share_a_pair = [](const ContactRow<D>& a, const ContactRow<D>& b) {
            return a.candidate == b.candidate && a.antagonist == b.antagonist;
        };
        return std::adjacent_find(problem.rows.begin(), problem.rows.end(), share_a_pair) != problem.rows.end();
    }

    // For the referee: what sweeps have made of them cannot be taken back to the last bit.
    void keep_free_velocities(const ContactProblem<D>& problem)
    {
        free_.clear();
        if (problem.rows.size() > newton_contacts) return;
        for (const ContactRow<D>& row : problem.rows) {
            free_.push_back(problem.bodies[row.candidate]);
            free_.push_back(problem.bodies[row.antagonist]);
        }
    }

    // What sweeps leave unsolved, in a problem that is small enough; kept if it is better.
    void ask_the_referee(ContactProblem<D>& problem, SolveReport& report) const
    {
        ContactProblem<D> copy = problem;
        for (std::size_t k = 0; k < copy.rows.size(); ++k) {
            for (const bool candidate : {true, false}) {
                const BodyRecord<D>& free = free_[2 * k + (candidate ? 0 : 1)];
                BodyRecord<D>& body = copy.bodies[candidate ? copy.rows[k].candidate : copy.rows[k].antagonist];
                body.velocity = free.velocity;
                body.spin = free.spin;
            }
        }
        SolverOptions options = options_;
        options.sweeps = most_factorisations;
        options.operations = most_operations;
        const SolveReport referee = OnAssembled<D>(make_newton<D>(options), options).solve(copy, {});
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
        std::vector<std::size_t> work;
        std::vector<Stage> colours;
        judged_.clear();
        for (int p = 0; p < packed_.parts(); ++p) {
            std::size_t points = 0;
            for (const PairBatch& batch : packed_.part(p)) points += std::size_t(batch.points);
            work.push_back(points);
            judged_.push_back(packed_.part(p));
        }
        for (int c = 0; c < packed_.colours(); ++c) {
            const auto colour = packed_.colour(c);
            const std::size_t begin = std::size_t(colour.data() - packed_.batches().data());
            colours.push_back({begin, begin + colour.size(), true});
            for (std::size_t b = 0; b < colour.size(); b += judged_together) {
                judged_.push_back(colour.subspan(b, std::min(judged_together, colour.size() - b)));
            }
        }
        sums_.resize(judged_.size());
        team_.plan(work, std::move(colours), thread_count());
    }

    // How far a solve has come. Every thread has the same; thread 0 keeps it from one packing to the next.
    struct Progress {
        int sweep = 0, next_packing = first_packing;
        Visit visit = Visit::solve;
        Momentum momentum;
        Patience creeping;
        double best = std::numeric_limits<double>::infinity(), residual = best; // [m/s]
        std::int64_t updates = 0;
        bool done = false;
    };

    // Until it is solved, given up, or other rows act than were packed to be swept.
    void sweep_for_a_while(const Member& me)
    {
        Progress now = progress_;
        me.barrier().wait(); // all have read it
        const auto on_parts_and_colours = [&](auto&& on_part, auto&& on_batches) {
            me.on_both(on_part, [&](std::size_t begin, std::size_t end) {
                on_batches(packed_.batches().subspan(begin, end - begin));
            });
            if (!packed_.has_heavy_bodies()) return;
            if (me.thread() == 0) packed_.merge_heavy_bodies();
            me.barrier().wait();
        };
        const auto keep = [&] {
            on_parts_and_colours([&](int part) { packed_.keep(part); },
                                 [&](std::span<const PairBatch> batches) { packed_.keep(batches); });
        };
        const auto restore = [&] {
            on_parts_and_colours([&](int part) { packed_.restore(part); },
                                 [&](std::span<const PairBatch> batches) { packed_.restore(batches); });
        };
        if (now.sweep == 0) {
            on_parts_and_colours([&](int part) { packed_.give(packed_.part(part)); },
                                 [&](std::span<const PairBatch> batches) { packed_.give(batches); });
        } else {
            keep(); // it was packed where it was best
        }
        std::size_t swept = packed_.swept_rows();
        const auto sweep = [&](double beta) {
            on_parts_and_colours(
                [&](int part) {
                    packed_.extrapolate(part, beta);
                    packed_.sweep(packed_.part(part), beta, rounds_of_a_sweep, now.visit);
                },
                [&](std::span<const PairBatch> batches) {
                    packed_.sweep(batches, beta, rounds_of_a_sweep, now.visit);
                });
            ++now.sweep;
            now.updates += std::int64_t(swept);
        };
        // Where bodies are driven hard the impulses of the last step are worse than none.
        const auto try_without_warm_start = [&] {
            keep();
            on_parts_and_colours([&](int part) { packed_.forget(packed_.part(part)); },
                                 [&](std::span<const PairBatch> batches) { packed_.forget(batches); });
            now.momentum = Momentum();
            for (int k = 0; k < trial_sweeps; ++k) sweep(now.momentum.next());
            const double residual = look(me);
            if (residual < now.residual) {
                now.residual = now.best = residual;
            } else {
                restore();
                now.momentum = Momentum();
            }
        };
        now.done = true;
        while (now.sweep < options_.sweeps) {
            sweep(now.momentum.next());
            if (!is_time_to_look(now.sweep, options_.sweeps)) continue;
            const double before = now.residual;
            now.residual = look(me);
            if (options_.stop == Stop::residual && now.residual <= tolerance_) break;
            const bool creeps = now.creeping.is_out(now.sweep, now.residual / reference_velocity_, options_);
            if (!(now.residual <= far_off * now.best)) { // stirred up more than sweeps could calm
                if (!std::isfinite(now.best)) break;     // nothing is kept: the verdict says what it is
                restore();
                now.momentum.stop();
                continue;
            }
            now.momentum.look(now.residual);
            const bool is_best = now.residual < now.best;
            now.best = std::min(now.best, now.residual);
            const bool is_slow = now.sweep >= first_judged && now.residual > slow * before;
            const bool is_poor = now.residual > poor_start * tolerance_;
            const bool may_try = now.sweep == trial_sweeps && 2 * trial_sweeps <= options_.sweeps && quiet_ >= 0;
            if (is_best && is_slow && is_poor && may_try) try_without_warm_start();
            if (is_slow && may_project_) now.visit = Visit::project;
            if (is_best && now.sweep >= now.next_packing && quiet_ >= 0) {
                now.next_packing = packings_apart * now.sweep;
                now.done = false;
                break;
            }
            on_parts_and_colours(
                [&](int part) {
                    if (is_best) packed_.keep(part);
                    packed_.freeze(packed_.part(part), quiet_);
                },
                [&](std::span<const PairBatch> batches) {
                    if (is_best) packed_.keep(batches);
                    packed_.freeze(batches, quiet_);
                });
            me.barrier().wait();
            swept = packed_.swept_rows();
            if (creeps && options_.stop == Stop::residual) break;
        }
        if (!(now.residual <= now.best)) restore(); // the last sweeps did not help: the best is what is returned
        if (me.thread() == 0) progress_ = now;
    }

    // rms of the scaled natural map [m/s]; every thread adds up the same sums in the same order
    double look(const Member& me)
    {
        const std::size_t threads = std::size_t(me.barrier().size());
        for (std::size_t k = std::size_t(me.thread()); k < judged_.size(); k += threads) {
            sums_[k] = {};
            packed_.residual(judged_[k], sums_[k]);
        }
        me.barrier().wait();
        double total = 0;
        for (const LaneSums& sums : sums_) {
            for (const double lane : sums.sum) total += lane;
        }
        return std::sqrt(total / double(packed_.rows()));
    }

    SolverOptions options_;
    PackedProblem<D> packed_;
    double reference_velocity_ = 0, tolerance_ = 0; // [m/s]
    double quiet_ = 0;                              // [m²/s²] a batch with smaller squares is frozen
    bool may_project_ = false;                      // visits may go by projection
    PartsAndColours team_;
    std::vector<std::span<const PairBatch>> judged_;
    std::vector<LaneSums> sums_;
    Progress progress_;
    std::vector<BodyRecord<D>> free_; // candidate and antagonist of each row
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
