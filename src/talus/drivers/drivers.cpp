#include "talus/drivers/drivers.hpp"

namespace talus {

// One line per kind.
std::vector<DriverKind>& driver_kinds()
{
    static std::vector<DriverKind> kinds = {
        gravity_driver(), force_driver(),        velocity_driver(), vibration_driver(), drag_driver(),
        outlet_driver(),  social_force_driver(), dipoles_driver(),  charges_driver(),   gravitation_driver(),
    };
    return kinds;
}

scene::Key drivers_schema()
{
    using namespace scene;
    return tables("drivers", "What the experimenter imposes.",
                  {text("name", "of the driver"), number("from", "when it begins").in("s").at_least(0).otherwise_zero(),
                   number("until", "when it ends; \"auto\": with the run").in("s").at_least(0).automatic()})
        .varying_by("type", variants_of(driver_kinds()))
        .otherwise(Value(Value::List{}));
}

template <int D>
std::unique_ptr<Driver<D>> make_driver(const scene::Value& driver, const NamedBodies& named)
{
    const DriverKind* kind = scene::find_kind(driver_kinds(), driver.at("type").text()); // the schema has seen to it
    return kind->maker<D>()(driver, named);
}

template std::unique_ptr<Driver<2>> make_driver(const scene::Value&, const NamedBodies&);
template std::unique_ptr<Driver<3>> make_driver(const scene::Value&, const NamedBodies&);

} // namespace talus
