#include "talus/drivers/driver_kind.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

// Weight: force = mass × acceleration.
template <int D>
class Gravity final : public Driver<D> {
  public:
    explicit Gravity(const scene::Value& driver)
        : acting_(driver), acceleration_(vector_of<D>(driver.at("acceleration")))
    {
    }
    void load(BodyTable<D>& bodies, const TimeSpan& during) override
    {
        if (!acting_.contains(during)) return;
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
        return acting_.is_always() ? Vec<D>(bodies.mass[i] * acceleration_) : Vec<D>(Vec<D>::Zero());
    }

    bool holds_for_step() const override { return true; }

  private:
    ActingTime acting_;
    Vec<D> acceleration_; // [m/s²]
};

} // namespace

DriverKind gravity_driver()
{
    using namespace scene;
    return driver_kind<Gravity>("gravity", "weight of all free bodies",
                                {vector("acceleration", "of gravity")
                                     .in("m/s^2")
                                     .otherwise(Value::numbers({0, -9.81}), Value::numbers({0, 0, -9.81}))});
}

} // namespace talus
