// Scene files: TOML in, the value tree out, and back. What is no scene at all (unreadable, not UTF-8, not TOML) is an
// InputError with line and column; whether the keys make sense is the schema's affair.
#pragma once

#include "talus/scene/value.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace talus::io {

scene::Value read_scene(const std::filesystem::path& file);
scene::Value parse_scene(std::string text, std::string file_name);

// Each "key.path=value", such as scene.dt=1e-3 or bodies[0].radius="5 mm"; missing tables are created. What is no TOML
// value counts as text: bodies[0].radius=5 mm. InputError with every assignment that failed, the tree unchanged then.
void apply_overrides(scene::Value& root, const std::vector<std::string>& assignments);

// The tree as TOML; reading it back gives the same tree.
std::string to_toml(const scene::Value& root);

} // namespace talus::io
