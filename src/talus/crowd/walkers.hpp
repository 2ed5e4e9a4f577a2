// People with a will, and the exits through which they leave.
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/scene/value.hpp"

#include <memory>

namespace talus {

// Numbers first … first + count − 1 of the bodies that a name stands for.
struct NamedRange {
    std::string name;
    std::int32_t first, count;
};

// One driver for each of [[walkers]] and [[exits]] of a validated scene. InputError where a person has no way to any of
// their exits, or an exit is too narrow for them.
std::vector<std::unique_ptr<Driver<2>>> make_walkers(const scene::Value& scene, const BodyTable<2>& bodies,
                                                     const ShapeTable<2>& shapes, std::span<const NamedRange> groups);

} // namespace talus
