// Leapfrog (FORCES): v_{n+½} = v_{n−½} + h a(x_n, v_{n−½}), x_{n+1} = x_n + h v_{n+½}. Whoever looks in between sees
// velocities at whole steps, half a kick further. Second order, symplectic; first order in forces that depend on
// velocities, which it takes half a step late.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

class Leapfrog final : public Integrator {
  public:
    void advance(Motion& motion, double h, std::int64_t steps, Accelerations& accelerations) override
    {
        accelerations.begin_step();
        kick_and_drift(motion, 0.5 * h, h, 0, motion.bodies());
        // kicks and drifts while accelerations are in the cache
        const Accelerations::Then go_on = [&](std::size_t begin, std::size_t end) {
            kick_and_drift(motion, h, h, begin, end);
        };
        for (std::int64_t step = 1; step < steps; ++step) {
            if (accelerations.is_steady()) {
                accelerations.find(h, Accelerations::Moment::end, go_on);
                accelerations.begin_step();
            } else {
                accelerations.find(h, Accelerations::Moment::end);
                accelerations.begin_step();
                parallel_chunks(motion.bodies(), go_on);
            }
        }
        accelerations.find(h, Accelerations::Moment::end);
        for_numbers(motion, [&](std::size_t i) {
            motion.velocity[i] += 0.5 * h * motion.acceleration[i];
            motion.spin[i] += 0.5 * h * motion.turning[i];
        });
    }

  private:
    static void kick_and_drift(Motion& motion, double kick, double h, std::size_t begin, std::size_t end)
    {
        double *x = motion.place.data(), *q = motion.angle.data(), *v = motion.velocity.data(), *w = motion.spin.data();
        const double *a = motion.acceleration.data(), *b = motion.turning.data();
        for (std::size_t i = record_size * begin; i < record_size * end; ++i) {
            v[i] += kick * a[i];
            w[i] += kick * b[i];
            x[i] += h * v[i];
            q[i] += h * w[i];
        }
    }
};

} // namespace

IntegratorKind leapfrog() { return {"leapfrog", "kicks and drifts in turn", made_integrator<Leapfrog>}; }

} // namespace talus
