#include "talus/solvers/decomposed/decomposed_problem.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

namespace talus {

template <int D>
void DecomposedProblem<D>::begin(ContactProblem<D>& problem, const Partition& partition, InterfaceOrder interface)
{
    if (!options_.plan.empty() && options_.plan.size() != std::size_t(partition.parts)) {
        throw InputError(fmt::format("solver.plan has {} numbers, and there are {} sub-domains", options_.plan.size(),
                                     partition.parts));
    }
    problem_ = &problem;
    partition_ = &partition;
    bodies_ = problem.bodies.size();
    subdomains_ = divide_rows(problem, partition, interface);
    walls_.assign(std::size_t(subdomains_.parts()), {});
    wall_begin_.assign(std::size_t(subdomains_.parts()), 0);
    rows_.resize(problem.rows.size());
    rolling_.resize(problem.rolling.size());
    if (options_.goes_by_criterion()) visited_.assign(rows_.size(), {});
    residual_.assign((rows_.size() + parallel_chunk - 1) / parallel_chunk, {});
    report_ = {};
    report_.reached = false;
    patience_ = {};
    if (!rows_.empty() && options_.goes_by_criterion()) report_.criterion = not_compared;
}

template <int D>
void DecomposedProblem<D>::gather(std::span<const int> my_parts, int thread, Barrier& barrier)
{
    std::vector<std::int32_t> place(subdomains_.parts() > 1 ? bodies_ : 0, -1); // of the copy of a wall
    for (const int number : my_parts) find_walls(number, place);
    barrier.wait();
    if (thread == 0) place_walls();
    barrier.wait();
    for (const int number : my_parts) {
        copy_rows(part(number));
        const std::vector<std::int32_t>& walls = walls_[std::size_t(number)];
        if (walls.empty()) continue;
        const std::size_t begin = wall_begin_[std::size_t(number)];
        for (std::size_t w = 0; w < walls.size(); ++w) {
            problem_->bodies[begin + w] = problem_->bodies[std::size_t(walls[w])];
            place[std::size_t(walls[w])] = std::int32_t(begin + w);
        }
        const auto own = [&](std::int32_t& body) {
            if (partition_->part[std::size_t(body)] < 0) body = place[std::size_t(body)];
        };
        for (std::size_t k = part(number).begin; k < part(number).end; ++k) {
            own(rows_[k].candidate);
            own(rows_[k].antagonist);
        }
    }
    copy_rows(share_of_interface(thread, barrier.size()));
    barrier.wait();
}

template <int D>
RowRange DecomposedProblem<D>::share_of_interface(int thread, int threads) const
{
    const std::size_t rows = interface().end - interface().begin;
    const auto share = [&](int t) { return interface().begin + rows * std::size_t(t) / std::size_t(threads); };
    return {share(thread), share(thread + 1)};
}

template <int D>
void DecomposedProblem<D>::find_walls(int number, std::vector<std::int32_t>& place)
{
    std::vector<std::int32_t>& walls = walls_[std::size_t(number)];
    if (place.empty()) return; // one part: all rows are visited by one thread
    for (std::size_t k = part(number).begin; k < part(number).end; ++k) {
        const ContactRow<D>& row = problem_->rows[std::size_t(subdomains_.order[k])];
        for (const std::int32_t body : {row.candidate, row.antagonist}) {
            if (partition_->part[std::size_t(body)] >= 0 || place[std::size_t(body)] == number) continue;
            place[std::size_t(body)] = number;
            walls.push_back(body);
        }
    }
}

template <int D>
void DecomposedProblem<D>::place_walls()
{
    std::size_t next = bodies_;
    for (std::size_t number = 0; number < walls_.size(); ++number) {
        wall_begin_[number] = next;
        next += walls_[number].size();
    }
    problem_->bodies.resize(next);
}

template <int D>
void DecomposedProblem<D>::copy_rows(RowRange range)
{
    for (std::size_t k = range.begin; k < range.end; ++k) {
        const std::size_t from = std::size_t(subdomains_.order[k]);
        rows_[k] = problem_->rows[from];
        if (!rolling_.empty()) rolling_[k] = problem_->rolling[from];
    }
}

template <int D>
void DecomposedProblem<D>::give_warm_start(RowRange range)
{
    const std::size_t count = range.end - range.begin;
    talus::give_warm_start<D>(problem_->bodies.data(), std::span(rows_).subspan(range.begin, count),
                              rolling_.empty() ? std::span<const RollingRow<D>>()
                                               : std::span(rolling_).subspan(range.begin, count));
}

template <int D>
void DecomposedProblem<D>::scatter(std::span<const int> my_parts, int thread, int threads)
{
    for (const int number : my_parts) copy_impulses(part(number));
    copy_impulses(share_of_interface(thread, threads));
}

template <int D>
void DecomposedProblem<D>::copy_impulses(RowRange range)
{
    for (std::size_t k = range.begin; k < range.end; ++k) {
        const std::size_t to = std::size_t(subdomains_.order[k]);
        problem_->rows[to].impulse = rows_[k].impulse;
        if (!rolling_.empty()) problem_->rolling[to].impulse = rolling_[k].impulse;
    }
}

template <int D>
bool DecomposedProblem<D>::is_reached(int sweep, int thread, Barrier& barrier, const std::vector<Criteria<D>>& sums)
{
    if (options_.stop == Stop::sweeps || (options_.goes_by_criterion() && sweep == 1)) {
        return false; // the first sample has nothing to compare with
    }
    if (options_.stop == Stop::residual) {
        for (std::size_t chunk = std::size_t(thread); chunk < residual_.size(); chunk += std::size_t(barrier.size())) {
            ResidualSum sum;
            const std::size_t end = std::min(rows_.size(), (chunk + 1) * parallel_chunk);
            for (std::size_t k = chunk * parallel_chunk; k < end; ++k) {
                sum = sum.plus(residual_of_row(rows_[k], rolling_.empty() ? nullptr : &rolling_[k], problem_->bodies));
            }
            residual_[chunk] = sum;
        }
        barrier.wait();
    }
    if (thread == 0) judge(sweep, sums);
    barrier.wait();
    return report_.reached;
}

template <int D>
void DecomposedProblem<D>::judge(int sweep, const std::vector<Criteria<D>>& sums)
{
    if (options_.stop == Stop::residual) {
        ResidualSum sum;
        for (const ResidualSum& chunk : residual_) sum = sum.plus(chunk);
        const double residual = residual_of(sum, rows_.size(), problem_->reference_velocity).rms;
        report_.reached = residual <= options_.tolerance || patience_.is_out(sweep, residual, options_);
    } else {
        Criteria<D> all;
        for (const Criteria<D>& part : sums) all.add(part);
        report_.criterion = all.value(options_.stop);
        report_.reached = report_.criterion <= options_.tolerance;
    }
}

template <int D>
SolveReport DecomposedProblem<D>::end(const std::string& solver, std::int64_t updates)
{
    problem_->bodies.resize(bodies_);
    conclude(report_, natural_residual(*problem_), options_);
    report_.solver = solver;
    report_.updates = updates;
    return report_;
}

template class DecomposedProblem<2>;
template class DecomposedProblem<3>;

} // namespace talus
