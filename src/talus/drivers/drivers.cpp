#include "talus/drivers/drivers.hpp"

#include <algorithm>

namespace talus {

// The registry: one line per kind.
const std::vector<DriverKind>& driver_kinds()
{
    static const std::vector<DriverKind> kinds = {
        gravity_driver(), force_driver(), velocity_driver(), vibration_driver(), drag_driver(),
    };
    return kinds;
}

scene::Key drivers_schema()
{
    using namespace scene;
    std::vector<Variant> variants;
    for (const DriverKind& kind : driver_kinds()) variants.push_back({{kind.name, 0, {}}, kind.doc, kind.keys, {}, {}});
    return tables("drivers", "What the experimenter imposes.",
                  {text("name", "of the driver"), number("from", "when it begins").in("s").at_least(0).otherwise_zero(),
                   number("until", "when it ends; \"auto\": with the run").in("s").at_least(0).automatic()})
        .varying_by("type", std::move(variants))
        .otherwise(Value(Value::List{}));
}

namespace {

const DriverKind& kind_of_driver(const scene::Value& driver)
{
    return *std::ranges::find(driver_kinds(), driver.at("type").text(), &DriverKind::name); // the schema has seen to it
}

} // namespace

template <>
std::unique_ptr<Driver<2>> make_driver(const scene::Value& driver, const BodyList& named)
{
    return kind_of_driver(driver).make_2d(driver, named);
}
template <>
std::unique_ptr<Driver<3>> make_driver(const scene::Value& driver, const BodyList& named)
{
    return kind_of_driver(driver).make_3d(driver, named);
}

} // namespace talus
