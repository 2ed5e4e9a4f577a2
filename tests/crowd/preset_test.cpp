// The preset "weidmann" against experiments at small size, and NSM1 on every scene of a crowd.
#include "scenes_in_tests.hpp"

#include <filesystem>
#include <numbers>

namespace talus {
namespace {

// Mean velocity along the ring of RiMEA 4 from 15 s to 30 s.
double ring_speed(int count)
{
    Simulation<2> simulation = library_simulation<2>("crowd/rimea-4", {"generators[1].count=" + std::to_string(count)});
    double sum = 0, samples = 0;
    while (simulation.clock.time() < 30) {
        simulation.step();
        if (simulation.clock.time() < 15 || simulation.clock.step % 20 != 0) continue;
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            if (simulation.bodies.is_passive(i)) continue;
            const Vec<2>&x = simulation.bodies.position[i], &v = simulation.bodies.velocity[i];
            sum += (x.x() * v.y() - x.y() * v.x()) / x.norm();
            samples += 1;
        }
    }
    return sum / samples;
}

TEST(Preset, HasWeidmannsSpeedsAgainstDensity)
{
    const double area = std::numbers::pi * (7 * 7 - 4 * 4);               // [m²]
    EXPECT_NEAR(ring_speed(10), 1.34, 0.15);                              // nearly alone; ten draws of a spread of 0.26
    EXPECT_NEAR(ring_speed(int(std::lround(area))), 1.058, 0.15 * 1.058); // V35, 1 1/m²
    EXPECT_NEAR(ring_speed(int(std::lround(2 * area))), 0.606, 0.15 * 0.606); // 2 1/m²
}

double flow_through(double width, int seed)
{
    const std::string low = std::to_string(3 - width / 2), high = std::to_string(3 + width / 2);
    Simulation<2> simulation = library_simulation<2>(
        "crowd/bottleneck",
        {"generators[0].text=\"LINESTRING (12 0, 0 0, 0 6, 12 6) POLYGON ((12 -1, 13 -1, 13 " + low + ", 12 " + low +
             ", 12 -1)) POLYGON ((12 " + high + ", 13 " + high + ", 13 7, 12 7, 12 " + high + "))\"",
         "scene.seed=" + std::to_string(seed)});
    while (simulation.left.size() < 80 && simulation.clock.time() < 70) simulation.step();
    if (simulation.left.size() < 80) return 0;
    return 60 / (simulation.left[79].time - simulation.left[19].time);
}

TEST(Preset, FlowThroughABottleneckIsThatOfExperiments)
{
    constexpr int seeds = 4;     // the flow of one spreads by 4 %
    double narrow = 0, wide = 0; // [1/(m s)]
    for (int seed = 1; seed <= seeds; ++seed) {
        narrow += flow_through(1.2, seed) / 1.2 / seeds;
        wide += flow_through(2.4, seed) / 2.4 / seeds;
    }
    for (const double flow : {narrow, wide}) EXPECT_TRUE(flow > 1.2 && flow < 1.9) << flow;
    EXPECT_NEAR(narrow / wide, 1, 0.15); // linear in the width
}

std::vector<std::string> crowd_scenes()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(TALUS_SCENES) + "/crowd")) {
        if (entry.path().extension() == ".toml") names.push_back("crowd/" + entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

class EveryCrowd : public testing::TestWithParam<std::string> {};

// [m] the smallest gap after any step of a scene with fewer people
double worst_gap(const std::string& name, const std::string& method, int most, double until)
{
    scene::Value scene = io::read_scene(std::string(TALUS_SCENES) + "/" + name + ".toml");
    std::vector<std::string> sets = {"scene.method=\"" + method + "\""};
    const scene::Value* generators = scene.find("generators");
    for (std::size_t k = 0; generators && k < generators->list().size(); ++k) {
        const scene::Value* count = generators->list()[k].find("count");
        if (count && count->integer() > most) {
            sets.push_back("generators[" + std::to_string(k) + "].count=" + std::to_string(most));
        }
    }
    Simulation<2> simulation = assemble<2>(checked(scene, sets));
    const auto detector = make_detector<2>("linked_cells");
    double worst = 0;
    while (simulation.clock.time() < until) {
        EXPECT_TRUE(simulation.step().solve.reached) << simulation.clock.time();
        ContactTable<2> contacts;
        contacts.detect(simulation.bodies, simulation.shapes, *detector, 0.0);
        for (const double gap : contacts.gap) worst = std::min(worst, gap);
    }
    return worst;
}

TEST_P(EveryCrowd, NeverOverlapsWithNsm1) { EXPECT_GE(worst_gap(GetParam(), "nsm1", 60, 3), -1e-10); }

// Two people who run into each other at 1.5 m/s each come as near as the mean of their velocities before and after
// takes them in the step, 15 mm; no jam adds to that.
TEST_P(EveryCrowd, OverlapsWithNsm2ByNoMoreThanAStep) { EXPECT_GE(worst_gap(GetParam(), "nsm2", 150, 15), -0.015); }

INSTANTIATE_TEST_SUITE_P(Scenes, EveryCrowd, testing::ValuesIn(crowd_scenes()), [](const auto& scene) {
    std::string name = scene.param.substr(6);
    std::ranges::replace(name, '-', '_');
    return name;
});

} // namespace
} // namespace talus
