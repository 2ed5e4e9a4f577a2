// A contact problem laid out for a decomposition: its rows in the order in which they are visited, next to one another
// in memory, and what both forms of DDM-NLGS do with them (BALLAST alg. 1 to 3).
#pragma once

#include "talus/exec/team.hpp"
#include "talus/solvers/criteria.hpp"
#include "talus/solvers/decomposed/subdomains.hpp"
#include "talus/solvers/gauss_seidel/nlgs_visit.hpp"
#include "talus/solvers/residual.hpp"
#include "talus/solvers/solver.hpp"

namespace talus {

template <int D>
class DecomposedProblem {
  public:
    explicit DecomposedProblem(const SolverOptions& options) : options_(options) {}

    // Who visits what. Refuses by name a plan for another number of sub-domains.
    void begin(ContactProblem<D>& problem, const Partition& partition, InterfaceOrder interface);

    // By all threads together: rows are copied from the problem, and each part gets its own copies of the walls it
    // touches, appended to the bodies. A wall does not move, but every visit writes it: a line of memory that all
    // threads write is slow, and a race.
    void gather(std::span<const int> my_parts, int thread, Barrier& barrier);

    // By each thread for its own rows.
    void give_warm_start(RowRange range); // to the bodies
    // `sweeps` sweeps; the last one gives the sums of the criteria where they are asked for. Returns the visits.
    template <class Visit>
    std::int64_t visit(const Visit& visit, RowRange range, int sweeps, Criteria<D>* sums);
    void scatter(std::span<const int> my_parts, int thread, int threads); // impulses back to the problem

    bool is_sampled(int sweep) const
    {
        return options_.goes_by_criterion() && (options_.looks_at(sweep) || options_.looks_at(sweep + 1));
    }
    bool is_active(int part, int sweep) const
    {
        return options_.plan.empty() || sweep <= options_.plan[std::size_t(part)];
    }

    // By all threads together, when every row has been visited: is what was asked for reached? `sums` are those of the
    // sampled sweep, to be added in order.
    bool is_reached(int sweep, int thread, Barrier& barrier, const std::vector<Criteria<D>>& sums);

    // The problem as a whole, when all impulses are back.
    SolveReport end(const std::string& solver, std::int64_t updates);

    ContactProblem<D>& problem() { return *problem_; }
    const Subdomains& subdomains() const { return subdomains_; }
    std::span<ContactRow<D>> rows() { return rows_; }
    RollingRow<D>* rolling() { return rolling_.empty() ? nullptr : rolling_.data(); }
    SolveReport& report() { return report_; }

    RowRange part(int number) const { return subdomains_.part(number); }
    RowRange interface() const { return {subdomains_.interface_begin(), rows_.size()}; }

  private:
    template <class Visit>
    Criteria<D> judged_sweep(const Visit& visit, RowRange range);
    void judge(int sweep, const std::vector<Criteria<D>>& sums);
    void find_walls(int part, std::vector<std::int32_t>& place);
    void place_walls();
    void copy_rows(RowRange range);
    void copy_impulses(RowRange range);
    RowRange share_of_interface(int thread, int threads) const;

    struct Visited {
        Vec<D> impulse = Vec<D>::Zero(), velocity = Vec<D>::Zero();
    };
    const SolverOptions& options_;
    ContactProblem<D>* problem_ = nullptr;
    const Partition* partition_ = nullptr;
    std::size_t bodies_ = 0; // of the problem; copies of walls come after them
    Subdomains subdomains_;
    std::vector<std::vector<std::int32_t>> walls_; // that each part touches
    std::vector<std::size_t> wall_begin_;          // where the copies of each part are
    // in the order of the visits; kept from solve to solve to reuse their memory
    std::vector<ContactRow<D>> rows_;
    std::vector<RollingRow<D>> rolling_;
    std::vector<Visited> visited_;
    std::vector<ResidualSum> residual_; // per chunk of rows
    SolveReport report_;
    Patience patience_;
};

template <int D>
template <class Visit>
std::int64_t DecomposedProblem<D>::visit(const Visit& visit, RowRange range, int sweeps, Criteria<D>* sums)
{
    for (int n = 1; n <= sweeps; ++n) {
        if (n == sweeps && sums) {
            *sums = judged_sweep(visit, range);
        } else {
            for (std::size_t k = range.begin; k < range.end; ++k) visit(k);
        }
    }
    return std::int64_t(sweeps) * std::int64_t(range.end - range.begin);
}

// remembers (r, v) of each visit and compares them with the last ones
template <int D>
template <class Visit>
Criteria<D> DecomposedProblem<D>::judged_sweep(const Visit& visit, RowRange range)
{
    Criteria<D> criteria;
    for (std::size_t k = range.begin; k < range.end; ++k) {
        const Vec<D> b = visit.local_free_velocity(k);
        const Vec<D> r = visit.solve_local(k, b);
        const Vec<D> v = b + rows_[k].block * r;
        visit.set_impulse(k, r);
        criteria.add(rows_[k].block, visited_[k].impulse, visited_[k].velocity, r, v);
        visited_[k] = {r, v};
    }
    return criteria;
}

} // namespace talus
