// Lesson 1: a scene, a run, a reading. Polygons are poured on a rough floor; how steep is the pile?
#include <talus/talus.hpp>

#include <cstdio>

int main()
try {
    talus::Scene<2> scene{.name = "pile", .dt = 1e-3, .duration = 6, .until = "rest"};
    const auto stone = scene.materials.add({.name = "stone", .density = 2700});
    scene.contact.law.friction = 0.6;
    for (int k = -30; k <= 30; ++k) { // the floor: a row of fixed disks
        scene.bodies.push_back({.shape = talus::shape::Disk{.radius = 0.008},
                                .material = stone,
                                .position = {0.016 * k, -0.008},
                                .motion = "fixed"});
    }
    scene.generators.push_back(talus::generator::Feeder{.lower = {-0.02, 0.2},
                                                        .upper = {0.02, 0.24},
                                                        .grains = {.shape = "polygon", .size = {0.008, 0.012}},
                                                        .rate = 120,
                                                        .count = 200,
                                                        .material = stone});
    scene.drivers.push_back(talus::driver::Gravity{});
    scene.gauges.push_back(talus::gauge::Box{.name = "heart", .lower = {-0.05, 0}, .upper = {0.05, 0.04}});

    talus::Run<2> run(scene); // checks the scene: the same errors as a file gets
    const talus::RunEnd end = run.advance();
    double top = 0, foot = 0; // [m]
    const auto& bodies = run.state().bodies;
    for (std::size_t i = scene.bodies.size(); i < bodies.size(); ++i) {
        top = std::max(top, bodies.position[i].y());
        foot = std::max(foot, std::abs(bodies.position[i].x()));
    }
    std::printf("%s after %.2f s: %.0f mm high, %.0f mm from the axis to the foot, compacity %.3f\n",
                end.reason.c_str(), run.time(), 1e3 * top, 1e3 * foot, run.reading("heart")["compacity"].value_or(0));
    return end.status;
} catch (const talus::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
