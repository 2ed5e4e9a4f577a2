// Moreau's compression box (REFERENCE R4, MOREAU fig. 1): 3322 polygons pressed to rest. Mean stress of a disk in the
// middle, 40 grain diameters wide, against the resultants of the contact forces on 21 of its diameters; mean stress of
// the whole box against the forces on its smooth walls (V21).
#include "benchmarks/bench_compression.hpp"

#include "base/stopwatch.hpp"
#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/measures.hpp"
#include "probes/diameter_check.hpp"

#include <fmt/format.h>

namespace talus::bench {

namespace {

constexpr double grain = 4.8e-3; // [m] mean diameter, as printed in MOREAU

void check_disk(const Simulation<2>& simulation, double diameter, Report& report)
{
    const double middle = 0.5 * simulation.bodies.position[body_named(simulation, "lid")][1];
    const Region<2> disk = Region<2>::ball({0.125, middle}, 0.5 * diameter);
    const Mat<2> stress = stress_in(simulation, disk);
    const DiameterCheck check = check_diameters<2>(disk, stress, {simulation.bodies, simulation.shapes},
                                                   simulation.contacts, simulation.clock.dt);
    report.say(fmt::format("  {:.0f} grain diameters: σ_xx {:.0f}, σ_yy {:.0f}, σ_xy {:.0f} N/m", diameter / grain,
                           stress(0, 0), stress(1, 1), stress(0, 1)));
    report.say("    angle     normal  predicted  tangential  predicted");
    for (const DiameterTraction& d : check.diameters) {
        report.say(fmt::format("    {:5.1f}° {:10.0f} {:10.0f} {:11.0f} {:10.0f}", d.angle * 180 / M_PI, d.normal,
                               d.predicted_normal, d.tangential, d.predicted_tangential));
    }
    judge_below(report,
                {"2d/polygons", "R4 forces on 21 diameters, rms distance from the sinusoids of the stress",
                 fmt::format("deviation_{:.0f}d", diameter / grain), "%"},
                100 * check.deviation, 10);
}

void check_walls(const Simulation<2>& simulation, Report& report)
{
    const auto reaction = [&](const char* wall, int axis) {
        return simulation.bodies.reaction[body_named(simulation, wall)][axis];
    };
    const double width = 0.25, height = simulation.bodies.position[body_named(simulation, "lid")][1];
    const Mat<2> stress = stress_in(simulation, Region<2>::box({0, 0}, {width, height}));
    const double across = 0.5 * (reaction("box.left", 0) - reaction("box.right", 0)) / height;
    const double along = 0.5 * (reaction("box.bottom", 1) - reaction("lid", 1)) / width;
    judge(report, {"2d/polygons", "V21 σ_xx of the internal moments, against the side walls", "stress_xx", "N/m"},
          stress(0, 0), across, 0.01 * std::abs(across));
    judge(report, {"2d/polygons", "V21 σ_yy of the internal moments, against lid and bottom", "stress_yy", "N/m"},
          stress(1, 1), along, 0.01 * std::abs(along));
}

} // namespace

void bench_compression(const Options& options, Report& report)
{
    std::vector<std::string> sets;
    if (options.quick) { // the same pressure on fewer grains; the region shrinks with the box
        sets = {"generators[1].count=600", "generators[0].upper=[0.25, 0.15]", "generators[1].upper=[0.25, 0.15]",
                "bodies[0].position=[0, 0.13]"};
    }
    Stopwatch watch;
    Simulation<2> simulation = simulation_of<2>("compression-box", sets);
    std::int64_t missed = 0, steps = 0;
    for (; !simulation.is_at_rest() && simulation.clock.time() < 4; ++steps) missed += !simulation.step().solve.reached;
    report.say(
        fmt::format("  at rest after {:.3f} s, {} steps, {:.0f} s", simulation.clock.time(), steps, watch.seconds()));
    judge_below(report, {"2d/polygons", "solves that missed their tolerance", "missed_solves"}, double(missed), 0.5);
    if (!options.quick) check_disk(simulation, 40 * grain, report);
    const double height = simulation.bodies.position[body_named(simulation, "lid")][1];
    check_disk(simulation, 0.8 * std::min(height, 0.25), report);
    check_walls(simulation, report);
    report.add("2d/polygons", "seconds", watch.seconds(), "s");
}

} // namespace talus::bench
