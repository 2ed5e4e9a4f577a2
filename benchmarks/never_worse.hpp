// `auto` against plain Gauss-Seidel: what each has reached after the same number of sweeps, from the same start.
#pragma once

#include "talus/io/problems/problem_file.hpp"
#include "talus/solvers/solver.hpp"

namespace talus::bench {

inline SolverOptions sweeps_only(const char* solver, int sweeps)
{
    SolverOptions options;
    options.name = solver;
    options.sweeps = sweeps;
    options.tolerance = 1e-14; // of neither: all sweeps are made
    return options;
}

template <int D>
double residual_after(ContactProblem<D> problem, const Partition& partition, const SolverOptions& options)
{
    return make_solver<D>(options, !problem.rolling.empty())->solve(problem, partition).residual;
}
template <int D>
double residual_after(AssembledProblem<D> problem, const Partition&, const SolverOptions& options)
{
    return make_assembled_solver<D>(options)->solve(problem).residual;
}

// compare(sweeps, residual of auto, residual of nlgs) on a recorded problem, sub-domains as they were recorded; below
// 1e-13 both are round-off.
template <class Compare>
void compare_with_plain_sweeps(const std::filesystem::path& file, Compare&& compare)
{
    const Partition partition = io::read_partition(file);
    const io::RecordedProblem recorded = io::read_problem(file);
    for (const int sweeps : {8, 32, 100, 200}) {
        const auto after = [&](const char* solver) {
            return std::visit(
                [&](const auto& problem) { return residual_after(problem, partition, sweeps_only(solver, sweeps)); },
                recorded);
        };
        compare(sweeps, after("auto"), std::max(after("nlgs"), 1e-13));
    }
}

} // namespace talus::bench
