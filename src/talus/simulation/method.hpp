// Methods: what scene.method names. Each makes the engine that carries a scene through time.
#pragma once

#include "talus/scene/kinds.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace talus {

template <int D>
class Simulation;

// Puts its engine into the simulation, which has its bodies, drivers and clock; `scene` is checked and has its
// defaults.
template <int D>
using MethodMaker = void (*)(Simulation<D>& simulation, const scene::Value& scene);

// Lines about a scene, in both dimensions; none where there is nothing to tell.
struct MethodTeller {
    template <int D>
    using Tell = std::vector<std::string> (*)(const Simulation<D>& simulation, const scene::Value& scene);
    Tell<2> in_plane = nullptr;
    Tell<3> in_space = nullptr;

    template <int D>
    std::vector<std::string> operator()(const Simulation<D>& simulation, const scene::Value& scene) const
    {
        if constexpr (D == 2) {
            return in_plane ? in_plane(simulation, scene) : std::vector<std::string>{};
        } else {
            return in_space ? in_space(simulation, scene) : std::vector<std::string>{};
        }
    }
};

// What a step of the method's own takes [s] on one core of a present server: an estimate for `talus check`.
struct StepCost {
    double alone = 0;  // done by one thread
    double shared = 0; // divided among threads
};
struct StepSize {
    double bodies, contacts;
    bool round; // no polygons or polyhedra
};
using StepCostTeller = StepCost (*)(const scene::Value& scene, const StepSize& size);

struct MethodKind : scene::NamedKind<MethodMaker> {
    std::vector<std::string> aliases;
    bool has_contact_problem = false; // in each step, of MODEL §2: output.problem_steps keeps some
    bool sees_within_step = false;    // contacts and vibrations, however long the step: no advice on dt
    MethodTeller warnings;            // what a user should know before a run
    MethodTeller choices;             // what it chose, with the rule that decided: lines of `talus check`
    StepCostTeller cost = nullptr;    // null: not known
};

MethodKind method_kind(std::string name, std::string doc, scene::Makers<MethodMaker> make, StepCostTeller cost);

MethodKind contact_dynamics_method();
MethodKind crowd_dem_method();
MethodKind nsm1_method();
MethodKind nsm2_method();
MethodKind dem_method();
MethodKind event_method();

// The registry; a program may add to it.
std::vector<MethodKind>& method_kinds();
const MethodKind* find_method(std::string_view name); // or alias; null: none
const MethodKind& method_of(const scene::Value& scene);
std::vector<std::string> method_names(); // with aliases

} // namespace talus
