#include "talus/simulation/crowd_contact.hpp"

#include "talus/base/stopwatch.hpp"
#include "talus/contacts/work.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/integrators/moreau.hpp"
#include "talus/simulation/simulation.hpp"

#include <cmath>

namespace talus {

namespace {

constexpr double least_reach = 0.01; // [m] contacts are looked for at least so far away, in powers of two of it

double fastest_of(std::span<const Vec<2>> velocity)
{
    return std::sqrt(parallel_reduce(
        velocity.size(), 0.0, [&](std::size_t i) { return velocity[i].squaredNorm(); },
        [](double a, double b) { return std::max(a, b); }));
}

// How far two people may come nearer in a step.
double reach_at(double speed, double dt)
{
    double reach = least_reach;
    while (reach < 2 * speed * dt) reach *= 2;
    return reach;
}

double inverse_mass_of(const BodyTable<2>& bodies, std::size_t i)
{
    return bodies.is_passive(i) ? 0.0 : 1 / bodies.mass[i];
}

} // namespace

StepReport CrowdContact::step(Simulation<2>& simulation)
{
    BodyTable<2>& bodies = simulation.bodies;
    const double dt = simulation.clock.dt;
    StepReport report;
    Stopwatch watch;
    const Finish finish = [&](Phase phase) { report.seconds[std::size_t(phase)] += watch.lap(); };

    simulation.begin_step();                           // who leaves and who comes
    simulation.add_loads(next_step(simulation.clock)); // what people want
    find_trial_velocities(simulation);
    finish(Phase::drivers);

    if (treatment == CrowdTreatment::soft) {
        push_softly(simulation, finish);
    } else {
        push_rigidly(simulation, report, finish);
    }
    report.contacts = simulation.contacts.size();
    report.fastest = fastest_of(problem_.velocity);
    finish(Phase::solver);

    contacts_of_bodies_.build(simulation.contacts, bodies.size());
    publish_reactions(bodies, simulation.contacts, contacts_of_bodies_, dt);
    parallel_for(bodies.reaction_torque.size(), [&](std::size_t i) { // people do not turn
        if (!bodies.is_passive(i)) bodies.reaction_torque[i].setZero();
    });
    account<2>(
        simulation.energy, simulation.contacts, bodies,
        [&](std::size_t i) {
            const Vec<2> mean = 0.5 * (bodies.velocity[i] + problem_.velocity[i]);
            return Twist<2>{mean, Ang<2>::Zero()};
        },
        [&](std::size_t i) { return simulation.field_load(i); }, dt);
    move(simulation);
    simulation.end_step();
    report.non_finite = first_non_finite(bodies);
    finish(Phase::motion);
    return report;
}

void CrowdContact::find_trial_velocities(const Simulation<2>& simulation)
{
    const BodyTable<2>& bodies = simulation.bodies;
    problem_.inverse_mass.resize(bodies.size());
    problem_.velocity.resize(bodies.size());
    trial_.resize(bodies.size());
    parallel_for(bodies.size(), [&](std::size_t i) {
        problem_.inverse_mass[i] = inverse_mass_of(bodies, i);
        trial_[i] = bodies.velocity[i] + simulation.clock.dt * problem_.inverse_mass[i] * bodies.force[i];
        problem_.velocity[i] = trial_[i];
    });
}

// CROWD eq. 2.3: k |D| apart; Helbing's κ |D| against sliding.
void CrowdContact::push_softly(Simulation<2>& simulation, const Finish& finish)
{
    const BodyTable<2>& bodies = simulation.bodies;
    ContactTable<2>& contacts = simulation.contacts;
    const double dt = simulation.clock.dt;
    contacts.detect(bodies, simulation.shapes, *detector, 0.0);
    contacts.forget();
    finish(Phase::detection);
    parallel_for(contacts.size(), [&](std::size_t k) {
        const Vec<2>& n = contacts.normal[k];
        const Vec<2> t(-n.y(), n.x());
        const double overlap = std::max(0.0, -contacts.gap[k]);
        const std::size_t i = std::size_t(contacts.candidate[k]), j = std::size_t(contacts.antagonist[k]);
        const double slide = (bodies.velocity[i] - bodies.velocity[j]).dot(t);
        contacts.impulse[k] = dt * overlap * (stiffness * n - sliding * slide * t);
    });
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::size_t i = std::size_t(contacts.candidate[k]), j = std::size_t(contacts.antagonist[k]);
        problem_.velocity[i] += problem_.inverse_mass[i] * contacts.impulse[k];
        problem_.velocity[j] -= problem_.inverse_mass[j] * contacts.impulse[k];
    }
    // energy of the overlaps that the step leaves, and what the scheme took or gave on the way
    const double before = stored_;
    stored_ = parallel_sum(contacts.size(), 0.0, [&](std::size_t k) {
        const std::size_t i = std::size_t(contacts.candidate[k]), j = std::size_t(contacts.antagonist[k]);
        const double closing = (problem_.velocity[i] - problem_.velocity[j]).dot(contacts.normal[k]);
        const double overlap = std::max(0.0, -(contacts.gap[k] + dt * closing));
        return 0.5 * stiffness * overlap * overlap;
    });
    simulation.energy.impact -= stored_ - before;
}

// A percussion may make somebody faster than the reach of the contacts was made for: then once more, with a longer one.
void CrowdContact::push_rigidly(Simulation<2>& simulation, StepReport& report, const Finish& finish)
{
    ContactTable<2>& contacts = simulation.contacts;
    const double dt = simulation.clock.dt;
    law.dt = dt;
    double speed = std::max(fastest_of(trial_), fastest_of(simulation.bodies.velocity));
    for (;;) {
        report.alert = reach_at(speed, dt);
        contacts.detect(simulation.bodies, simulation.shapes, *detector, report.alert);
        contacts.inherit();
        finish(Phase::detection);
        list_contacts(simulation);
        divide_ground(problem_, simulation.bodies.position);
        finish(Phase::problem);
        const PushReport solved =
            by_uzawa ? solve_by_uzawa(problem_, law, options) : solve_by_sweeps(problem_, law, options);
        report.solve.sweeps += solved.sweeps;
        report.solve.updates += solved.updates;
        report.solve.residual = report.solve.residual_max = solved.residual;
        report.solve.reached = solved.reached;
        report.solve.ended = solved.reached ? "reached" : "cap";
        parallel_for(contacts.size(), [&](std::size_t k) {
            contacts.impulse[k].setZero();
            if (!has_row(k)) return;
            const PushRow& row = problem_.rows[std::size_t(row_of_[k])];
            contacts.impulse[k] = row.impulse.x() * row.normal + row.impulse.y() * PushProblem::across(row.normal);
        });
        finish(Phase::solver);
        speed = fastest_of(problem_.velocity);
        if (!(2 * speed * dt > report.alert) || !std::isfinite(speed)) return;
        problem_.velocity = trial_;
    }
}

void CrowdContact::list_contacts(const Simulation<2>& simulation)
{
    const ContactTable<2>& contacts = simulation.contacts;
    const BodyTable<2>& bodies = simulation.bodies;
    row_of_.resize(contacts.size() + 1);
    parallel_for(contacts.size(), [&](std::size_t k) { row_of_[k] = is_active(simulation, k); });
    row_of_[contacts.size()] = 0;
    const std::size_t rows = std::size_t(exclusive_scan(row_of_));
    problem_.rows.resize(rows);
    parallel_for(contacts.size(), [&](std::size_t k) {
        if (!has_row(k)) return;
        PushRow& row = problem_.rows[std::size_t(row_of_[k])];
        row.candidate = contacts.candidate[k];
        row.antagonist = contacts.antagonist[k];
        const std::size_t i = std::size_t(row.candidate), j = std::size_t(row.antagonist);
        row.give = problem_.inverse_mass[i] + problem_.inverse_mass[j];
        row.normal = contacts.normal[k];
        row.gap = contacts.gap[k];
        const Vec<2> t(-row.normal.y(), row.normal.x());
        const Vec<2> before = bodies.velocity[i] - bodies.velocity[j];
        row.before = {before.dot(row.normal), before.dot(t)};
        row.parts = row.before.x() > 0 && (trial_[i] - trial_[j]).dot(row.normal) > 0;
        row.impulse = {contacts.impulse[k].dot(row.normal), contacts.impulse[k].dot(t)};
    });
}

// NSM1 looks at all that come near. NSM2 has a percussion where people overlap, or would at the end of the step by
// their trial velocities (MODEL §7): those who would part by themselves may be pushed together by others.
bool CrowdContact::is_active(const Simulation<2>& simulation, std::size_t contact) const
{
    constexpr double touching = 1e-12; // [m] round-off of places
    const BodyTable<2>& bodies = simulation.bodies;
    const ContactTable<2>& contacts = simulation.contacts;
    const std::size_t i = std::size_t(contacts.candidate[contact]), j = std::size_t(contacts.antagonist[contact]);
    if (problem_.inverse_mass[i] + problem_.inverse_mass[j] == 0) return false;
    if (treatment == CrowdTreatment::places) return true;
    const Vec<2>& n = contacts.normal[contact];
    const Vec<2> closing = trial_[i] - trial_[j];
    if (contacts.gap[contact] <= touching) return true;
    const double dt = simulation.clock.dt;
    const bool both_move = !bodies.is_passive(i) && !bodies.is_passive(j);
    if (!both_move) return contacts.gap[contact] + dt * closing.dot(n) <= touching;
    const Vec<2> apart = bodies.position[i] - bodies.position[j];
    return contacts.gap[contact] + (apart + dt * closing).norm() - apart.norm() <= touching;
}

// NSM2: q + h (u⁻ + u⁺)/2, the velocity jumps half-way; the others q + h u⁺.
void CrowdContact::move(Simulation<2>& simulation)
{
    BodyTable<2>& bodies = simulation.bodies;
    const double dt = simulation.clock.dt;
    const bool halfway = treatment == CrowdTreatment::percussions;
    parallel_for(bodies.size(), [&](std::size_t i) {
        if (bodies.is_passive(i)) {
            bodies.position[i] += dt * bodies.velocity[i];
            turn(bodies, i, dt);
            return;
        }
        const Vec<2>& after = problem_.velocity[i];
        bodies.position[i] += dt * (halfway ? Vec<2>(0.5 * (bodies.velocity[i] + after)) : after);
        bodies.velocity[i] = after;
    });
}

std::string CrowdContact::restore(const EngineMemory& memory)
{
    stored_ = memory.numbers[0].second;
    return {};
}

} // namespace talus
