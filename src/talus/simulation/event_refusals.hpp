// What event-driven dynamics does not take, by name and with what it does take. Before a run: nothing is written.
#pragma once

#include "talus/simulation/simulation.hpp"

namespace talus {

// Throws InputError with all that it finds.
template <int D>
void refuse_for_events(const Simulation<D>& simulation, const scene::Value& scene);

// Indicators of a gauge that say nothing where no contact lasts.
std::vector<std::string> indicators_of_contacts();

} // namespace talus
