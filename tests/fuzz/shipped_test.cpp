// Scenes that Talus ships, at other sizes and seeds than theirs, to their ends: all claims of docs/fuzzing.md hold.
#include "fuzz/claims.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

namespace talus::fuzz {
namespace {

// Few spheres in a wide box come to rest in its corners, where their impulses decay for a thousand steps: with 100,
// 300, 500 and 1000 of them the squares of those vanished, and what they divided was not a number.
TEST(ShippedScene, BoxesOfFewSpheresKeepAllClaims)
{
    for (const char* name : {"moreau/box-of-spheres", "moreau/fall"}) {
        for (const int count : {100, 300}) {
            for (const int seed : {1, 2}) {
                auto simulation = library_simulation<3>(
                    name, {fmt::format("generators[1].count={}", count), fmt::format("scene.seed={}", seed)});
                const Verdict verdict = judge(simulation, int(std::lround(1.0 / simulation.clock.dt)));
                for (const std::string& fault : verdict.faults) {
                    ADD_FAILURE() << fmt::format("{}, {} spheres, seed {}: {}", name, count, seed, fault);
                }
            }
        }
    }
}

} // namespace
} // namespace talus::fuzz
