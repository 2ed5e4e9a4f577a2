// Event-driven dynamics (MODEL §6): hard disks and spheres fly freely from impact to impact, however many of them lie
// in a step of the clock. A step of the clock only shows where the bodies are: it does not change what happens.
#pragma once

#include "talus/events/hard_balls.hpp"
#include "talus/simulation/engine.hpp"
#include "talus/simulation/state.hpp"

namespace talus {

template <int D>
class EventDriven final : public StepEngine<D> {
  public:
    HardBalls<D> balls; // with the walls; the balls themselves and the materials are taken from the simulation
    std::vector<BodyId> wall_ids;

    void follow(std::span<const std::int32_t> place) override;
    EngineMemory save() const override;
    std::string restore(const EngineMemory& memory) override;

  private:
    StepReport step(Simulation<D>& simulation) override;
    void take(const Simulation<D>& simulation);
    bool has_flights_of(const BodyTable<D>& bodies, double now) const;
    std::vector<std::uint64_t> flights() const;
    void resume_flight(Flight<D>& flight, BallBody<D>& body) const;
    void publish(Simulation<D>& simulation);

    bool has_bodies_ = false;
    std::size_t bodies_ = 0;                // of the state when it was taken
    std::vector<std::uint64_t> remembered_; // flights of a checkpoint, until they are taken
};

// What a body is called in messages: its name in the scene, or its number.
template <int D>
std::string body_name(const State<D>& state, std::int32_t body);

} // namespace talus
