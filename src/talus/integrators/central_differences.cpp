// Central differences: x_{n+1} = 2 x_n − x_{n−1} + h² a_n. Forces get the velocity that the last three places give at
// their end, (3 x_n − 4 x_{n−1} + x_{n−2})/2h; what a run shows is v_n = (x_n − x_{n−1})/h + h/2 a_n. Second order.
#include "talus/integrators/integrator.hpp"

namespace talus {

namespace {

class CentralDifferences final : public StepIntegrator {
  public:
    std::vector<LaneColumn*> memory() override { return {&moved_, &turned_}; }

  private:
    // The displacement of the last step is h (v_n − h/2 a_n), so that places and velocities of the state say it all.
    void step(Motion& motion, double h, Accelerations& accelerations) override
    {
        if (moved_.size() != motion.place.size()) { // as if the acceleration had been the same before
            moved_.assign(motion.place.size(), 0);
            turned_.assign(motion.place.size(), 0);
            for_numbers(motion, [&](std::size_t i) {
                moved_[i] = h * (motion.velocity[i] - 0.5 * h * motion.acceleration[i]);
                turned_[i] = h * (motion.spin[i] - 0.5 * h * motion.turning[i]);
            });
        }
        for_numbers(motion, [&](std::size_t i) {
            const double moved = h * (motion.velocity[i] + 0.5 * h * motion.acceleration[i]);
            const double turned = h * (motion.spin[i] + 0.5 * h * motion.turning[i]);
            motion.place[i] += moved;
            motion.angle[i] += turned;
            motion.velocity[i] = (1.5 * moved - 0.5 * moved_[i]) / h;
            if (i % record_size != record_size - 1) motion.spin[i] = (1.5 * turned - 0.5 * turned_[i]) / h;
            moved_[i] = moved;
            turned_[i] = turned;
        });
        accelerations.find(h, Accelerations::Moment::end);
        for_numbers(motion, [&](std::size_t i) {
            motion.velocity[i] = moved_[i] / h + 0.5 * h * motion.acceleration[i];
            if (i % record_size != record_size - 1) motion.spin[i] = turned_[i] / h + 0.5 * h * motion.turning[i];
        });
    }
    LaneColumn moved_, turned_; // [m], [rad] in the last step
};

} // namespace

IntegratorKind central_differences()
{
    return {"central_differences", "places from the two before", made_integrator<CentralDifferences>};
}

} // namespace talus
