// From a seed or a scene file to a verdict.
#pragma once

#include "fuzz/claims.hpp"
#include "fuzz/random_scene.hpp"

#include <filesystem>

namespace talus::fuzz {

struct Trial {
    std::uint64_t seed = 0;
    RandomScene scene;
    Verdict verdict;
    double seconds = 0;
    std::filesystem::path file; // where the scene was written

    std::string row() const; // of a table: words separated by tabs
};

// The scene of a seed. It is written to a folder of its own under $TALUS_FUZZ_FOLDER, or the system's folder for such
// files, and taken away again where all claims hold.
Trial try_seed(std::uint64_t seed);

// A scene in a file, likewise.
Verdict try_file(const std::filesystem::path& file);

} // namespace talus::fuzz
