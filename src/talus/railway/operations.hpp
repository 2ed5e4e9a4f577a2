// The operations a scene can name, and the registry that makes them from their table. An operation is a driver made of
// phases: it takes hold of degrees of freedom of sleepers and tools, and gives them back.
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/scene/schema.hpp"

#include <functional>
#include <memory>

namespace talus {

// All operations of a validated scene, in order; `find` gives the body of a name, −1 where there is none. InputError
// where a sleeper, a tool or a wall is missing. None in 2D.
using BodyFinder = std::function<BodyId(const std::string& name)>;
template <int D>
std::vector<std::unique_ptr<Driver<D>>> make_operations(const scene::Value& scene, const BodyFinder& find);
template <>
std::vector<std::unique_ptr<Driver<2>>> make_operations<2>(const scene::Value& scene, const BodyFinder& find);
template <>
std::vector<std::unique_ptr<Driver<3>>> make_operations<3>(const scene::Value& scene, const BodyFinder& find);

// What the schema offers under [[operations]].
std::vector<scene::Variant> operation_variants();

// When each begins and how long it takes at most [s].
struct OperationTime {
    double from, until;
};
std::vector<OperationTime> operation_times(const scene::Value& scene);

// [m] How deep the tools of a tamping operation dive below where they start, and whether a time or a depth says so.
double dive_depth(const scene::Value& tamping);
bool has_dive_time(const scene::Value& tamping);

} // namespace talus
