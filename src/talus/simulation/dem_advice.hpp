// Advice on stiffness and time step of smooth contact (FORCES; MODEL §6), with the rule that decided.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <string>
#include <vector>

namespace talus {

// What the rules are fed with.
struct DemScales {
    double fastest = 0;                                             // [m/s] to be expected
    double gravity = 0, height = 0;                                 // [m/s²], [m] that grains may fall
    double smallest_mass = std::numeric_limits<double>::infinity(); // [kg] effective, of a pair
};
struct DemRule {
    std::string name;
    double value; // [N/m] or [s]
};
struct DemAdvice {
    std::vector<DemRule> stiffnesses; // of the rules that apply
    double stiffness = 0;             // [N/m] the largest, or the one given
    std::string stiffness_rule;
    double longest_dt = 0; // [s] the bound
    std::string dt_rule;
};

// `scene` is checked and has its defaults. Throws InputError where nothing can be advised.
template <int D>
DemAdvice dem_advice(const Simulation<D>& simulation, const scene::Value& scene);

} // namespace talus
