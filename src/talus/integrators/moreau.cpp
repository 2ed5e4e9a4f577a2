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

// What the impulse of one contact does over a step.
struct ContactWork {
    double friction = 0, impact = 0, imposed = 0; // [J] taken by it; put in by imposed motions through it
    ContactWork operator+(const ContactWork& other) const
    {
        return {friction + other.friction, impact + other.impact, imposed + other.imposed};
    }
};

} // namespace

template <int D>
void clear_loads(BodyTable<D>& bodies)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.force[i].setZero();
        bodies.torque[i].setZero();
    });
}

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

template <int D>
void account(EnergyLedger& ledger, const ContactProblem<D>& problem, const ContactTable<D>& contacts,
             const BodyTable<D>& bodies, const Field<D>& field, double dt)
{
    const auto mean_velocity = [&](std::size_t i) -> Vec<D> {
        return 0.5 * (bodies.velocity[i] + problem.bodies[i].velocity);
    };
    const auto mean_spin = [&](std::size_t i) -> Ang<D> { return 0.5 * (bodies.spin[i] + problem.bodies[i].spin); };

    // [J] an anisotropic body whose free axes take up spin pushes against what holds the others: by (I Δω) there
    const auto work_of_held_turns = [&](std::size_t i) {
        if (bodies.imposed[i] == 0) return 0.0;
        const Ang<D> momentum = inertia_in_world(bodies.orientation[i], bodies.inertia[i]) *
                                Ang<D>(problem.bodies[i].spin - bodies.spin[i]);
        double work = 0;
        for (int axis = 0; axis < angular<D>; ++axis) {
            if (bodies.is_imposed(i, D + axis)) work += momentum[axis] * mean_spin(i)[axis];
        }
        return work;
    };

    // loads on what is free; where a motion is imposed, it is the driver that holds against the field
    const Eigen::Vector2d outside =
        parallel_sum(bodies.size(), Eigen::Vector2d(0, 0), [&](std::size_t i) -> Eigen::Vector2d {
            if (bodies.is_passive(i)) return {0, 0};
            const Vec<D> potential_force = field(i), velocity = mean_velocity(i);
            double loads = 0, held = 0;
            for (int axis = 0; axis < D; ++axis) {
                if (bodies.is_imposed(i, axis)) {
                    held -= potential_force[axis] * velocity[axis];
                } else {
                    loads += (bodies.force[i][axis] - potential_force[axis]) * velocity[axis];
                }
            }
            for (int axis = 0; axis < angular<D>; ++axis) {
                if (!bodies.is_imposed(i, D + axis)) loads += bodies.torque[i][axis] * mean_spin(i)[axis];
            }
            return {dt * loads, dt * held + work_of_held_turns(i)};
        });
    ledger.load_work += outside[0];

    const bool rolling = !contacts.rolling_impulse.empty();
    const ContactWork work = parallel_sum(contacts.size(), ContactWork{}, [&](std::size_t k) {
        const ContactRow<D>& row = problem.rows[k];
        const Vec<D> n = row.frame.col(0), &impulse = contacts.impulse[k];
        ContactWork done;
        Vec<D> sliding = Vec<D>::Zero(); // mean velocity of the candidate relative to the antagonist
        for (const bool candidate : {true, false}) {
            const std::size_t body = std::size_t(candidate ? row.candidate : row.antagonist);
            const double sign = candidate ? 1.0 : -1.0;
            const Vec<D>& lever = candidate ? row.candidate_lever : row.antagonist_lever;
            const Vec<D> velocity = mean_velocity(body);
            const Ang<D> spin = mean_spin(body);
            sliding += sign * (velocity + cross(spin, lever));
            Ang<D> torque = moment(lever, impulse);
            if (rolling) {
                torque += contacts.rolling_impulse[k];
                done.friction -= sign * contacts.rolling_impulse[k].dot(spin);
            }
            for (int axis = 0; axis < D; ++axis) {
                if (bodies.is_imposed(body, axis)) done.imposed -= sign * impulse[axis] * velocity[axis];
            }
            for (int axis = 0; axis < angular<D>; ++axis) {
                if (bodies.is_imposed(body, D + axis)) done.imposed -= sign * torque[axis] * spin[axis];
            }
        }
        done.impact = -impulse.dot(n) * sliding.dot(n);
        done.friction -= impulse.dot(sliding) + done.impact;
        return done;
    });
    ledger.friction += work.friction;
    ledger.impact += work.impact;
    ledger.driver_work += work.imposed + outside[1];
}

template <int D>
std::int32_t first_non_finite(const BodyTable<D>& bodies)
{
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    const std::int32_t first = parallel_reduce(
        bodies.size(), none,
        [&](std::size_t i) {
            const bool finite =
                bodies.position[i].allFinite() && bodies.velocity[i].allFinite() && bodies.spin[i].allFinite();
            return finite ? none : std::int32_t(i);
        },
        [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
    return first == none ? -1 : first;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void clear_loads(BodyTable<D>&);                                                                          \
    template double moreau_open(BodyTable<D>&, double);                                                                \
    template double moreau_close(BodyTable<D>&, const ContactProblem<D>&, double);                                     \
    template void publish_impulses(const ContactProblem<D>&, ContactTable<D>&);                                        \
    template void publish_reactions(BodyTable<D>&, const ContactTable<D>&, const ContactsOfBodies&, double);           \
    template void velocities_from_reactions(ContactProblem<D>&, const BodyTable<D>&, double);                          \
    template void account(EnergyLedger&, const ContactProblem<D>&, const ContactTable<D>&, const BodyTable<D>&,        \
                          const Field<D>&, double);                                                                    \
    template std::int32_t first_non_finite(const BodyTable<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
