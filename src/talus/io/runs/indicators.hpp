// The readings of gauges in JSON.
#pragma once

#include "talus/io/files/json_writer.hpp"
#include "talus/simulation/gauge_lines.hpp"

namespace talus::io {

// Its entries in an open object, and the regime where there is an inertial number.
void write_reading(JsonWriter& json, const Reading& reading);

} // namespace talus::io
