// Lesson 3: a program that looks at a gauge and decides. A box of disks is shaken, a burst at a time, until a burst no
// longer makes it denser; each burst is followed by a rest, in which the compacity is read.
#include <talus/talus.hpp>

#include <cstdio>

int main()
try {
    constexpr double period = 0.05, burst = 2 * period, pause = 0.15; // [s]
    talus::Scene<2> scene{.name = "shaken box", .dt = 4e-4, .duration = 10};
    const auto glass = scene.materials.add({.name = "glass", .preset = "glass"});
    scene.contact.law.friction = 0.3;
    scene.generators.push_back(talus::generator::Container{
        .name = "box", .lower = {0, 0}, .upper = {0.12, 0.3}, .open = {"top"}, .material = glass});
    scene.generators.push_back(talus::generator::Deposit{
        .lower = {0, 0}, .upper = {0.12, 0.3}, .grains = {.radius = {0.003, 0.004}}, .count = 350, .material = glass});
    scene.drivers.push_back(talus::driver::Gravity{});
    for (double from = pause; from < 10; from += burst + pause) {
        scene.drivers.push_back(talus::driver::Vibration{.body = "box.bottom",
                                                         .amplitude = {0, 1.5e-3},
                                                         .frequency = 1 / period,
                                                         .from = from,
                                                         .until = from + burst});
    }
    scene.gauges.push_back(talus::gauge::Box{.name = "heart", .lower = {0.02, 0.02}, .upper = {0.1, 0.08}});

    talus::Run<2> run(scene);
    run.observe(talus::run_folder(run, "out/shaken-box", talus::Existing::replace)); // talus view out/shaken-box
    run.advance_to(pause);
    double densest = run.measure("heart").at("compacity");
    std::printf("deposited: compacity %.4f\n", densest);
    for (int bursts = 1, idle = 0; idle < 3; ++bursts) {             // three bursts in vain are enough
        if (run.advance_to(pause + bursts * (burst + pause))) break; // the run's own end
        const double compacity = run.measure("heart").at("compacity");
        std::printf("burst %2d:   compacity %.4f\n", bursts, compacity);
        idle = compacity > densest + 5e-4 ? 0 : idle + 1;
        densest = std::max(densest, compacity);
    }
    const talus::RunEnd end = run.finish("shaking no longer helps");
    std::printf("%s: %.4f after %.2f s\n", end.reason.c_str(), densest, run.time());
    return end.status; // 0: done, 3: the run missed the quality it was asked for
} catch (const talus::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
