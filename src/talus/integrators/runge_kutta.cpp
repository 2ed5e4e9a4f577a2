// The classical Runge-Kutta scheme of fourth order. Its last evaluation, where the step ends, is the first of the next.
// An angle φ that a body has turned within the step grows by ω − φ×ω/2 + φ×(φ×ω)/12: turns do not add up.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

class RungeKutta final : public StepIntegrator {
    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        place_ = motion.place;
        velocity_ = motion.velocity;
        angle_ = motion.angle;
        spin_ = motion.spin;
        moved_.assign(motion.place.size(), 0);
        gained_ = turned_ = spun_ = moved_;
        for (int stage = 0; stage < 4; ++stage) {
            const double weight = h * (stage == 0 || stage == 3 ? 1.0 / 6 : 1.0 / 3);
            const double ahead = stage < 2 ? 0.5 * h : h; // where the next stage is evaluated
            parallel_chunks(motion.bodies(), [&](std::size_t begin, std::size_t end) {
                for (std::size_t body = begin; body < end; ++body) add_stage(motion, body, weight, ahead);
            });
            if (stage < 3) accelerations.find(ahead, Accelerations::Moment::within);
        }
        for_numbers(motion, [&](std::size_t i) {
            motion.place[i] = place_[i] + moved_[i];
            motion.velocity[i] = velocity_[i] + gained_[i];
            motion.angle[i] = angle_[i] + turned_[i];
            motion.spin[i] = spin_[i] + spun_[i];
        });
        accelerations.find(h, Accelerations::Moment::end);
    }

    void add_stage(Motion& motion, std::size_t body, double weight, double ahead)
    {
        const std::size_t first = record_size * body;
        double w[3], phi[3], rate[3];
        for (int k = 0; k < 3; ++k) {
            w[k] = motion.spin[first + k];
            phi[k] = motion.angle[first + k] - angle_[first + k];
        }
        const auto cross = [](const double* a, const double* b, int k) {
            return a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        };
        const double once[3] = {cross(phi, w, 0), cross(phi, w, 1), cross(phi, w, 2)};
        for (int k = 0; k < 3; ++k) rate[k] = w[k] - once[k] / 2 + cross(phi, once, k) / 12;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = first + k;
            moved_[i] += weight * motion.velocity[i];
            gained_[i] += weight * motion.acceleration[i];
            turned_[i] += weight * rate[k];
            spun_[i] += weight * motion.turning[i];
            motion.place[i] = place_[i] + ahead * motion.velocity[i];
            motion.velocity[i] = velocity_[i] + ahead * motion.acceleration[i];
            motion.angle[i] = angle_[i] + ahead * rate[k];
            motion.spin[i] = spin_[i] + ahead * motion.turning[i];
        }
    }

    LaneColumn place_, velocity_, angle_, spin_; // where the step began
    LaneColumn moved_, gained_, turned_, spun_;  // over the step, so far
};

} // namespace

IntegratorKind runge_kutta() { return {"runge_kutta", "four evaluations a step", made_integrator<RungeKutta>, 4, 4}; }

} // namespace talus
