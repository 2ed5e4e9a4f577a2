// What must hold in every scene, whatever is in it, judged beside the simulation from the problems it solves or, where
// a method solves none, from what it publishes.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace talus::fuzz {

struct Verdict {
    std::vector<std::string> faults; // claims that do not hold
    std::uint64_t hash = 0;          // of the state when `steps_with_contacts` were done, or of the last
    bool reproducible = true;
    int steps = 0;
    std::size_t contacts = 0; // most of a step
    double imbalance = 0;     // worst of the ledger, over the energy turned over
    int missed = 0;           // solves above their tolerance that said so
    // energy made in the worst step, over the kinetic energy before it and what loads and imposed motions gave
    double law_gain = 0;    // by contacts, as the law allows
    double solver_gain = 0; // by r·ṽ > 0: the law is not met, within the solver's tolerance or said to be missed
    double turning = 0;     // by bodies of unequal moments of inertia that turn

    template <class... Args>
    void blame(fmt::format_string<Args...> text, Args&&... args)
    {
        faults.push_back(fmt::format("step {}: ", steps) + fmt::format(text, std::forward<Args>(args)...));
    }
};

template <int D>
Verdict judge(Simulation<D>& simulation, int steps);

// The same for methods that have no contact problem: smooth contact, crowds.
template <int D>
Verdict judge_published(Simulation<D>& simulation, int steps);

// Steps only, as far as the hash of a verdict goes.
template <int D>
std::uint64_t hash_of_run(Simulation<D>& simulation, int steps);
inline constexpr int steps_with_contacts = 60; // enough to tell two runs apart

} // namespace talus::fuzz
