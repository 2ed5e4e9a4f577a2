// The prepared sample of a scene's track: found, compared with the scene, or made (BALLAST annexe A).
#pragma once

#include "talus/simulation/run.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace talus::io {

// Who makes a sample: what is told, what looks on, what ends it.
struct SampleMaker {
    std::string command_line;
    std::function<void(const std::string&)> say = [](const std::string&) {}; // a line for the user
    std::function<void(Run<3>&)> attach = [](Run<3>&) {};                    // observers of each stage
    std::function<int()> signal = [] { return 0; };                          // other than 0: stop
};

// Where the scene's sample lies, or will.
std::filesystem::path sample_folder(const scene::Value& scene);
// true where it is there and was made to the end
bool is_prepared(const std::filesystem::path& sample);

// InputError, by key, where the sample that is there was made for something else.
void refuse_other_sample(const scene::Value& scene);

// Makes it where it is missing: deposit, rest, carve, insert, relax. Returns 0, or the exit status of the stage that
// did not come to its end.
int prepare_sample(const scene::Value& scene, const SampleMaker& maker);

// The scene starts with its sample, and its gauges lie where the sleepers came to rest.
void begin_with_sample(scene::Value& scene);

} // namespace talus::io
