#include "talus/simulation/simulation.hpp"

#include "talus/exec/erase_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace talus {

std::string_view phase_name(Phase phase)
{
    switch (phase) {
    case Phase::drivers:
        return "drivers";
    case Phase::detection:
        return "detection";
    case Phase::problem:
        return "problem";
    case Phase::partition:
        return "partition";
    case Phase::solver:
        return "solver";
    case Phase::motion:
        return "motion";
    case Phase::count:
        break;
    }
    return "";
}

template <int D>
StepReport Simulation<D>::step()
{
    StepReport last;
    if (clock.step == 0) {
        for (const auto& meter : meters) meter->begin(snapshot());
    }
    engine->advance(*this, clock.time() + clock.dt, [&](const StepReport& report) { last = report; });
    if (meters.empty()) return last;
    const Snapshot<D> now(bodies, shapes, contacts, clock.dt, least_share_of_force, engine->contacts_of_bodies());
    for (const auto& meter : meters) meter->watch(now, clock);
    return last;
}

template <int D>
const ContactDynamics<D>& Simulation<D>::contact_dynamics() const
{
    const auto* found = dynamic_cast<const ContactDynamics<D>*>(engine.get());
    if (!found) throw std::logic_error("this simulation has another engine than contact dynamics");
    return *found;
}

template <int D>
ContactDynamics<D>& Simulation<D>::contact_dynamics()
{
    return const_cast<ContactDynamics<D>&>(std::as_const(*this).contact_dynamics());
}

template <int D>
void Simulation<D>::use_solver(const SolverOptions& options)
{
    ContactDynamics<D>& dynamics = contact_dynamics();
    dynamics.solver = make_solver<D>(options, materials.has_rolling_friction());
    dynamics.tolerance = {.asked = options.tolerance, .aimed = options.tolerance, .stop = options.stop};
}

template <int D>
void Simulation<D>::begin_step()
{
    let_bodies_leave();
    apply_drivers();
    sight_.show(drivers, bodies, shapes);
}

template <int D>
bool Simulation<D>::drivers_hold() const
{
    return std::ranges::all_of(drivers, [](const auto& driver) { return driver->holds_for_step(); });
}

// Drivers that feed bodies are not asked again: they act on nobody by name.
template <int D>
void Simulation<D>::impose_motions(const Clock& part)
{
    clear_loads(bodies);
    energy.driver_work -= guided_energy(bodies.size());
    for (const auto& driver : drivers) driver->release(bodies);
    for (const auto& driver : drivers) {
        if (!driver->holds_for_step() || !driver->acts_on().empty()) driver->apply(bodies, shapes, part);
    }
    energy.driver_work += guided_energy(bodies.size());
}

template <int D>
void Simulation<D>::add_loads(const TimeSpan& during)
{
    for (const auto& driver : drivers) driver->load(bodies, during);
}

template <int D>
void Simulation<D>::add_own_loads(const TimeSpan& during)
{
    for (const auto& driver : drivers) {
        if (!driver->is_mutual()) driver->load(bodies, during);
    }
}

template <int D>
void Simulation<D>::add_mutual_loads(const TimeSpan& during)
{
    for (const auto& driver : drivers) {
        if (driver->is_mutual()) driver->load(bodies, during);
    }
}

template <int D>
bool Simulation<D>::has_mutual_loads() const
{
    return std::ranges::any_of(drivers, [](const auto& driver) { return driver->is_mutual(); });
}

template <int D>
void Simulation<D>::end_step()
{
    if (rest) {
        const bool below = measure_rest(bodies, shapes, contacts, clock.dt).is_below(*rest);
        steps_at_rest = below ? steps_at_rest + 1 : 0;
    }
    ++clock.step;
}

template <int D>
bool Simulation<D>::is_at_rest() const
{
    return rest && steps_at_rest > 0 && double(steps_at_rest) * clock.dt >= rest->hold;
}

// Through an outlet, with the energy they have.
template <int D>
void Simulation<D>::let_bodies_leave()
{
    if (clock.step == 0) energy.start = kinetic_energy() + potential_energy();
    leaves_.assign(bodies.size(), 0);
    for (const auto& driver : drivers) driver->let_go(bodies, clock, leaves_);
    bool any = false;
    for_bytes(leaves_, 1, [&](std::size_t i) {
        any = true;
        energy.fed -= talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) energy.fed -= driver->potential(bodies, i);
    });
    if (!any) return;
    const double before = mutual_energy(bodies.size());
    for (std::uint8_t& flag : leaves_) flag = !flag; // who stays
    engine->follow(remove_others(*this, leaves_));
    for (const auto& driver : drivers) driver->find_bodies(bodies);
    energy.fed += mutual_energy(bodies.size()) - before;
}

template <int D>
void Simulation<D>::apply_drivers()
{
    clear_loads(bodies);
    const std::size_t count = bodies.size();
    energy.driver_work -= guided_energy(count);
    for (const auto& driver : drivers) driver->release(bodies);
    for (const auto& driver : drivers) driver->apply(bodies, shapes, clock);
    energy.driver_work += guided_energy(count);
    for (std::size_t i = count; i < bodies.size(); ++i) { // grains that were just fed bring their energy along
        energy.fed += talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) energy.fed += driver->potential(bodies, i);
    }
    if (bodies.size() > count) energy.fed += mutual_energy(bodies.size()) - mutual_energy(count);
}

template <int D>
double Simulation<D>::kinetic_energy() const
{
    return parallel_sum(bodies.size(), 0.0,
                        [&](std::size_t i) { return bodies.is_passive(i) ? 0.0 : talus::kinetic_energy(bodies, i); });
}

template <int D>
double Simulation<D>::guided_energy(std::size_t count) const
{
    return parallel_sum(count, 0.0, [&](std::size_t i) {
        if (bodies.imposed[i] == 0 || bodies.is_passive(i)) return 0.0;
        double sum = talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) sum += driver->potential(bodies, i);
        return sum;
    });
}

template <int D>
double Simulation<D>::mutual_energy(std::size_t count) const
{
    double sum = 0;
    for (const auto& driver : drivers) sum += driver->energy(bodies, count);
    return sum;
}

template <int D>
FieldLoad<D> Simulation<D>::field_load(std::size_t i) const
{
    FieldLoad<D> field{Vec<D>::Zero(), Ang<D>::Zero()};
    for (const auto& driver : drivers) {
        if (bodies.is_passive(i) && !driver->is_mutual()) continue;
        field.force += driver->field(bodies, i);
        field.torque += driver->field_torque(bodies, i);
    }
    return field;
}

template <int D>
double Simulation<D>::potential_energy() const
{
    double total = (engine ? engine->stored_energy() : 0) + mutual_energy(bodies.size());
    for (const auto& driver : drivers) {
        total += parallel_sum(bodies.size(), 0.0,
                              [&](std::size_t i) { return bodies.is_passive(i) ? 0.0 : driver->potential(bodies, i); });
    }
    return total;
}

template <int D>
Vec<D> Simulation<D>::momentum() const
{
    return parallel_sum(bodies.size(), Vec<D>(Vec<D>::Zero()), [&](std::size_t i) -> Vec<D> {
        return bodies.is_passive(i) ? Vec<D>(Vec<D>::Zero()) : Vec<D>(bodies.mass[i] * bodies.velocity[i]);
    });
}

template <int D>
Ang<D> Simulation<D>::angular_momentum() const
{
    return parallel_sum(bodies.size(), Ang<D>(Ang<D>::Zero()), [&](std::size_t i) -> Ang<D> {
        if (bodies.is_passive(i)) return Ang<D>::Zero();
        return moment(bodies.position[i], Vec<D>(bodies.mass[i] * bodies.velocity[i])) +
               inertia_in_world(bodies.orientation[i], bodies.inertia[i]) * bodies.spin[i];
    });
}

// Half a step of room: the clock counts steps.
template <int D>
void StepEngine<D>::advance(Simulation<D>& simulation, double until, const typename Engine<D>::Told& told)
{
    const Clock& clock = simulation.clock;
    while (clock.time() < until - 0.5 * clock.dt) told(step(simulation));
}

template class StepEngine<2>;
template class StepEngine<3>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace talus
