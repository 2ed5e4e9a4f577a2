#include "talus/drivers/driver_kind.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

// Writes velocities of imposed degrees of freedom while it acts, zero outside its interval.
template <int D>
class ImposedMotion : public Driver<D> {
  public:
    ImposedMotion(const scene::Value& driver, BodyList named) : acting_(driver), named_(std::move(named)) {}
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock& clock) final
    {
        const bool acts = acting_.contains(clock);
        const Vec<D> velocity = acts ? mean_velocity(clock) : Vec<D>(Vec<D>::Zero());
        const Ang<D> spin = acts ? mean_spin(clock) : Ang<D>(Ang<D>::Zero());
        for (const std::int32_t i : named_) {
            for (int axis = 0; axis < D; ++axis) {
                if (bodies.is_imposed(i, axis)) bodies.velocity[i][axis] += velocity[axis];
            }
            for (int axis = 0; axis < angular<D>; ++axis) {
                if (bodies.is_imposed(i, D + axis)) bodies.spin[i][axis] += spin[axis];
            }
        }
    }
    std::span<const BodyId> acts_on() const final { return named_.ids(); }
    void find_bodies(const BodyTable<D>& bodies) final { named_.find(bodies); }
    void release(BodyTable<D>& bodies) final
    {
        for (const std::int32_t i : named_) {
            for (int axis = 0; axis < D; ++axis) {
                if (bodies.is_imposed(i, axis)) bodies.velocity[i][axis] = 0;
            }
            for (int axis = 0; axis < angular<D>; ++axis) {
                if (bodies.is_imposed(i, D + axis)) bodies.spin[i][axis] = 0;
            }
        }
    }

  protected:
    virtual Vec<D> mean_velocity(const Clock& clock) const = 0;
    virtual Ang<D> mean_spin(const Clock&) const { return Ang<D>::Zero(); }
    double from() const { return acting_.from; }

  private:
    ActingTime acting_;
    BodyList named_;
};

template <int D>
class Velocity final : public ImposedMotion<D> {
  public:
    Velocity(const scene::Value& driver, BodyList named)
        : ImposedMotion<D>(driver, std::move(named)), velocity_(vector_of<D>(driver.at("velocity"))),
          spin_(angular_of<D>(driver.at("spin")))
    {
    }

    bool holds_for_step() const override { return true; }
    double top_speed() const override { return velocity_.norm(); }

  private:
    Vec<D> mean_velocity(const Clock&) const override { return velocity_; }
    Ang<D> mean_spin(const Clock&) const override { return spin_; }
    Vec<D> velocity_; // [m/s]
    Ang<D> spin_;     // [rad/s]
};

// x(t) = amplitude · sin(2πf(t − from) + phase), followed exactly at the ends of the steps.
template <int D>
class Vibration final : public ImposedMotion<D> {
  public:
    Vibration(const scene::Value& driver, BodyList named)
        : ImposedMotion<D>(driver, std::move(named)), amplitude_(vector_of<D>(driver.at("amplitude"))),
          frequency_(driver.at("frequency").number()), phase_(driver.at("phase").number())
    {
    }
    double frequency() const override { return frequency_; }
    double top_speed() const override { return 2 * M_PI * frequency_ * amplitude_.norm(); }

  private:
    Vec<D> mean_velocity(const Clock& clock) const override
    {
        const auto place = [&](double time) {
            return std::sin(2 * M_PI * frequency_ * (time - this->from()) + phase_);
        };
        return amplitude_ * ((place(clock.time() + clock.dt) - place(clock.time())) / clock.dt);
    }
    Vec<D> amplitude_; // [m]
    double frequency_, phase_;
};

} // namespace

DriverKind velocity_driver()
{
    using namespace scene;
    return driver_kind<Velocity>("velocity", "the velocity of a body",
                                 {driven_body(), vector("velocity", "imposed").in("m/s").otherwise_zero(),
                                  rotation("spin", "imposed").in("rad/s").otherwise_zero()});
}

DriverKind vibration_driver()
{
    using namespace scene;
    return driver_kind<Vibration>(
        "vibration", "the motion amplitude × sin(2π frequency t + phase) of a body about its place",
        {driven_body(), vector("amplitude", "largest displacement").in("m").required(),
         number("frequency", "periods per second").in("Hz").above(0).required(), phase_of_sine()});
}

} // namespace talus
