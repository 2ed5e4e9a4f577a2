// A step of a crowd by one of the three treatments of contact that CROWD compares (§2.5; MODEL §7). Pedestrians are
// disks that do not turn.
#pragma once

#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/crowd/push_problem.hpp"
#include "talus/detection/detector.hpp"
#include "talus/simulation/engine.hpp"
#include "talus/simulation/state.hpp"

namespace talus {

enum class CrowdTreatment {
    soft,        // DEM, eq. 2.19: forces k |D| where people overlap, from places at the start of the step
    places,      // NSM1: nobody overlaps at the end of the step
    percussions, // NSM2: velocities jump in the middle of the step
};

class CrowdContact final : public StepEngine<2> {
  public:
    CrowdTreatment treatment = CrowdTreatment::percussions;
    PushLaw law;
    PushOptions options{.apply_start = true};
    bool by_uzawa = false;
    double stiffness = 1.2e5; // [N/m] of soft contact
    double sliding = 0;       // [kg/(m s)] Helbing's κ: force across, per overlap and sliding velocity
    std::unique_ptr<Detector<2>> detector;

    double stored_energy() const override { return stored_; }
    const ContactsOfBodies* contacts_of_bodies() const override { return &contacts_of_bodies_; }
    EngineMemory save() const override { return {.numbers = {{"crowd_stored", stored_}}, .columns = {}}; }
    std::string restore(const EngineMemory& memory) override;

  private:
    StepReport step(Simulation<2>& simulation) override;
    void find_trial_velocities(const Simulation<2>& simulation);
    using Finish = std::function<void(Phase)>; // a phase of the step is over
    void push_softly(Simulation<2>& simulation, const Finish& finish);
    void push_rigidly(Simulation<2>& simulation, StepReport& report, const Finish& finish);
    void list_contacts(const Simulation<2>& simulation);
    bool is_active(const Simulation<2>& simulation, std::size_t contact) const;
    bool has_row(std::size_t contact) const { return row_of_[contact] != row_of_[contact + 1]; }
    void move(Simulation<2>& simulation);

    PushProblem problem_;
    std::vector<Vec<2>> trial_;        // [m/s] V: what loads alone would give
    std::vector<std::int32_t> row_of_; // of each contact the first row that is its own or a later one's, and the end
    ContactsOfBodies contacts_of_bodies_;
    double stored_ = 0; // [J]
};

} // namespace talus
