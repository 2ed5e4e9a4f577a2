// Forces through cuts of a sample, and Moreau's check of a stress tensor on the diameters of a round gauge, as text.
#pragma once

#include "talus/probes/diameter_check.hpp"
#include "talus/scene/value.hpp"
#include "talus/simulation/simulation.hpp"

#include <string>
#include <vector>

// InputError with all that is wrong with them.
template <int D>
std::vector<talus::PlaneCut<D>> read_cuts(const std::vector<std::string>& texts);
template <int D>
void print_cuts(const talus::Simulation<D>& simulation, const std::vector<talus::PlaneCut<D>>& cuts);

// The disk or sphere gauges of these names; InputError where there is none of the name, or of another shape.
template <int D>
std::vector<talus::Gauge<D>> round_gauges(const talus::Simulation<D>& simulation, const talus::scene::Value& scene,
                                          const std::vector<std::string>& names);
template <int D>
talus::DiameterCheck check_of(const talus::Simulation<D>& simulation, const talus::Gauge<D>& gauge);
template <int D>
void print_diameters(const talus::Simulation<D>& simulation, const std::vector<talus::Gauge<D>>& gauges);
