#include "talus/drivers/driver_kind.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

// A box through which bodies leave the run: those whose centre lies in it when a step begins. What is fixed or driven
// in all its freedoms stays.
template <int D>
class Outlet final : public Driver<D> {
  public:
    explicit Outlet(const scene::Value& driver)
        : acting_(driver), lower_(vector_of<D>(driver.at("lower"))), upper_(vector_of<D>(driver.at("upper")))
    {
    }
    void let_go(const BodyTable<D>& bodies, const Clock& clock, std::vector<std::uint8_t>& leaves) override
    {
        if (!acting_.contains(clock)) return;
        parallel_for(bodies.size(), [&](std::size_t i) {
            const auto& place = bodies.position[i].array();
            const bool is_inside = (place >= lower_.array()).all() && (place <= upper_.array()).all();
            if (is_inside && !bodies.is_passive(i)) leaves[i] = 1;
        });
    }

    bool holds_for_step() const override { return true; }

  private:
    ActingTime acting_;
    Vec<D> lower_, upper_; // [m]
};

} // namespace

DriverKind outlet_driver()
{
    using namespace scene;
    return driver_kind<Outlet>("outlet", "free bodies leave the run when their centre is in the box",
                               {vector("lower", "corner of the box").in("m").required(),
                                vector("upper", "opposite corner").in("m").required()});
}

} // namespace talus
