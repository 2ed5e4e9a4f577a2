// The prepared sample of a scene's track: found, compared with the scene, or made (BALLAST annexe A).
#pragma once

#include "scene/value.hpp"

#include <filesystem>
#include <string>

struct SampleOptions {
    bool quiet = false;
    std::string command_line;
};

// Where the scene's sample lies, or will.
std::filesystem::path sample_folder(const talus::scene::Value& scene);
// true where it is there and was made to the end
bool is_prepared(const std::filesystem::path& sample);

// InputError, by key, where the sample that is there was made for something else.
void refuse_other_sample(const talus::scene::Value& scene);

// Makes it where it is missing: deposit, rest, carve, insert, relax. Returns 0, or the exit status of the stage that
// did not come to its end.
int prepare_sample(const talus::scene::Value& scene, const SampleOptions& options);

// The scene starts with its sample, and its gauges lie where the sleepers came to rest.
void begin_with_sample(talus::scene::Value& scene);
