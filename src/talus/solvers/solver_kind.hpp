// One kind of solver: its name and keys in a scene, and how it is made, for the steps of a run and, where it can, for a
// problem by its matrix.
#pragma once

#include "talus/scene/kinds.hpp"
#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

template <int D>
using SolverMaker = std::unique_ptr<Solver<D>> (*)(const SolverOptions& options);
template <int D>
using AssembledMaker = std::unique_ptr<AssembledSolver<D>> (*)(const SolverOptions& options);
using SolverMakers = scene::Makers<SolverMaker>;
using AssembledMakers = scene::Makers<AssembledMaker>;

// Its keys are keys of [solver].
struct SolverKind : scene::NamedKind<SolverMaker> {
    bool rolls = false;             // knows rolling friction
    bool one_by_one = false;        // visits contacts one by one: knows BALLAST's criteria
    std::string hands_over_to = {}; // the kind that solves instead, where they are asked for
    AssembledMakers assembled = {}; // null: it solves no problem by its matrix
};

// Method<D> is made from the options.
template <template <int> class Method, int D>
std::unique_ptr<Solver<D>> made_solver(const SolverOptions& options)
{
    return std::make_unique<Method<D>>(options);
}
template <template <int> class Method>
SolverKind solver_kind(std::string name, std::string doc, std::vector<scene::Key> keys = {})
{
    return {{std::move(name), std::move(doc), std::move(keys), {made_solver<Method, 2>, made_solver<Method, 3>}}};
}

// The registry; a program may add to it.
std::vector<SolverKind>& solver_kinds();

// The kind that solves: the one named, or the one it hands over to. nullptr: none has this name.
const SolverKind* solving_kind(std::string_view name, bool one_by_one);

} // namespace talus
