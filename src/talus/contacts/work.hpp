// The work of a step, for the energy ledger of any method: a force times the mean velocity of what it acts on, over the
// step. It is exact where velocities change by the impulses of the step alone. Bodies hold their velocities from before
// the step, loads, and places where contacts were evaluated; contacts hold their impulses.
#pragma once

#include "talus/bodies/energy_ledger.hpp"
#include "talus/contacts/contact_table.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

template <int D>
struct Twist {
    Vec<D> velocity; // [m/s]
    Ang<D> spin;     // [rad/s]
};

// What the impulse of one contact does over a step.
struct ContactWork {
    double friction = 0, impact = 0, imposed = 0; // [J] taken by it; put in by imposed motions through it
    ContactWork operator+(const ContactWork& other) const
    {
        return {friction + other.friction, impact + other.impact, imposed + other.imposed};
    }
};

// mean(i): mean motion of body i over the step.
template <int D, class Mean>
ContactWork contact_work(const ContactTable<D>& contacts, const BodyTable<D>& bodies, std::size_t k, Mean&& mean)
{
    const bool rolling = !contacts.rolling_impulse.empty();
    const Vec<D>&n = contacts.normal[k], &impulse = contacts.impulse[k];
    ContactWork done;
    Vec<D> sliding = Vec<D>::Zero(); // mean velocity of the candidate relative to the antagonist
    for (const bool candidate : {true, false}) {
        const std::size_t body = std::size_t(candidate ? contacts.candidate[k] : contacts.antagonist[k]);
        const double sign = candidate ? 1.0 : -1.0;
        const Vec<D> lever = contacts.point[k] - bodies.position[body];
        const Twist<D> motion = mean(body);
        sliding += sign * (motion.velocity + cross(motion.spin, lever));
        Ang<D> torque = moment(lever, impulse);
        if (rolling) {
            torque += contacts.rolling_impulse[k];
            done.friction -= sign * contacts.rolling_impulse[k].dot(motion.spin);
        }
        for (int axis = 0; axis < D; ++axis) {
            if (bodies.is_imposed(body, axis)) done.imposed -= sign * impulse[axis] * motion.velocity[axis];
        }
        for (int axis = 0; axis < angular<D>; ++axis) {
            if (bodies.is_imposed(body, D + axis)) done.imposed -= sign * torque[axis] * motion.spin[axis];
        }
    }
    done.impact = -impulse.dot(n) * sliding.dot(n);
    done.friction -= impulse.dot(sliding) + done.impact;
    return done;
}

// Of loads on one body: on what is free; where a motion is imposed, it is the driver that holds against the field, and
// against an anisotropic body whose free axes take up spin: by (I Δω) about the others.
struct LoadWork {
    double loads = 0, imposed = 0; // [J]
    LoadWork operator+(const LoadWork& other) const { return {loads + other.loads, imposed + other.imposed}; }
};
// The part of a body's load that derives from a potential, which the ledger has as potential energy.
template <int D>
struct FieldLoad {
    Vec<D> force;  // [N]
    Ang<D> torque; // [N m]
};
template <int D>
LoadWork load_work(const BodyTable<D>& bodies, std::size_t i, const Twist<D>& mean, const FieldLoad<D>& field,
                   double dt)
{
    LoadWork done;
    if (bodies.is_passive(i)) { // where it is moved, the field of others is worked against
        done.imposed = -dt * (field.force.dot(mean.velocity) + field.torque.dot(mean.spin));
        return done;
    }
    for (int axis = 0; axis < D; ++axis) {
        if (bodies.is_imposed(i, axis)) {
            done.imposed -= dt * field.force[axis] * mean.velocity[axis];
        } else {
            done.loads += dt * (bodies.force[i][axis] - field.force[axis]) * mean.velocity[axis];
        }
    }
    for (int axis = 0; axis < angular<D>; ++axis) {
        if (bodies.is_imposed(i, D + axis)) {
            done.imposed -= dt * field.torque[axis] * mean.spin[axis];
        } else {
            done.loads += dt * (bodies.torque[i][axis] - field.torque[axis]) * mean.spin[axis];
        }
    }
    if (bodies.imposed[i] == 0) return done;
    const Ang<D> momentum = inertia_in_world(bodies.orientation[i], bodies.inertia[i]) *
                            Ang<D>(2 * (mean.spin - bodies.spin[i])); // the mean is half way
    for (int axis = 0; axis < angular<D>; ++axis) {
        if (bodies.is_imposed(i, D + axis)) done.imposed += momentum[axis] * mean.spin[axis];
    }
    return done;
}

// mean(i) and field(i) for every body.
template <int D, class Mean, class Field>
void account(EnergyLedger& ledger, const ContactTable<D>& contacts, const BodyTable<D>& bodies, Mean&& mean,
             Field&& field, double dt)
{
    const LoadWork loads = parallel_sum(bodies.size(), LoadWork{},
                                        [&](std::size_t i) { return load_work<D>(bodies, i, mean(i), field(i), dt); });
    const ContactWork work = parallel_sum(contacts.size(), ContactWork{},
                                          [&](std::size_t k) { return contact_work(contacts, bodies, k, mean); });
    ledger.load_work += loads.loads;
    ledger.friction += work.friction;
    ledger.impact += work.impact;
    ledger.driver_work += work.imposed + loads.imposed;
}

} // namespace talus
