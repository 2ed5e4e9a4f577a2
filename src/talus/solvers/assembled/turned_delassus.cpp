#include "talus/solvers/assembled/turned_delassus.hpp"

#include "talus/exec/parallel.hpp"

namespace talus {

template <int D>
TurnedDelassus<D> turn_delassus(const AssembledProblem<D>& problem)
{
    const std::size_t contacts = problem.size();
    TurnedDelassus<D> w;
    w.begin = problem.begin;
    w.column = problem.column;
    w.block.resize(problem.block.size());
    w.local.resize(contacts);
    w.turn.resize(contacts);
    w.free_velocity.resize(contacts);
    parallel_for(contacts, [&](std::size_t k) {
        const Mat<D>& own = diagonal_block(problem, k);
        w.turn[k].setIdentity();
        w.local[k] = diagonalise<D>(w.turn[k], 0.5 * (own + own.transpose()), problem.friction[k]);
        if (!(own.trace() > 0)) w.local[k].normal = 0; // tangents that push back: carries nothing
        w.free_velocity[k] = w.turn[k].transpose() * problem.free_velocity[k];
    });
    parallel_for(contacts, [&](std::size_t k) {
        for (std::size_t j = w.begin[k]; j < w.begin[k + 1]; ++j) {
            w.block[j] = w.turn[k].transpose() * problem.block[j] * w.turn[w.column[j]];
        }
    });
    return w;
}

template <int D>
std::vector<Vec<D>> turned_impulses(const TurnedDelassus<D>& w, const AssembledProblem<D>& problem)
{
    std::vector<Vec<D>> impulse(problem.size());
    parallel_for(problem.size(), [&](std::size_t k) {
        impulse[k] = Vec<D>::Zero();
        if (!(w.local[k].normal > 0)) return;
        const Vec<D> start = project_on_cone<D>(w.turn[k].transpose() * problem.impulse[k], w.local[k].friction);
        if (start.allFinite()) impulse[k] = start;
    });
    return impulse;
}

template <int D>
void return_impulses(AssembledProblem<D>& problem, const TurnedDelassus<D>& w, const std::vector<Vec<D>>& impulse)
{
    parallel_for(problem.size(), [&](std::size_t k) { problem.impulse[k] = w.turn[k] * impulse[k]; });
}

template TurnedDelassus<2> turn_delassus(const AssembledProblem<2>&);
template TurnedDelassus<3> turn_delassus(const AssembledProblem<3>&);
template std::vector<Vec<2>> turned_impulses(const TurnedDelassus<2>&, const AssembledProblem<2>&);
template std::vector<Vec<3>> turned_impulses(const TurnedDelassus<3>&, const AssembledProblem<3>&);
template void return_impulses(AssembledProblem<2>&, const TurnedDelassus<2>&, const std::vector<Vec<2>>&);
template void return_impulses(AssembledProblem<3>&, const TurnedDelassus<3>&, const std::vector<Vec<3>>&);

} // namespace talus
