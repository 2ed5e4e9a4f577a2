#include "talus/drivers/driver_kind.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

// Linear drag of a surrounding medium on every free body: −c v/(1 + c h/m), which by itself is v⁺ = v/(1 + c h/m).
// −c v would overshoot where c h > m, and grow where c h > 2 m.
template <int D>
class Drag final : public Driver<D> {
  public:
    explicit Drag(const scene::Value& driver)
        : acting_(driver), coefficient_(driver.at("coefficient").number()),
          rotational_(driver.at("rotational").number())
    {
    }
    void load(BodyTable<D>& bodies, const TimeSpan& during) override
    {
        if (!acting_.contains(during)) return;
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (bodies.is_passive(i)) return;
            const double dt = during.length;
            const Vec<D> slowing = (coefficient_ * dt * inverse_mass(bodies, i)).array() + 1;
            bodies.force[i] -= coefficient_ * bodies.velocity[i].cwiseQuotient(slowing);
            if (rotational_ == 0) return;
            const AngMat<D> turning = AngMat<D>::Identity() + rotational_ * dt * inverse_inertia(bodies, i);
            bodies.torque[i] -= rotational_ * (turning.inverse() * bodies.spin[i]);
        });
    }

  private:
    ActingTime acting_;
    double coefficient_; // [kg/s]
    double rotational_;  // [kg m²/s]
};

} // namespace

DriverKind drag_driver()
{
    using namespace scene;
    return driver_kind<Drag>("drag",
                             "a force -coefficient × velocity and a torque -rotational × spin on all free bodies",
                             {number("coefficient", "force per velocity").in("kg/s").at_least(0).required(),
                              number("rotational", "torque per spin").in("kg m^2/s").at_least(0).otherwise_zero()});
}

} // namespace talus
