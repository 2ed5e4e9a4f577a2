// The drivers a scene can name: their keys, and how they are made from their table.
#pragma once

#include "talus/drivers/driver_kind.hpp"

namespace talus {

scene::Key drivers_schema();

// `driver` is one validated entry of [[drivers]]; `named` the bodies that it names.
template <int D>
std::unique_ptr<Driver<D>> make_driver(const scene::Value& driver, const NamedBodies& named);

} // namespace talus
