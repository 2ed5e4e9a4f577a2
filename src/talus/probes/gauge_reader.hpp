// Gauges from a scene.
#pragma once

#include "talus/probes/gauge.hpp"
#include "talus/scene/value.hpp"

#include <functional>

namespace talus {

// The body of this name; InputError where it is none, or several.
using FindBody = std::function<BodyId(const scene::Value& name)>;

// One entry of [[gauges]], complete; `bodies` are those of the start.
template <int D>
Gauge<D> read_gauge(const scene::Value& entry, const BodyTable<D>& bodies, const FindBody& find_body, double dt);

} // namespace talus
