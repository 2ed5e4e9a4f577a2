// Moreau's midpoint scheme around the contact problem (MODEL §2, steps 1 and 5): half a step with the old velocity,
// half a step with the new one.
#pragma once

#include "bodies/energy_ledger.hpp"
#include "solvers/contact_problem.hpp"

namespace talus {

template <int D>
void clear_loads(BodyTable<D>& bodies);

// q_m = q_i + h/2 V_i
template <int D>
void moreau_open(BodyTable<D>& bodies, double dt);

// V_{i+1} from the solved problem; q_{i+1} = q_m + h/2 V_{i+1}
template <int D>
void moreau_close(BodyTable<D>& bodies, const ContactProblem<D>& problem, double dt);

// Impulses of the rows, turned into the world.
template <int D>
void publish_impulses(const ContactProblem<D>& problem, ContactTable<D>& contacts);

// Mean force and torque of the contacts on every body over the step, summed in the order of the contacts.
template <int D>
void publish_reactions(BodyTable<D>& bodies, const ContactTable<D>& contacts, double dt);

// Work over the step, before the bodies take their new velocities: impulse times mean velocity is exact for the scheme.
template <int D>
void account(EnergyLedger& ledger, const ContactProblem<D>& problem, const ContactTable<D>& contacts,
             const BodyTable<D>& bodies, double dt);

// A body whose state is not a number; −1 where all are.
template <int D>
std::int32_t first_non_finite(const BodyTable<D>& bodies);

} // namespace talus
