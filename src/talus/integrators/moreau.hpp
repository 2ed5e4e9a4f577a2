// Moreau's midpoint scheme around the contact problem (MODEL §2, steps 1 and 5): half a step with the old velocity,
// half a step with the new one.
#pragma once

#include "talus/bodies/energy_ledger.hpp"
#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/solvers/contact_problem.hpp"

#include <functional>

namespace talus {

template <int D>
void clear_loads(BodyTable<D>& bodies);

// q_m = q_i + h/2 V_i. Returns the energy that turning gave to anisotropic bodies [J], as does moreau_close().
template <int D>
double moreau_open(BodyTable<D>& bodies, double dt);

// V_{i+1} from the solved problem; q_{i+1} = q_m + h/2 V_{i+1}
template <int D>
double moreau_close(BodyTable<D>& bodies, const ContactProblem<D>& problem, double dt);

// Impulses of the rows, turned into the world.
template <int D>
void publish_impulses(const ContactProblem<D>& problem, ContactTable<D>& contacts);

// Mean force and torque of the contacts on every body over the step, summed in the order of the contacts.
template <int D>
void publish_reactions(BodyTable<D>& bodies, const ContactTable<D>& contacts, const ContactsOfBodies& of_bodies,
                       double dt);

// V_{i+1} = V_i + h M⁻¹ (F + reactions) in the records of the problem. Solvers carry velocities along from visit to
// visit; these follow from the impulses that are published, to the last bit.
template <int D>
void velocities_from_reactions(ContactProblem<D>& problem, const BodyTable<D>& bodies, double dt);

// Work over the step, before the bodies take their new velocities: impulse times mean velocity is exact for the scheme.
// `field` is the part of the force on a body that derives from a potential, and that the ledger has as potential
// energy.
template <int D>
using Field = std::function<Vec<D>(std::size_t)>; // [N]
template <int D>
void account(EnergyLedger& ledger, const ContactProblem<D>& problem, const ContactTable<D>& contacts,
             const BodyTable<D>& bodies, const Field<D>& field, double dt);

// A body whose state is not a number; −1 where all are.
template <int D>
std::int32_t first_non_finite(const BodyTable<D>& bodies);

} // namespace talus
