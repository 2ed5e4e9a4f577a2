#include "talus/solvers/decomposed/ddm.hpp"

#include "talus/solvers/decomposed/decomposed_problem.hpp"

#include <algorithm>

namespace talus {

namespace {

// The rows of Γ in chunks; a stage is a run of chunks between two barriers.
struct Stage {
    std::size_t begin, end; // chunks
    bool shared;            // a colour: its chunks on all threads. Else one after the other
};

constexpr std::size_t chunk_rows = 64;
constexpr std::size_t worth_sharing = 8;  // chunks: 20 µs of work, some ten times what a barrier costs
constexpr std::size_t worth_waking = 512; // rows: fewer are done before the other threads are there

struct Interface {
    std::vector<RowRange> chunks; // none crosses from one colour to the next
    std::vector<Stage> stages;

    explicit Interface(const Subdomains& subdomains)
    {
        for (int colour = 0; colour < subdomains.colours(); ++colour) {
            add(subdomains.colour_begin[std::size_t(colour)], subdomains.colour_begin[std::size_t(colour) + 1], true);
        }
        add(subdomains.colour_begin.back(), subdomains.order.size(), false);
    }

  private:
    void add(std::size_t begin, std::size_t end, bool is_colour)
    {
        const std::size_t first = chunks.size();
        for (; begin < end; begin += chunk_rows) chunks.push_back({begin, std::min(end, begin + chunk_rows)});
        if (chunks.size() == first) return;
        const bool shared = is_colour && chunks.size() - first >= worth_sharing;
        if (!shared && !stages.empty() && !stages.back().shared) {
            stages.back().end = chunks.size(); // small colours one after the other: no barrier between them
        } else {
            stages.push_back({first, chunks.size(), shared});
        }
    }
};

template <int D, LocalSolver local>
class Ddm final : public Solver<D> {
  public:
    explicit Ddm(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition& partition) override
    {
        decomposed_.begin(problem, partition,
                          options_.interface == "sequential" ? InterfaceOrder::sequential : InterfaceOrder::colours);
        interface_.emplace(decomposed_.subdomains());
        const int parts = decomposed_.subdomains().parts();
        sums_.assign(std::size_t(parts) + interface_->chunks.size(), {});
        std::vector<std::size_t> work;
        for (int part = 0; part < parts; ++part) work.push_back(decomposed_.subdomains().size_of(part));
        const int lanes = problem.rows.size() < worth_waking ? 1 : std::min(thread_count(), parts);
        lanes_ = share_out(work, lanes);
        updates_ = 0;
        Team::run(lanes, [&](int thread, Barrier& barrier) { this->work(thread, barrier); });
        return decomposed_.end("ddm", updates_);
    }

    void set_tolerance(double aimed, double good_enough) override
    {
        options_.tolerance = aimed;
        options_.good_enough = good_enough;
    }

  private:
    struct Member { // of the team
        int thread;
        Barrier& barrier;
        std::vector<int> parts; // its own
        std::int64_t updates = 0;
    };

    // One thread's share of the solve.
    void work(int thread, Barrier& barrier)
    {
        Member me{thread, barrier, tasks_of(lanes_, thread, barrier.size())};
        decomposed_.gather(me.parts, thread, barrier);
        for (const int part : me.parts) decomposed_.give_warm_start(decomposed_.part(part));
        barrier.wait();
        on_interface(me, [&](std::size_t chunk) { decomposed_.give_warm_start(interface_->chunks[chunk]); });
        if (!decomposed_.rows().empty()) iterate(me);
        decomposed_.scatter(me.parts, thread, barrier.size());
        std::atomic_ref(updates_).fetch_add(me.updates, std::memory_order_relaxed);
    }

    // Algorithm 2 is these lines; algorithm 1 is the same on one thread.
    void iterate(Member& me)
    {
        Stopwatch watch;
        SolveReport& report = decomposed_.report();
        for (int sweep = 1; sweep <= options_.sweeps; ++sweep) {
            sweep_parts(me, sweep);
            me.barrier.wait();
            if (me.thread == 0) report.subdomain_seconds += watch.lap();
            sweep_interface(me, sweep);
            if (me.thread == 0) report.interface_seconds += watch.lap();
            if (me.thread == 0) report.sweeps = sweep;
            if (options_.looks_at(sweep) && decomposed_.is_reached(sweep, me.thread, me.barrier, sums_)) break;
            watch.lap();
        }
    }

    ElgRowVisit<D, local> visit()
    {
        return {{decomposed_.problem().bodies.data(), decomposed_.rows().data()}, decomposed_.rolling()};
    }

    void sweep_parts(Member& me, int sweep)
    {
        const bool sampled = decomposed_.is_sampled(sweep);
        for (const int part : me.parts) {
            Criteria<D>* sums = sampled ? &(sums_[std::size_t(part)] = {}) : nullptr;
            if (!decomposed_.is_active(part, sweep)) continue;
            me.updates += decomposed_.visit(visit(), decomposed_.part(part), options_.inner_sweeps, sums);
        }
    }

    void sweep_interface(Member& me, int sweep)
    {
        const std::size_t parts = std::size_t(decomposed_.subdomains().parts());
        for (int m = 1; m <= options_.interface_sweeps; ++m) {
            const bool sampled = decomposed_.is_sampled(sweep) && m == options_.interface_sweeps;
            on_interface(me, [&](std::size_t chunk) {
                Criteria<D>* sums = sampled ? &sums_[parts + chunk] : nullptr;
                me.updates += decomposed_.visit(visit(), interface_->chunks[chunk], 1, sums);
            });
        }
    }

    // f(chunk) for all chunks of Γ: those of a colour on all threads, colours one after the other.
    template <class F>
    void on_interface(Member& me, F&& f)
    {
        for (const Stage& stage : interface_->stages) {
            const std::size_t count = stage.end - stage.begin, threads = std::size_t(me.barrier.size());
            const auto share = [&](std::size_t thread) { return stage.begin + count * thread / threads; };
            if (stage.shared) {
                const std::size_t self = std::size_t(me.thread);
                for (std::size_t chunk = share(self); chunk < share(self + 1); ++chunk) f(chunk);
            } else if (me.thread == 0) {
                for (std::size_t chunk = stage.begin; chunk < stage.end; ++chunk) f(chunk);
            }
            me.barrier.wait();
        }
    }

    SolverOptions options_;
    DecomposedProblem<D> decomposed_{options_};
    std::optional<Interface> interface_;
    std::vector<std::vector<int>> lanes_; // parts of each thread
    std::vector<Criteria<D>> sums_;       // of the parts, then of the chunks of Γ
    std::int64_t updates_ = 0;
};

} // namespace

template <int D>
std::unique_ptr<Solver<D>> make_ddm(const SolverOptions& options)
{
    if (options.local == "projection") return std::make_unique<Ddm<D, LocalSolver::projection>>(options);
    return std::make_unique<Ddm<D, LocalSolver::exact>>(options);
}

template std::unique_ptr<Solver<2>> make_ddm(const SolverOptions&);
template std::unique_ptr<Solver<3>> make_ddm(const SolverOptions&);

} // namespace talus
