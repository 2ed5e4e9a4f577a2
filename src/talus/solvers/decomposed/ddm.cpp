#include "talus/solvers/decomposed/ddm.hpp"

#include "talus/solvers/decomposed/decomposed_problem.hpp"
#include "talus/solvers/decomposed/parts_and_colours.hpp"
#include "talus/solvers/gauss_seidel/with_local_solver.hpp"

namespace talus {

namespace {

constexpr std::size_t worth_waking = 512; // rows: fewer are done before the other threads are there

template <int D, LocalSolver local>
class Ddm final : public Solver<D> {
  public:
    explicit Ddm(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition& partition) override
    {
        decomposed_.begin(problem, partition,
                          options_.interface == "sequential" ? InterfaceOrder::sequential : InterfaceOrder::colours);
        const Subdomains& subdomains = decomposed_.subdomains();
        InterfaceChunks gamma(subdomains);
        gamma_ = std::move(gamma.chunks);
        sums_.assign(std::size_t(subdomains.parts()) + gamma_.size(), {});
        team_.plan(subdomains.sizes(), std::move(gamma.stages),
                   problem.rows.size() < worth_waking ? 1 : thread_count());
        updates_ = 0;
        team_.run([&](const Member& me) { work(me); });
        decomposed_.report().subdomain_seconds = team_.part_seconds();
        decomposed_.report().interface_seconds = team_.interface_seconds();
        return decomposed_.end("ddm", updates_);
    }

    void set_tolerance(double aimed, double good_enough) override
    {
        options_.tolerance = aimed;
        options_.good_enough = good_enough;
    }

  private:
    using Member = PartsAndColours::Member;

    // One thread's share of the solve.
    void work(const Member& me)
    {
        decomposed_.gather(me.parts(), me.thread(), me.barrier());
        me.on_both([&](int part) { decomposed_.give_warm_start(decomposed_.part(part)); },
                   [&](std::size_t begin, std::size_t end) {
                       for (std::size_t chunk = begin; chunk < end; ++chunk) decomposed_.give_warm_start(gamma_[chunk]);
                   });
        const std::int64_t updates = decomposed_.rows().empty() ? 0 : iterate(me);
        decomposed_.scatter(me.parts(), me.thread(), me.barrier().size());
        std::atomic_ref(updates_).fetch_add(updates, std::memory_order_relaxed);
    }

    // Algorithm 2 is these lines; algorithm 1 is the same on one thread. Returns the visits.
    std::int64_t iterate(const Member& me)
    {
        std::int64_t updates = 0;
        for (int sweep = 1; sweep <= options_.sweeps; ++sweep) {
            me.on_parts([&](int part) { updates += sweep_part(part, sweep); });
            for (int m = 1; m <= options_.interface_sweeps; ++m) {
                const bool sampled = decomposed_.is_sampled(sweep) && m == options_.interface_sweeps;
                me.on_interface([&](std::size_t begin, std::size_t end) {
                    for (std::size_t chunk = begin; chunk < end; ++chunk) updates += sweep_chunk(chunk, sampled);
                });
            }
            if (me.thread() == 0) decomposed_.report().sweeps = sweep;
            if (options_.looks_at(sweep) && decomposed_.is_reached(sweep, me.thread(), me.barrier(), sums_)) break;
        }
        return updates;
    }

    ElgRowVisit<D, local> visit()
    {
        return {{decomposed_.problem().bodies.data(), decomposed_.rows().data()}, decomposed_.rolling()};
    }

    std::int64_t sweep_part(int part, int sweep)
    {
        Criteria<D>* sums = decomposed_.is_sampled(sweep) ? &(sums_[std::size_t(part)] = {}) : nullptr;
        if (!decomposed_.is_active(part, sweep)) return 0;
        return decomposed_.visit(visit(), decomposed_.part(part), options_.inner_sweeps, sums);
    }
    std::int64_t sweep_chunk(std::size_t chunk, bool sampled)
    {
        Criteria<D>* sums = sampled ? &sums_[std::size_t(decomposed_.subdomains().parts()) + chunk] : nullptr;
        return decomposed_.visit(visit(), gamma_[chunk], 1, sums);
    }

    SolverOptions options_;
    DecomposedProblem<D> decomposed_{options_};
    PartsAndColours team_;
    std::vector<RowRange> gamma_;   // in chunks
    std::vector<Criteria<D>> sums_; // of the parts, then of the chunks of Γ
    std::int64_t updates_ = 0;
};

} // namespace

SolverMakers ddm_makers() { return makers_with_local_solver<Ddm>(); }

} // namespace talus
