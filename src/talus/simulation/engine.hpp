// What carries a simulation through time. Contact dynamics is one engine; a run, its files and its ledger know no more
// of an engine than is written here.
#pragma once

#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/partition/partition_statistics.hpp"
#include "talus/solvers/position_correction.hpp"
#include "talus/solvers/solver.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talus {

enum class Phase { drivers, detection, problem, partition, solver, motion, count };
std::string_view phase_name(Phase phase);
using PhaseTimes = std::array<double, std::size_t(Phase::count)>; // [s]

// What an engine says of a step. What it has not stays as it is here: an engine without a solver has missed nothing.
struct StepReport {
    SolveReport solve;
    PartitionStatistics partition; // no parts where the solver uses none
    bool reproducible = true;      // the solver gives the same bits each time
    std::size_t contacts = 0;      // kept by the solver: closed or within the alert distance
    double alert = 0;              // [m]
    double fastest = 0;            // [m/s] of all bodies at the start of the step
    double smallest = 0;           // [m] smallest diameter of the grains; infinite without grains
    double safe_dt = std::numeric_limits<double>::infinity(); // [s] a longer step may lose sight of contacts
    double contact_gain = 0;                                  // [J] that the contacts together gave instead of taking
    CorrectionReport correction;
    PhaseTimes seconds{};
    std::int32_t non_finite = -1; // a body whose state is no longer a number; −1: all is well
};

// What an engine remembers beside the state. A checkpoint keeps it under these names.
struct EngineMemory {
    std::vector<std::pair<std::string, double>> numbers;
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>> columns;
};

// How well the contact problems are to be solved.
struct ResidualAsked {
    double asked, tightest; // tightest so far
};

template <int D>
class Simulation;

template <int D>
class Engine {
  public:
    virtual ~Engine() = default;

    // Carries the state on to `until` [s], a moment of its clock, in as many steps as it takes, and sets the clock
    // there.
    using Told = std::function<void(const StepReport&)>; // of each step
    virtual void advance(Simulation<D>& simulation, double until, const Told& told) = 0;

    // Bodies have left: place[i] is where body i is now, or −1.
    virtual void follow(std::span<const std::int32_t> /*place*/) {}
    virtual EngineMemory save() const { return {}; }
    // Takes what save() gave, in the same order. What is wrong with it, and then nothing changes; empty: nothing.
    virtual std::string restore(const EngineMemory&) { return {}; }

    // Of the contacts of the step that is just over; none where the engine does not make them.
    virtual const ContactsOfBodies* contacts_of_bodies() const { return nullptr; }
    // Steps of its own in a step of the clock.
    virtual std::int64_t parts_of(double /*clock_dt*/) const { return 1; }
    // [J] elastic energy of the contacts, part of the potential energy
    virtual double stored_energy() const { return 0; }
    // What the user should know of the last step, said once; empty: nothing.
    virtual std::string remark() const { return {}; }
    // Interpenetration has been measured, and it may ask more or less of itself. What it changed, in words.
    virtual std::string adapt(double /*interpenetration*/) { return {}; }
    virtual std::optional<ResidualAsked> residual() const { return {}; } // none where solves do not go by it
};

// An engine that goes on by one step of the clock after the other.
template <int D>
class StepEngine : public Engine<D> {
  public:
    void advance(Simulation<D>& simulation, double until, const typename Engine<D>::Told& told) final;

  private:
    virtual StepReport step(Simulation<D>& simulation) = 0;
};

} // namespace talus
