// Contact dynamics (Moreau, Jean; MODEL §2): impulses and impacts of a step are the solution of one contact problem.
// step.cpp tells the story.
#pragma once

#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/partition/partitioner.hpp"
#include "talus/simulation/engine.hpp"
#include "talus/simulation/quality.hpp"
#include "talus/simulation/state.hpp"
#include "talus/solvers/contact_problem.hpp"

#include <memory>

namespace talus {

template <int D>
class ContactDynamics final : public StepEngine<D> {
  public:
    std::unique_ptr<Detector<D>> detector;
    std::optional<double> alert_distance; // [m] chosen from the motion at each step where none is given
    bool warm_start = true;
    Partitioner<D> partitioner;
    std::unique_ptr<Solver<D>> solver;
    ToleranceControl tolerance;                  // what the solver is asked for
    std::optional<CorrectionOptions> correction; // of positions; lengths are set from the grains at each step
    std::function<void(const ContactProblem<D>&, const Partition&)> on_problem; // shown what the solver receives

    void follow(std::span<const std::int32_t> place) override { partitioner.follow(place); }
    EngineMemory save() const override;
    std::string restore(const EngineMemory& memory) override;
    std::string remark() const override { return detector ? detector->remark() : std::string(); }
    std::string adapt(double interpenetration) override;
    std::optional<ResidualAsked> residual() const override;

  private:
    StepReport step(Simulation<D>& simulation) override;
    void measure_motion(const State<D>& state, StepReport& report);
    double choose_alert_distance(double dt, const StepReport& report) const;
    std::span<const double> reach_of_bodies(const State<D>& state, const StepReport& report);
    const Partition& divide(const State<D>& state, StepReport& report);
    void publish(State<D>& state, SolveReport& solve);
    void remove_penetration(Simulation<D>& simulation, const Partition& partition, StepReport& report);

    // scratch, kept to reuse its memory
    ContactProblem<D> problem_;
    ContactsOfBodies contacts_of_bodies_;
    std::vector<double> speed_; // [m/s] of the fastest point of each body; infinite of a turning wall
    std::vector<double> reach_; // [m] how far from each body contacts are looked for
};

} // namespace talus
