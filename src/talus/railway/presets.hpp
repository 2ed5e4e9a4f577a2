// Named defaults of [machine] and [track]: what a scene takes from a document by naming it. A preset stands for keys
// that the scene does not write; what it writes itself counts.
#pragma once

#include "talus/scene/schema.hpp"

#include <string>
#include <vector>

namespace talus {

scene::Key machine_schema();
scene::Key track_preset_key();
// One line per value, with its source: markdown, for the scene reference.
std::string track_preset_table();

// Writes what the presets named give into the scene, before it is validated. Takes any tree.
void apply_presets(scene::Value& root);

// What is wrong about [machine] in a validated scene.
std::vector<Mistake> machine_problems(const scene::Value& root);

// A value that a preset of this scene gives, as it stands there after all.
struct PresetValue {
    std::string section; // "machine" or "track"
    std::string preset;
    std::string key;    // dotted, such as operations[0].squeeze_time
    std::string given;  // by the preset: "1.2 s"
    std::string source; // where it is printed
    bool is_kept;       // false: the scene has another
    std::string stands; // what counts: "0.8 s"
};
std::vector<PresetValue> preset_values(const scene::Value& root);

} // namespace talus
