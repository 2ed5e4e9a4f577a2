// Newmark with the mean acceleration (β = 1/4, γ = 1/2): x_{n+1} = x_n + h (v_n + v_{n+1})/2, v_{n+1} = v_n + h (a_n +
// a_{n+1})/2, solved by repeating a_{n+1}. A step below the advised one is a contraction: each time its error falls by
// (h ω/2)².
#include "talus/integrators/integrator.hpp"

#include <cmath>

namespace talus {

namespace {

constexpr int most_repeats = 12;
constexpr double small_change = 1e-13; // of the largest acceleration

class Newmark final : public StepIntegrator {
    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        place_ = motion.place;
        velocity_ = motion.velocity;
        angle_ = motion.angle;
        spin_ = motion.spin;
        first_ = motion.acceleration;
        first_turning_ = motion.turning;
        for (int repeat = 0; repeat < most_repeats; ++repeat) {
            last_ = motion.acceleration;
            last_turning_ = motion.turning;
            move(motion, h);
            accelerations.find(h, Accelerations::Moment::within);
            if (repeat > 0 && is_settled(motion)) break;
        }
        move(motion, h);
        accelerations.find(h, Accelerations::Moment::end);
    }

    void move(Motion& motion, double h)
    {
        for_numbers(motion, [&](std::size_t i) {
            const double gained = 0.5 * h * (first_[i] + motion.acceleration[i]);
            const double spun = 0.5 * h * (first_turning_[i] + motion.turning[i]);
            motion.place[i] = place_[i] + h * (velocity_[i] + 0.5 * gained);
            motion.velocity[i] = velocity_[i] + gained;
            motion.angle[i] = angle_[i] + h * (spin_[i] + 0.5 * spun);
            motion.spin[i] = spin_[i] + spun;
        });
    }

    bool is_settled(const Motion& motion) const
    {
        struct Largest {
            double change = 0, turning_change = 0, size = 0, turning_size = 0;
        };
        const Largest largest = parallel_reduce(
            motion.place.size(), Largest{},
            [&](std::size_t i) {
                return Largest{std::abs(motion.acceleration[i] - last_[i]),
                               std::abs(motion.turning[i] - last_turning_[i]), std::abs(motion.acceleration[i]),
                               std::abs(motion.turning[i])};
            },
            [](const Largest& a, const Largest& b) {
                return Largest{std::max(a.change, b.change), std::max(a.turning_change, b.turning_change),
                               std::max(a.size, b.size), std::max(a.turning_size, b.turning_size)};
            });
        return largest.change <= small_change * largest.size &&
               largest.turning_change <= small_change * largest.turning_size;
    }

    LaneColumn place_, velocity_, angle_, spin_, first_, first_turning_; // where the step began
    LaneColumn last_, last_turning_;                                     // accelerations of the last repeat
};

} // namespace

IntegratorKind newmark()
{
    return {"newmark", "implicit, with the mean acceleration of the step", made_integrator<Newmark>, 2, 4};
}

} // namespace talus
