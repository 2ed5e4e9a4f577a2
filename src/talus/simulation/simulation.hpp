// A running simulation: a state, what acts on it, what is measured of it, and the engine that carries it through time.
#pragma once

#include "talus/bodies/energy_ledger.hpp"
#include "talus/contacts/work.hpp"
#include "talus/drivers/sight.hpp"
#include "talus/laws/contact_law.hpp"
#include "talus/probes/gauge.hpp"
#include "talus/probes/meter.hpp"
#include "talus/simulation/contact_dynamics.hpp"
#include "talus/simulation/rest.hpp"

namespace talus {

template <int D>
class Simulation : public State<D> {
  public:
    using State<D>::bodies, State<D>::shapes, State<D>::contacts, State<D>::groups, State<D>::left, State<D>::clock;
    MaterialTable materials;
    std::vector<std::unique_ptr<Driver<D>>> drivers;
    std::unique_ptr<Engine<D>> engine = std::make_unique<ContactDynamics<D>>();
    std::vector<Gauge<D>> gauges;
    std::vector<std::unique_ptr<Meter<D>>> meters; // told of every step
    EnergyLedger energy;
    std::optional<RestCriteria> rest; // a run may end when they are met
    std::int64_t steps_at_rest = 0;   // in a row, so far

    // To the next moment of the clock.
    StepReport step();

    // The engine, where it is this one; std::logic_error where it is another.
    ContactDynamics<D>& contact_dynamics();
    const ContactDynamics<D>& contact_dynamics() const;
    // Another solver for it, asked for the tolerance of its options.
    void use_solver(const SolverOptions& options);

    // What gauges look at, now.
    Snapshot<D> snapshot() const { return Snapshot<D>(bodies, shapes, contacts, clock.dt); }

    // The criteria of rest have been met for as long as they ask.
    bool is_at_rest() const;

    double kinetic_energy() const;
    double potential_energy() const;
    double energy_imbalance() const { return kinetic_energy() + potential_energy() - energy.balance(); } // [J]
    Vec<D> momentum() const;
    Ang<D> angular_momentum() const; // about the origin
    std::uint64_t state_hash() const { return talus::state_hash(*this); }

    // For engines. A step begins: bodies leave; drivers feed bodies, impose motions and write loads that hold for the
    // whole step, see their neighbours. It ends: rest is judged, the clock moves.
    void begin_step();
    void end_step();
    // Part of a step: motions that drivers impose anew, where some change within the step.
    bool drivers_hold() const;
    void impose_motions(const Clock& part);
    // Adds what drivers load the bodies with as they are now: all, or what acts on each body by itself, and what bodies
    // do to each other.
    void add_loads(const TimeSpan& during);
    void add_own_loads(const TimeSpan& during);
    void add_mutual_loads(const TimeSpan& during);
    bool has_mutual_loads() const;
    // the part of them that derives from a potential, on one body; of what nothing can move, that of other bodies
    FieldLoad<D> field_load(std::size_t i) const;

  private:
    void let_bodies_leave();
    void apply_drivers();
    // [J] of bodies whose motion is imposed in part: drivers change their velocities, and take hold of them or let go
    double guided_energy(std::size_t count) const;
    double mutual_energy(std::size_t count) const; // [J] of the first bodies

    Sight<D> sight_;
    std::vector<std::uint8_t> leaves_; // each body; scratch, kept to reuse its memory
};

} // namespace talus
