#include "talus/drivers/driver_kind.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

// A given force and torque on named bodies, constant or times sin(2πft + phase).
template <int D>
class Force final : public Driver<D> {
  public:
    Force(const scene::Value& driver, BodyList named)
        : acting_(driver), named_(std::move(named)), force_(vector_of<D>(driver.at("force"))),
          torque_(angular_of<D>(driver.at("torque"))), frequency_(driver.at("frequency").number()),
          phase_(driver.at("phase").number())
    {
    }
    void load(BodyTable<D>& bodies, const TimeSpan& during) override
    {
        if (!acting_.contains(during)) return;
        const double factor = frequency_ > 0 ? std::sin(2 * M_PI * frequency_ * during.middle() + phase_) : 1.0;
        for (const std::int32_t i : named_) {
            bodies.force[i] += factor * force_;
            bodies.torque[i] += factor * torque_;
        }
    }
    std::span<const BodyId> acts_on() const override { return named_.ids(); }
    void find_bodies(const BodyTable<D>& bodies) override { named_.find(bodies); }
    bool holds_for_step() const override { return frequency_ == 0; }
    double frequency() const override { return frequency_; }

  private:
    ActingTime acting_;
    BodyList named_;
    Vec<D> force_;  // [N]
    Ang<D> torque_; // [N m]
    double frequency_, phase_;
};

} // namespace

DriverKind force_driver()
{
    using namespace scene;
    return driver_kind<Force>("force", "a force and a torque on a body, constant or times sin(2π frequency t + phase)",
                              {driven_body(), vector("force", "amplitude of the force").in("N").otherwise_zero(),
                               rotation("torque", "amplitude of the torque").in("N m").otherwise_zero(),
                               number("frequency", "0: constant").in("Hz").at_least(0).otherwise_zero(),
                               phase_of_sine()});
}

} // namespace talus
