// Smooth DEM (FORCES; MODEL §6): grains overlap a little, and forces follow from the overlap. A step of the clock is
// divided into as many steps of the integrator as the stiffness of the contacts asks for.
#pragma once

#include "talus/simulation/engine.hpp"
#include "talus/simulation/state.hpp"
#include "talus/smooth/smooth_forces.hpp"

namespace talus {

template <int D>
class SmoothDem final : public StepEngine<D> {
  public:
    SmoothForces<D> forces;
    std::unique_ptr<Integrator> integrator;
    double dt = 0;        // [s] of the integrator, at most
    double stiffness = 0; // [N/m] of springs, for advice

    void follow(std::span<const std::int32_t> place) override;
    EngineMemory save() const override;
    std::string restore(const EngineMemory& memory) override;
    double stored_energy() const override { return stored_; }
    std::string remark() const override;
    std::int64_t parts_of(double clock_dt) const override; // steps of the integrator

  private:
    class Asked;
    StepReport step(Simulation<D>& simulation) override;
    void take(Simulation<D>& simulation);
    void load(Simulation<D>& simulation);
    std::optional<Vec<3>> uniform_load() const;
    std::vector<LaneColumn> memory_by_body() const;

    bool has_bodies_ = false;             // the pack holds the bodies of the state
    bool has_forces_ = false;             // reactions of the state are those of its contacts
    std::vector<std::int32_t> order_;     // of a checkpoint, until it is taken
    std::vector<LaneColumn> own_columns_; // of the integrator by body, until they are taken
    bool sort_next_ = false;              // neighbours have moved apart
    double travelled_ = 0;                // [m] rms, since bodies were sorted
    double stored_ = 0;                   // [J]
    double deepest_ = 0;                  // overlap over the radius, so far
};

} // namespace talus
