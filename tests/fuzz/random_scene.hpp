// Random scenes that are valid by the schema: the same seed gives the same text on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace talus::fuzz {

struct RandomScene {
    int dimension = 2;
    std::string toml;
    std::vector<std::pair<std::string, std::string>> files; // name and text of the meshes it reads
    // what is in it, for tables
    std::string arena, grains, solver;
};

// `attempt` counts on where a scene had no room for its grains.
RandomScene random_scene(std::uint64_t seed, int attempt);

inline constexpr int steps_of_a_scene = 300;

} // namespace talus::fuzz
