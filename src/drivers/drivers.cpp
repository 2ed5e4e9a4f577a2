#include "drivers/drivers.hpp"

#include "exec/parallel.hpp"
#include "sampling/vectors.hpp"

#include <limits>
#include <stdexcept>

namespace talus {

namespace {

// When a driver acts: at steps that begin in [from, until).
struct Interval {
    double from, until; // [s]
    explicit Interval(const scene::Value& driver)
        : from(driver.at("from").number()),
          until(driver.at("until").is_text() ? std::numeric_limits<double>::infinity() : driver.at("until").number())
    {
    }
    bool is_always() const { return from <= 0 && std::isinf(until); }
    // half a step of slack: k·dt and a time written in decimal must agree
    bool contains(const Clock& clock) const
    {
        return clock.time() >= from - 0.5 * clock.dt && clock.time() < until - 0.5 * clock.dt;
    }
};

// Weight: force = mass × acceleration.
template <int D>
class Gravity final : public Driver<D> {
  public:
    explicit Gravity(const scene::Value& driver)
        : interval_(driver), acceleration_(vector_of<D>(driver.at("acceleration")))
    {
    }
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock& clock) override
    {
        if (!interval_.contains(clock)) return;
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (!bodies.is_passive(i)) bodies.force[i] += bodies.mass[i] * acceleration_;
        });
    }
    double potential(const BodyTable<D>& bodies, std::size_t i) const override
    {
        return -field(bodies, i).dot(bodies.position[i]);
    }
    // weight that comes or goes is a load
    Vec<D> field(const BodyTable<D>& bodies, std::size_t i) const override
    {
        return interval_.is_always() ? Vec<D>(bodies.mass[i] * acceleration_) : Vec<D>(Vec<D>::Zero());
    }

  private:
    Interval interval_;
    Vec<D> acceleration_; // [m/s²]
};

// A given force and torque on named bodies, constant or times sin(2πft + phase).
template <int D>
class Force final : public Driver<D> {
  public:
    Force(const scene::Value& driver, BodyList named)
        : interval_(driver), named_(std::move(named)), force_(vector_of<D>(driver.at("force"))),
          torque_(angular_of<D>(driver.at("torque"))), frequency_(driver.at("frequency").number()),
          phase_(driver.at("phase").number())
    {
    }
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock& clock) override
    {
        if (!interval_.contains(clock)) return;
        const double middle = clock.time() + 0.5 * clock.dt;
        const double factor = frequency_ > 0 ? std::sin(2 * M_PI * frequency_ * middle + phase_) : 1.0;
        for (const std::int32_t i : named_) {
            bodies.force[i] += factor * force_;
            bodies.torque[i] += factor * torque_;
        }
    }
    double frequency() const override { return frequency_; }

  private:
    Interval interval_;
    BodyList named_;
    Vec<D> force_;  // [N]
    Ang<D> torque_; // [N m]
    double frequency_, phase_;
};

// Writes velocities of imposed degrees of freedom while it acts, zero outside its interval.
template <int D>
class ImposedMotion : public Driver<D> {
  public:
    ImposedMotion(const scene::Value& driver, BodyList named) : interval_(driver), named_(std::move(named)) {}
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock& clock) final
    {
        const bool acts = interval_.contains(clock);
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
    double from() const { return interval_.from; }

  private:
    Interval interval_;
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

// Linear drag of a surrounding medium on every free body: −c v/(1 + c h/m), which by itself is v⁺ = v/(1 + c h/m).
// −c v would overshoot where c h > m, and grow where c h > 2 m.
template <int D>
class Drag final : public Driver<D> {
  public:
    explicit Drag(const scene::Value& driver)
        : interval_(driver), coefficient_(driver.at("coefficient").number()),
          rotational_(driver.at("rotational").number())
    {
    }
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock& clock) override
    {
        if (!interval_.contains(clock)) return;
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (bodies.is_passive(i)) return;
            const double dt = clock.dt;
            const Vec<D> slowing = (coefficient_ * dt * inverse_mass(bodies, i)).array() + 1;
            bodies.force[i] -= coefficient_ * bodies.velocity[i].cwiseQuotient(slowing);
            if (rotational_ == 0) return;
            const AngMat<D> turning = AngMat<D>::Identity() + rotational_ * dt * inverse_inertia(bodies, i);
            bodies.torque[i] -= rotational_ * (turning.inverse() * bodies.spin[i]);
        });
    }

  private:
    Interval interval_;
    double coefficient_; // [kg/s]
    double rotational_;  // [kg m²/s]
};

} // namespace

template <int D>
std::unique_ptr<Driver<D>> make_driver(const scene::Value& driver, const BodyList& named)
{
    const std::string& type = driver.at("type").text();
    if (type == "gravity") return std::make_unique<Gravity<D>>(driver);
    if (type == "force") return std::make_unique<Force<D>>(driver, named);
    if (type == "velocity") return std::make_unique<Velocity<D>>(driver, named);
    if (type == "vibration") return std::make_unique<Vibration<D>>(driver, named);
    if (type == "drag") return std::make_unique<Drag<D>>(driver);
    throw std::logic_error("no driver of type " + type);
}

template std::unique_ptr<Driver<2>> make_driver(const scene::Value&, const BodyList&);
template std::unique_ptr<Driver<3>> make_driver(const scene::Value&, const BodyList&);

} // namespace talus
