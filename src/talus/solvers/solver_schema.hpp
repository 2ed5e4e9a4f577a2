// The keys of [solver] in a scene.
#pragma once

#include "talus/scene/schema.hpp"
#include "talus/solvers/solver.hpp"

namespace talus {

scene::Key solver_schema();

// Keys that contradict one another. Takes any tree, validated or not.
std::vector<Mistake> solver_problems(const scene::Value& root);

// Keys that have no effect with the solver.
std::vector<Mistake> idle_solver_keys(const scene::Value& root);

SolverOptions solver_options(const scene::Value& solver);

} // namespace talus
