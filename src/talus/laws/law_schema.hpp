// The keys of materials and of contact laws in a scene, and the presets.
#pragma once

#include "talus/scene/schema.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace talus {

scene::Key materials_schema();
scene::Key contact_schema();

// In kg/m^3; in 2D the same figure stands for a thickness of 1 m. Nothing for an unknown preset.
std::optional<double> preset_density(std::string_view preset);

// What defaults of single keys cannot say: the density of a preset, and what a pair takes from [contact].
std::vector<Mistake> complete_laws(scene::Value& root);

} // namespace talus
