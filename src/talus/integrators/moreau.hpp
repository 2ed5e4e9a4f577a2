// Moreau's midpoint scheme around the contact problem (MODEL §2, steps 1 and 5): half a step with the old velocity,
// half a step with the new one.
#pragma once

#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/contacts/work.hpp"
#include "talus/solvers/contact_problem.hpp"

namespace talus {

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

// (V_i + V_{i+1})/2 of a body, before it takes its new velocity: with it the work of an impulse is exact for the
// scheme.
template <int D>
Twist<D> mean_motion(const BodyTable<D>& bodies, const ContactProblem<D>& problem, std::size_t i)
{
    return {0.5 * (bodies.velocity[i] + problem.bodies[i].velocity), 0.5 * (bodies.spin[i] + problem.bodies[i].spin)};
}

} // namespace talus
