#include "talus/solvers/decomposed/ddm.hpp"
#include "talus/solvers/decomposed/decomposed_problem.hpp"
#include "talus/solvers/decomposed/shared_visit.hpp"
#include "talus/solvers/gauss_seidel/with_local_solver.hpp"

#include <algorithm>

namespace talus {

namespace {

// Rows that meet a body which Γ and a sub-domain both touch: the only ones that need care.
template <int D>
std::vector<std::uint8_t> shared_rows(const ContactProblem<D>& problem, const Subdomains& subdomains)
{
    const auto row = [&](std::size_t k) -> const ContactRow<D>& {
        return problem.rows[std::size_t(subdomains.order[k])];
    };
    std::vector<std::uint8_t> on_gamma(problem.bodies.size(), 0);
    for (std::size_t k = subdomains.interface_begin(); k < subdomains.order.size(); ++k) {
        on_gamma[std::size_t(row(k).candidate)] = on_gamma[std::size_t(row(k).antagonist)] = 1;
    }
    std::vector<std::uint8_t> shared(subdomains.order.size());
    parallel_for(shared.size(), [&](std::size_t k) {
        shared[k] = on_gamma[std::size_t(row(k).candidate)] | on_gamma[std::size_t(row(k).antagonist)];
    });
    return shared;
}

template <int D, LocalSolver local>
class DdmAsync final : public Solver<D> {
  public:
    explicit DdmAsync(const SolverOptions& options) : options_(options), meets_(options.name != "ddm_free") {}

    bool reproducible() const override { return false; }

    SolveReport solve(ContactProblem<D>& problem, const Partition& partition) override
    {
        decomposed_.begin(problem, partition, InterfaceOrder::sequential);
        const Subdomains& subdomains = decomposed_.subdomains();
        shared_ = shared_rows(problem, subdomains);
        gamma_ = subdomains.parts();
        std::vector<std::size_t> work = subdomains.sizes();
        work.push_back(atomic_cost * subdomains.interface_size());
        const int lanes = problem.rows.size() < worth_waking ? 1 : std::min(thread_count(), int(work.size()));
        lanes_ = share_out(work, lanes);
        sums_.assign(work.size(), {});
        updates_ = 0;
        Team::run(lanes, [&](int thread, Barrier& barrier) { this->work(thread, barrier); });
        return decomposed_.end(options_.name, updates_);
    }

    void set_tolerance(double aimed, double good_enough) override
    {
        options_.tolerance = aimed;
        options_.good_enough = good_enough;
    }

  private:
    static constexpr std::size_t atomic_cost = 2;    // a visit by atomic operations against a plain one
    static constexpr std::size_t worth_waking = 512; // rows: fewer are done before the other threads are there

    // One thread's share of the solve: sub-domains and Γ alike are tasks.
    void work(int thread, Barrier& barrier)
    {
        const std::vector<int> tasks = tasks_of(lanes_, thread, barrier.size());
        std::vector<int> parts = tasks;
        std::erase(parts, gamma_);
        decomposed_.gather(parts, thread, barrier);
        for (const int part : parts) decomposed_.give_warm_start(decomposed_.part(part));
        barrier.wait();
        if (thread == 0) decomposed_.give_warm_start(decomposed_.interface());
        barrier.wait();
        if (!decomposed_.rows().empty()) iterate(tasks, thread, barrier);
        barrier.wait();
        decomposed_.scatter(parts, thread, barrier.size());
    }

    // Algorithm 3.
    void iterate(const std::vector<int>& tasks, int thread, Barrier& barrier)
    {
        const SharedVisit<D, local> visit{
            {{decomposed_.problem().bodies.data(), decomposed_.rows().data()}, decomposed_.rolling()}, shared_.data()};
        std::int64_t updates = 0;
        for (int sweep = 1; sweep <= options_.sweeps; ++sweep) {
            for (const int task : tasks) {
                const bool is_gamma = task == gamma_;
                Criteria<D>* sums = decomposed_.is_sampled(sweep) ? &(sums_[std::size_t(task)] = {}) : nullptr;
                if (!is_gamma && !decomposed_.is_active(task, sweep)) continue;
                updates += decomposed_.visit(visit, is_gamma ? decomposed_.interface() : decomposed_.part(task),
                                             is_gamma ? options_.interface_sweeps : options_.inner_sweeps, sums);
            }
            if (meets_ || options_.looks_at(sweep)) barrier.wait();
            if (thread == 0) decomposed_.report().sweeps = sweep;
            if (options_.looks_at(sweep) && decomposed_.is_reached(sweep, thread, barrier, sums_)) break;
        }
        std::atomic_ref(updates_).fetch_add(updates, std::memory_order_relaxed);
    }

    SolverOptions options_;
    bool meets_; // after every outer iteration
    DecomposedProblem<D> decomposed_{options_};
    int gamma_ = 0; // its number among the tasks
    std::vector<std::uint8_t> shared_;
    std::vector<std::vector<int>> lanes_; // tasks of each thread
    std::vector<Criteria<D>> sums_;       // of each task
    std::int64_t updates_ = 0;            // counted where they happen
};

} // namespace

SolverMakers ddm_async_makers() { return makers_with_local_solver<DdmAsync>(); }

} // namespace talus
