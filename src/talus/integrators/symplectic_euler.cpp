// Symplectic Euler (CROWD eq. 2.19): v_{n+1} = v_n + h a(x_n, v_n), x_{n+1} = x_n + h v_{n+1}. First order.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

class SymplecticEuler final : public StepIntegrator {
    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        for_numbers(motion, [&](std::size_t i) {
            motion.velocity[i] += h * motion.acceleration[i];
            motion.spin[i] += h * motion.turning[i];
            motion.place[i] += h * motion.velocity[i];
            motion.angle[i] += h * motion.spin[i];
        });
        accelerations.find(h, Accelerations::Moment::end);
    }
};

} // namespace

IntegratorKind symplectic_euler()
{
    return {"symplectic_euler", "velocity first, then place", made_integrator<SymplecticEuler>, 1};
}

} // namespace talus
