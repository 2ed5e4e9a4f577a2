// Random scenes keep the claims of docs/fuzzing.md; scenes that once broke one keep them ever since.
#include "fuzz/run_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace talus::fuzz {
namespace {

Trial expect_all_claims(std::uint64_t seed)
{
    Trial trial = try_seed(seed);
    for (const std::string& fault : trial.verdict.faults) {
        ADD_FAILURE() << "seed " << seed << ", " << fault << "\nthe scene is in " << trial.file << ":\n"
                      << trial.scene.toml;
    }
    return trial;
}

constexpr int seeds_of_a_test = 10; // two or three seconds

class Fuzz : public testing::TestWithParam<int> {};

TEST_P(Fuzz, ClaimsHoldForRandomScenes)
{
    const std::uint64_t first = 1 + std::uint64_t(GetParam()) * seeds_of_a_test;
    for (std::uint64_t seed = first; seed < first + seeds_of_a_test; ++seed) expect_all_claims(seed);
}
INSTANTIATE_TEST_SUITE_P(Seeds, Fuzz, testing::Range(0, 24));

// The seeds that scripts/fuzz asks for, with a line of a table for each.
TEST(FuzzMore, ClaimsHoldForTheSeedsAskedFor)
{
    const char* asked = std::getenv("TALUS_FUZZ");
    if (!asked) GTEST_SKIP() << "TALUS_FUZZ=\"FIRST COUNT STRIDE TABLE\" asks for seeds; see scripts/fuzz";
    std::istringstream words(asked);
    std::uint64_t first = 1, count = 1, stride = 1;
    std::string file;
    words >> first >> count >> stride >> file;
    std::ofstream table(file);
    for (std::uint64_t k = 0; k < count; ++k) table << expect_all_claims(first + k * stride).row() << std::endl;
}

// A scene that is being reduced.
TEST(FuzzMore, ClaimsHoldForTheFileAskedFor)
{
    const char* file = std::getenv("TALUS_FUZZ_FILE");
    if (!file) GTEST_SKIP() << "TALUS_FUZZ_FILE names a scene";
    for (const std::string& fault : try_file(file).faults) ADD_FAILURE() << fault;
}

std::vector<std::filesystem::path> kept_scenes()
{
    const std::filesystem::path folder = std::filesystem::path(TALUS_SCENES).parent_path() / "tests/fuzz/kept";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    std::ranges::sort(files); // a folder has no order of its own
    return files;
}

class KeptScene : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(KeptScene, KeepsAllClaims)
{
    for (const std::string& fault : try_file(GetParam()).faults) ADD_FAILURE() << fault;
}
INSTANTIATE_TEST_SUITE_P(Kept, KeptScene, testing::ValuesIn(kept_scenes()), [](const auto& file) {
    std::string name = file.param.stem().string(); // what it showed
    std::ranges::replace(name, '-', '_');
    return name;
});

} // namespace
} // namespace talus::fuzz
