// Velocity Verlet: x_{n+1} = x_n + h v_n + h²/2 a_n; forces there with the velocity v_n + h a_n; v_{n+1} = v_n + h/2
// (a_n + a_{n+1}). Second order also where forces depend on velocities.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

class VelocityVerlet final : public StepIntegrator {
    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        before_ = motion.acceleration;
        turning_before_ = motion.turning;
        for_numbers(motion, [&](std::size_t i) {
            const double a = motion.acceleration[i], b = motion.turning[i];
            motion.place[i] += h * (motion.velocity[i] + 0.5 * h * a);
            motion.angle[i] += h * (motion.spin[i] + 0.5 * h * b);
            motion.velocity[i] += h * a;
            motion.spin[i] += h * b;
        });
        accelerations.find(h, Accelerations::Moment::end);
        for_numbers(motion, [&](std::size_t i) {
            motion.velocity[i] += 0.5 * h * (motion.acceleration[i] - before_[i]);
            motion.spin[i] += 0.5 * h * (motion.turning[i] - turning_before_[i]);
        });
    }
    LaneColumn before_, turning_before_; // scratch, kept to reuse its memory
};

} // namespace

IntegratorKind velocity_verlet()
{
    return {"velocity_verlet", "the velocity predicted for the forces, then corrected",
            made_integrator<VelocityVerlet>};
}

} // namespace talus
