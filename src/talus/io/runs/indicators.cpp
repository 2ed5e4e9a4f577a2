#include "talus/io/runs/indicators.hpp"

#include "talus/probes/inertial_number.hpp"

namespace talus::io {

void write_reading(JsonWriter& json, const Reading& reading)
{
    for (std::size_t c = 0; c < reading.columns().size(); ++c) json.entry(reading.columns()[c], reading.values()[c]);
    if (const Maybe inertia = reading["inertial_number"]) json.entry("regime", regime_of(*inertia));
}

} // namespace talus::io
