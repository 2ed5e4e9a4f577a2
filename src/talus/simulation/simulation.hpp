// A running simulation: the bodies, what holds between them, and the step (step.cpp tells the story).
#pragma once

#include "talus/bodies/energy_ledger.hpp"
#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/laws/contact_law.hpp"
#include "talus/partition/partitioner.hpp"
#include "talus/probes/gauge.hpp"
#include "talus/simulation/quality.hpp"
#include "talus/simulation/rest.hpp"
#include "talus/simulation/state.hpp"
#include "talus/solvers/contact_problem.hpp"
#include "talus/solvers/position_correction.hpp"
#include "talus/solvers/solver.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace talus {

enum class Phase { drivers, detection, problem, partition, solver, motion, count };
std::string_view phase_name(Phase phase);
using PhaseTimes = std::array<double, std::size_t(Phase::count)>; // [s]

struct StepReport {
    SolveReport solve;
    PartitionStatistics partition; // no parts where the solver uses none
    bool reproducible = true;      // the solver gives the same bits each time
    std::size_t contacts = 0;      // kept by the solver: closed or within the alert distance
    double alert = 0;              // [m]
    double fastest = 0;            // [m/s] of all bodies at the start of the step
    double smallest = 0;           // [m] smallest diameter of the grains; infinite without grains
    double contact_gain = 0;       // [J] that the contacts together gave instead of taking
    CorrectionReport correction;
    PhaseTimes seconds{};
    std::int32_t non_finite = -1; // a body whose state is no longer a number; −1: all is well
};

template <int D>
class Simulation : public State<D> {
  public:
    using State<D>::bodies, State<D>::shapes, State<D>::contacts, State<D>::groups, State<D>::left, State<D>::clock;
    MaterialTable materials;
    std::vector<std::unique_ptr<Driver<D>>> drivers;
    std::unique_ptr<Detector<D>> detector;
    Partitioner<D> partitioner;
    std::unique_ptr<Solver<D>> solver; // use_solver() makes another
    std::vector<Gauge<D>> gauges;
    EnergyLedger energy;
    std::optional<double> alert_distance; // [m] chosen from the motion at each step where none is given
    bool warm_start = true;
    ToleranceControl tolerance;                  // what the solver is asked for
    std::optional<CorrectionOptions> correction; // of positions; lengths are set from the grains at each step
    std::optional<RestCriteria> rest;            // a run may end when they are met
    std::int64_t steps_at_rest = 0;              // in a row, so far
    std::function<void(const ContactProblem<D>&, const Partition&)> on_problem; // shown what the solver receives

    StepReport step();

    // Another solver, asked for the tolerance of its options.
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

  private:
    void let_bodies_leave();
    void apply_drivers();
    // [J] of bodies whose motion is imposed in part: drivers change their velocities, and take hold of them or let go
    double guided_energy(std::size_t count) const;
    Vec<D> field_force(std::size_t i) const;
    void measure_motion(StepReport& report);
    const Partition& divide(StepReport& report);
    void publish(SolveReport& solve);
    void remove_penetration(const Partition& partition, StepReport& report);
    void judge_rest();
    double choose_alert_distance(const StepReport& report) const;
    std::span<const double> reach_of_bodies(const StepReport& report);

    // scratch, kept to reuse its memory
    ContactProblem<D> problem_;
    ContactsOfBodies contacts_of_bodies_;
    std::vector<std::uint8_t> leaves_; // each body
    std::vector<double> speed_;        // [m/s] of the fastest point of each body; infinite of a turning wall
    std::vector<double> reach_;        // [m] how far from each body contacts are looked for
};

} // namespace talus
