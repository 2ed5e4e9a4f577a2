#include "benchmarks/bench_gauges.hpp"

#include "benchmarks/polyhedra_sample.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/io/runs/indicators.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus::bench {

namespace {

// Ten gauges that cover the sample: eight boxes side by side, a sphere and a cylinder across them.
void add_gauges(Simulation<3>& simulation)
{
    const Snapshot<3> snapshot = simulation.snapshot();
    const Bounds<3> all = View<3>::of_sample(snapshot).region.bounds();
    const Vec<3> middle = 0.5 * (all.lower + all.upper), size = all.upper - all.lower;
    simulation.gauges.clear();
    for (int k = 0; k < 8; ++k) {
        Vec<3> lower = all.lower, upper = all.upper;
        lower[0] = all.lower[0] + size[0] * (k % 4) / 4;
        upper[0] = lower[0] + size[0] / 4;
        (k < 4 ? upper : lower)[1] = middle[1];
        simulation.gauges.push_back(Gauge<3>::box(fmt::format("box {}", k), lower, upper));
    }
    const double radius = 0.4 * size.minCoeff();
    simulation.gauges.push_back(Gauge<3>::in("sphere", Region<3>::ball(middle, radius)));
    simulation.gauges.push_back(
        Gauge<3>::in("cylinder", Region<3>::cylinder(middle, Vec<3>::Unit(2), radius, size[2])));
}

} // namespace

void bench_gauges(const Options& options, Report& report)
{
    const int tiles_x = options.quick ? 1 : 5, tiles_y = options.quick ? 1 : 2;
    Simulation<3> simulation = polyhedra_sample(tiles_x, tiles_y);
    add_gauges(simulation);
    std::size_t grains = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) grains += !simulation.bodies.is_passive(i);
    double step = 1e30, measuring = 1e30; // [s] best of several
    for (int k = 0; k < 8; ++k) {         // bare steps: a run would measure gauges in them
        Stopwatch watch;
        simulation.step();
        const double stepped = watch.lap();
        measure_gauges(simulation);
        const double measured = watch.lap();
        if (k < 2) continue; // the first steps find the neighbours
        step = std::min(step, stepped);
        measuring = std::min(measuring, measured);
    }
    const std::string path = fmt::format("3d/polyhedra/{}/ten_gauges", grains);
    report.add(path, "ms_per_step", 1e3 * step, "ms");
    report.add(path, "ms_per_measurement", 1e3 * measuring, "ms");
    for (const std::size_t one : {std::size_t(0), std::size_t(8), std::size_t(9)}) {
        Stopwatch watch;
        simulation.gauges[one].measure(simulation.snapshot());
        report.add(path + "/" + simulation.gauges[one].name(), "ms_per_measurement", 1e3 * watch.lap(), "ms");
    }
    // by default (output.gauges_every): BALLAST's tamping of one sleeper has 9088 steps, a line of the series every 9,
    // a measurement with every second one
    constexpr double every = 18;
    const double share = 100 * measuring / (measuring + every * step);
    report.add(path, "share_of_run", share, "%");
    report.say(fmt::format("  ten gauges at the default cadence (every {:g} steps): expected at most 5 %, measured "
                           "{:.2f} %: {}",
                           every, share, share <= 5 ? "holds" : "DOES NOT HOLD"));
}

} // namespace talus::bench
