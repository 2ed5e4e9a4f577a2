#include "benchmarks/bench_memory.hpp"

#include "benchmarks/bench_scene.hpp"

#include <fmt/format.h>

#include <fstream>
#include <malloc.h>

namespace talus::bench {

namespace {

// [B] VmHWM of this process, and its reset to the present size (Linux)
double peak_resident()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word != "VmHWM:") continue;
        double kilobytes = 0;
        status >> kilobytes;
        return 1024 * kilobytes;
    }
    return 0;
}

void reset_peak()
{
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
}

} // namespace

void bench_memory(const Options& options, Report& report)
{
    const int side = options.quick ? 46 : 100;
    // a slightly squeezed lattice: every sphere touches its six neighbours
    const double extent = side * 0.01 + 1e-9;
    const std::string scene = fmt::format(R"(
        [scene]
        dimension = 3
        dt = 2e-4
        duration = 1
        [materials]
        glass = {{ preset = "glass" }}
        [[generators]]
        type = "container"
        lower = [0, 0, 0]
        upper = [{0}, {0}, {0}]
        material = "glass"
        [[generators]]
        type = "lattice"
        lower = [0, 0, 0]
        upper = [{0}, {0}, {0}]
        radius = 0.005
        spacing = 0.01
        material = "glass"
        [[drivers]]
        type = "gravity"
        [solver]
        stop = "sweeps"
        sweeps = 20
    )",
                                          extent);
    reset_peak();
    const double before = peak_resident();
    Simulation<3> simulation = simulation_of_text<3>(scene);
    StepReport last;
    for (int step = 0; step < 5; ++step) last = simulation.step(); // bare steps: nothing but their memory
    const double bodies = double(simulation.bodies.size()), contacts = double(last.contacts);
    const double peak = peak_resident();
    const double allowed = 1000 * bodies + 400 * contacts;
    const std::string name = fmt::format("3d/spheres/{}", simulation.bodies.size());
    report.say(fmt::format("{:.0f} contacts; {:.0f} MB were resident before", contacts, before / 1e6));
    report.add(name, "peak_resident", peak, "B");
    report.add(name, "allowed", allowed, "B"); // 1 kB a body and 400 B a contact
    report.add(name, "share_of_allowed", peak / allowed, "");
    report.add(name, "bytes_per_body", (peak - before) / bodies, "B");
    report.add(
        name, "ms_per_step",
        1e3 *
            [&] {
                double total = 0;
                for (const double seconds : last.seconds) total += seconds;
                return total;
            }(),
        "ms");
}

} // namespace talus::bench
