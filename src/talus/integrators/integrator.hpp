// How motion follows from forces. An integrator takes equal steps; it asks for accelerations where bodies are at the
// moment, and ends each step with asking, so that forces belong to the places that a run shows.
#pragma once

#include "talus/integrators/motion.hpp"
#include "talus/scene/kinds.hpp"

#include <functional>
#include <memory>

namespace talus {

class Accelerations {
  public:
    virtual ~Accelerations() = default;
    // Before each step: motions that are imposed.
    virtual void begin_step() {}
    // Imposed motions are the same in all steps: begin_step() may be called late.
    virtual bool is_steady() const { return true; }
    // Accelerations of the motion as it is now, `time` [s] after the step began. Histories of contacts are carried on
    // by that time; they are kept where the step ends.
    // `then(begin, end)` is called for ranges of bodies whose accelerations are known, while they are in the cache,
    // from several threads; nobody looks at the motion of those bodies afterwards.
    enum class Moment { within, end };
    using Then = std::function<void(std::size_t begin, std::size_t end)>;
    virtual void find(double time, Moment moment, const Then& then = {}) = 0;
};

class Integrator {
  public:
    virtual ~Integrator() = default;
    // `steps` steps of length h [s]; accelerations are those of the start, and then of the end.
    virtual void advance(Motion& motion, double h, std::int64_t steps, Accelerations& accelerations) = 0;
    // Columns of its own, laid out as those of the motion: kept in checkpoints, and sorted with the bodies. Empty ones
    // are made when they are first needed.
    virtual std::vector<LaneColumn*> memory() { return {}; }
};

// An integrator that works step by step.
class StepIntegrator : public Integrator {
  public:
    void advance(Motion& motion, double h, std::int64_t steps, Accelerations& accelerations) final
    {
        for (std::int64_t step = 0; step < steps; ++step) {
            accelerations.begin_step();
            this->step(motion, h, accelerations);
        }
    }

  private:
    virtual void step(Motion& motion, double h, Accelerations& accelerations) = 0;
};

struct IntegratorKind {
    std::string name, doc;
    std::unique_ptr<Integrator> (*make)();
    int order = 2; // of places, where forces are smooth and do not depend on velocities
    int evaluations = 1;
};

IntegratorKind leapfrog();
IntegratorKind velocity_verlet();
IntegratorKind central_differences();
IntegratorKind gear();
IntegratorKind runge_kutta();
IntegratorKind newmark();
IntegratorKind symplectic_euler();

// The registry; a program may add to it.
std::vector<IntegratorKind>& integrator_kinds();

template <class Kind>
std::unique_ptr<Integrator> made_integrator()
{
    return std::make_unique<Kind>();
}

} // namespace talus
