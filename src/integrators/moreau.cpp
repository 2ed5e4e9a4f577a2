#include "integrators/moreau.hpp"

#include "exec/parallel.hpp"

namespace talus {

namespace {

template <int D>
void move(BodyTable<D>& bodies, double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.position[i] += dt * bodies.velocity[i];
        turn(bodies, i, dt);
    });
}

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
void moreau_open(BodyTable<D>& bodies, double dt)
{
    move(bodies, 0.5 * dt);
}

template <int D>
void moreau_close(BodyTable<D>& bodies, const ContactProblem<D>& problem, double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.velocity[i] = problem.bodies[i].velocity;
        bodies.spin[i] = problem.bodies[i].spin;
    });
    move(bodies, 0.5 * dt);
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
void publish_reactions(BodyTable<D>& bodies, const ContactTable<D>& contacts, double dt)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.reaction[i].setZero();
        bodies.reaction_torque[i].setZero();
    });
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::int32_t c = contacts.candidate[k], a = contacts.antagonist[k];
        const Vec<D> force = contacts.impulse[k] / dt;
        bodies.reaction[c] += force;
        bodies.reaction[a] -= force;
        bodies.reaction_torque[c] += moment(Vec<D>(contacts.point[k] - bodies.position[c]), force);
        bodies.reaction_torque[a] -= moment(Vec<D>(contacts.point[k] - bodies.position[a]), force);
        if (!contacts.rolling_impulse.empty()) {
            bodies.reaction_torque[c] += contacts.rolling_impulse[k] / dt;
            bodies.reaction_torque[a] -= contacts.rolling_impulse[k] / dt;
        }
    }
}

template <int D>
void account(EnergyLedger& ledger, const ContactProblem<D>& problem, const ContactTable<D>& contacts,
             const BodyTable<D>& bodies, double dt)
{
    const auto mean_velocity = [&](std::size_t i) -> Vec<D> {
        return 0.5 * (bodies.velocity[i] + problem.bodies[i].velocity);
    };
    const auto mean_spin = [&](std::size_t i) -> Ang<D> { return 0.5 * (bodies.spin[i] + problem.bodies[i].spin); };

    ledger.external_work += parallel_sum(bodies.size(), 0.0, [&](std::size_t i) {
        double power = 0;
        for (int axis = 0; axis < D; ++axis) {
            if (!bodies.is_imposed(i, axis)) power += bodies.force[i][axis] * mean_velocity(i)[axis];
        }
        for (int axis = 0; axis < angular<D>; ++axis) {
            if (!bodies.is_imposed(i, D + axis)) power += bodies.torque[i][axis] * mean_spin(i)[axis];
        }
        return dt * power;
    });

    // what the contacts take out, and what imposed motions put in through them
    const Eigen::Vector2d work =
        parallel_sum(contacts.size(), Eigen::Vector2d(0, 0), [&](std::size_t k) -> Eigen::Vector2d {
            const ContactRow<D>& row = problem.rows[k];
            const Vec<D>& impulse = contacts.impulse[k];
            const bool rolling = !contacts.rolling_impulse.empty();
            double taken = 0, put_in = 0;
            for (const bool candidate : {true, false}) {
                const std::int32_t body = candidate ? row.candidate : row.antagonist;
                const double sign = candidate ? 1.0 : -1.0;
                const Vec<D>& lever = candidate ? row.candidate_lever : row.antagonist_lever;
                Ang<D> torque = moment(lever, impulse);
                if (rolling) torque += contacts.rolling_impulse[k];
                const Vec<D> velocity = mean_velocity(body);
                const Ang<D> spin = mean_spin(body);
                taken -= sign * (impulse.dot(velocity) + torque.dot(spin));
                for (int axis = 0; axis < D; ++axis) {
                    if (bodies.is_imposed(body, axis)) put_in -= sign * impulse[axis] * velocity[axis];
                }
                for (int axis = 0; axis < angular<D>; ++axis) {
                    if (bodies.is_imposed(body, D + axis)) put_in -= sign * torque[axis] * spin[axis];
                }
            }
            return {taken, put_in};
        });
    ledger.dissipated += work[0];
    ledger.driver_work += work[1];
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
    template void moreau_open(BodyTable<D>&, double);                                                                  \
    template void moreau_close(BodyTable<D>&, const ContactProblem<D>&, double);                                       \
    template void publish_impulses(const ContactProblem<D>&, ContactTable<D>&);                                        \
    template void publish_reactions(BodyTable<D>&, const ContactTable<D>&, double);                                    \
    template void account(EnergyLedger&, const ContactProblem<D>&, const ContactTable<D>&, const BodyTable<D>&,        \
                          double);                                                                                     \
    template std::int32_t first_non_finite(const BodyTable<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
