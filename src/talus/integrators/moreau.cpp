#include "talus/integrators/moreau.hpp"

#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

// Moves by dt; returns the energy that turning gave. The rest of a turn keeps it exactly.
template <int D>
double move(BodyTable<D>& bodies, double dt)
{
    return parallel_sum(bodies.size(), 0.0, [&](std::size_t i) {
        bodies.position[i] += dt * bodies.velocity[i];
        const bool may_gain = !bodies.is_passive(i) && (bodies.inertia[i].array() != bodies.inertia[i][0]).any();
        const double before = may_gain ? kinetic_energy(bodies, i) : 0;
        turn(bodies, i, dt);
        return may_gain ? kinetic_energy(bodies, i) - before : 0.0;
    });
}

} // namespace

template <int D>
double moreau_open(BodyTable<D>& bodies, double dt)
{
    return move(bodies, 0.5 * dt);
}

template <int D>
double moreau_close(BodyTable<D>& bodies, const ContactProblem<D>& problem, double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.velocity[i] = problem.bodies[i].velocity;
        bodies.spin[i] = problem.bodies[i].spin;
    });
    return move(bodies, 0.5 * dt);
}

template <int D>
void publish_impulses(const ContactProblem<D>& problem, ContactTable<D>& contacts)
{
    contacts.rolling_impulse.resize(problem.rolling.size());
    parallel_for(contacts.size(), [&](std::size_t k) {
        contacts.impulse[k] = problem.rows[k].frame * problem.rows[k].impulse;
        if (!problem.rolling.empty()) contacts.rolling_impulse[k] = problem.rolling[k].impulse;
    });
}

template <int D>
void publish_reactions(BodyTable<D>& bodies, const ContactTable<D>& contacts, const ContactsOfBodies& of_bodies,
                       double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        Vec<D> reaction = Vec<D>::Zero();
        Ang<D> torque = Ang<D>::Zero();
        for (const auto [k, sign] : of_bodies.of(i)) {
            const Vec<D> force = sign * (contacts.impulse[k] / dt);
            reaction += force;
            torque += moment(Vec<D>(contacts.point[k] - bodies.position[i]), force);
            if (!contacts.rolling_impulse.empty()) torque += sign * (contacts.rolling_impulse[k] / dt);
        }
        bodies.reaction[i] = reaction;
        bodies.reaction_torque[i] = torque;
    });
}

template <int D>
void velocities_from_reactions(ContactProblem<D>& problem, const BodyTable<D>& bodies, double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        BodyRecord<D>& record = problem.bodies[i];
        const Vec<D> force = bodies.force[i] + bodies.reaction[i];
        const Ang<D> torque = bodies.torque[i] + bodies.reaction_torque[i];
        record.velocity = bodies.velocity[i] + dt * record.inverse_mass.cwiseProduct(force);
        record.spin = bodies.spin[i] + record.inverse_inertia * Ang<D>(dt * torque);
    });
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template double moreau_open(BodyTable<D>&, double);                                                                \
    template double moreau_close(BodyTable<D>&, const ContactProblem<D>&, double);                                     \
    template void publish_impulses(const ContactProblem<D>&, ContactTable<D>&);                                        \
    template void publish_reactions(BodyTable<D>&, const ContactTable<D>&, const ContactsOfBodies&, double);           \
    template void velocities_from_reactions(ContactProblem<D>&, const BodyTable<D>&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
