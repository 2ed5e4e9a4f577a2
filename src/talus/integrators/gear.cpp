// Gear's predictor and corrector with the fourth derivative (Allen and Tildesley, "Computer simulation of liquids",
// app. E): a Taylor series to x⁗, the acceleration there, and all derivatives corrected by its error. The coefficients
// are those for forces that depend on velocities too.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

constexpr double on_place = 19.0 / 90, on_velocity = 3.0 / 4, on_third = 1.0 / 2, on_fourth = 1.0 / 12;

class Gear final : public StepIntegrator {
  public:
    std::vector<LaneColumn*> memory() override { return {&third_, &fourth_, &turning_third_, &turning_fourth_}; }

  private:
    struct Series { // of one coordinate
        double *place, *velocity, *acceleration, *third, *fourth, *predicted;
        void predict(std::size_t i, double h) const
        {
            const double v = velocity[i], a = acceleration[i], b = third[i], c = fourth[i];
            place[i] += h * (v + h / 2 * (a + h / 3 * (b + h / 4 * c)));
            velocity[i] += h * (a + h / 2 * (b + h / 3 * c));
            predicted[i] = a + h * (b + h / 2 * c);
            third[i] += h * c;
        }
        void correct(std::size_t i, double h) const
        {
            const double error = 0.5 * h * h * (acceleration[i] - predicted[i]); // of h²/2 x″
            place[i] += on_place * error;
            velocity[i] += on_velocity * error / h;
            third[i] += on_third * 6 * error / (h * h * h);
            fourth[i] += on_fourth * 24 * error / (h * h * h * h);
        }
    };

    // Third and fourth derivatives from accelerations one and two steps ahead, as a Taylor series foresees them: first
    // with the second derivative alone, then with the third that this gives.
    void start(Motion& motion, double h, Accelerations& accelerations)
    {
        for (LaneColumn* column : memory()) column->assign(motion.place.size(), 0);
        const Motion before = motion;
        LaneColumn ahead, turning_ahead; // accelerations at h
        const auto look_ahead = [&](double time) {
            motion = before;
            for_numbers(motion, [&](std::size_t i) {
                const double a = before.acceleration[i], b = before.turning[i];
                motion.place[i] += time * (before.velocity[i] + time / 2 * (a + time / 3 * third_[i]));
                motion.angle[i] += time * (before.spin[i] + time / 2 * (b + time / 3 * turning_third_[i]));
                motion.velocity[i] += time * (a + time / 2 * third_[i]);
                motion.spin[i] += time * (b + time / 2 * turning_third_[i]);
            });
            accelerations.find(time, Accelerations::Moment::within);
        };
        look_ahead(h);
        for_numbers(motion, [&](std::size_t i) {
            third_[i] = (motion.acceleration[i] - before.acceleration[i]) / h;
            turning_third_[i] = (motion.turning[i] - before.turning[i]) / h;
        });
        look_ahead(h);
        ahead = motion.acceleration;
        turning_ahead = motion.turning;
        look_ahead(2 * h);
        for_numbers(motion, [&](std::size_t i) {
            const double a0 = before.acceleration[i], a1 = ahead[i], a2 = motion.acceleration[i];
            const double b0 = before.turning[i], b1 = turning_ahead[i], b2 = motion.turning[i];
            third_[i] = (4 * a1 - a2 - 3 * a0) / (2 * h);
            turning_third_[i] = (4 * b1 - b2 - 3 * b0) / (2 * h);
            fourth_[i] = (a2 - 2 * a1 + a0) / (h * h);
            turning_fourth_[i] = (b2 - 2 * b1 + b0) / (h * h);
        });
        motion = before;
    }

    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        if (third_.size() != motion.place.size()) start(motion, h, accelerations);
        predicted_.resize(motion.place.size());
        turning_predicted_.resize(motion.place.size());
        const Series series[] = {{motion.place.data(), motion.velocity.data(), motion.acceleration.data(),
                                  third_.data(), fourth_.data(), predicted_.data()},
                                 {motion.angle.data(), motion.spin.data(), motion.turning.data(), turning_third_.data(),
                                  turning_fourth_.data(), turning_predicted_.data()}};
        for_numbers(motion, [&](std::size_t i) {
            for (const Series& one : series) one.predict(i, h);
        });
        accelerations.find(h, Accelerations::Moment::end);
        for_numbers(motion, [&](std::size_t i) {
            for (const Series& one : series) one.correct(i, h);
        });
    }

    LaneColumn third_, fourth_, turning_third_, turning_fourth_; // derivatives
    LaneColumn predicted_, turning_predicted_;                   // scratch, kept to reuse its memory
};

} // namespace

IntegratorKind gear()
{
    return {"gear", "predictor and corrector with the fourth derivative", made_integrator<Gear>, 4};
}

} // namespace talus
