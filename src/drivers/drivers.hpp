// The drivers a scene can name, and the registry that makes them from their table.
#pragma once

#include "drivers/driver.hpp"
#include "scene/value.hpp"

#include <memory>

namespace talus {

// The bodies a driver acts on.
using BodyList = std::vector<std::int32_t>;

// `driver` is one validated entry of [[drivers]]; `named` the bodies that its `body` key stands for.
template <int D>
std::unique_ptr<Driver<D>> make_driver(const scene::Value& driver, const BodyList& named);

} // namespace talus
