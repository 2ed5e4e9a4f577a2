// Wind: the same force on every body that can move.
#include "talus/drivers/driver_kind.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

template <int D>
class Wind final : public Driver<D> {
  public:
    explicit Wind(const scene::Value& driver) : acting_(driver), force_(vector_of<D>(driver.at("force"))) {}
    void load(BodyTable<D>& bodies, const TimeSpan& during) override
    {
        if (!acting_.contains(during)) return;
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (!bodies.is_passive(i)) bodies.force[i] += force_;
        });
    }

  private:
    ActingTime acting_;
    Vec<D> force_; // [N]
};

} // namespace

DriverKind wind_driver()
{
    return driver_kind<Wind>("wind", "a force on every body",
                             {scene::vector("force", "of the wind").in("N").required()});
}

} // namespace talus
