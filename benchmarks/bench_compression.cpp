// Moreau's compression box (REFERENCE R4, MOREAU fig. 1): 3322 polygons pressed to rest. Mean stress of a disk in the
// middle, 40 grain diameters wide, against the resultants of the contact forces on 21 of its diameters; mean stress of
// the whole box against the forces on its smooth walls (V21).
#include "benchmarks/bench_compression.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/measures.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/probes/diameter_check.hpp"
#include "talus/report/pages/measured_figures.hpp"

#include <fmt/format.h>

namespace talus::bench {

namespace {

constexpr double grain_diameter = 4.8e-3; // [m] mean, as printed in MOREAU

// The width and the height that the walls leave.
Vec<2> room(const Simulation<2>& simulation)
{
    const std::vector<Vec<2>>& position = simulation.bodies.position;
    return {position[body_named(simulation, "box.right")][0], position[body_named(simulation, "lid")][1]};
}

DiameterCheck check_disk(const Simulation<2>& simulation, double diameter, Report& report)
{
    const Region<2> disk = Region<2>::ball(0.5 * room(simulation), 0.5 * diameter);
    const Mat<2> stress = stress_in(simulation, disk);
    const DiameterCheck check = check_diameters<2>(disk, stress, {simulation.bodies, simulation.shapes},
                                                   simulation.contacts, simulation.clock.dt);
    report.say(fmt::format("  {:.0f} grain diameters: σ_xx {:.0f}, σ_yy {:.0f}, σ_xy {:.0f} N/m",
                           diameter / grain_diameter, stress(0, 0), stress(1, 1), stress(0, 1)));
    return check;
}

void check_walls(const Simulation<2>& simulation, Report& report)
{
    const auto reaction = [&](const char* wall, int axis) {
        return simulation.bodies.reaction[body_named(simulation, wall)][axis];
    };
    const double width = room(simulation)[0], height = room(simulation)[1];
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
    if (options.quick) { // half as wide under the same pressure
        sets = {"generators[0].upper=[0.125, 0.3]",
                "generators[1].upper=[0.125, 0.3]",
                "generators[1].count=830",
                "bodies[0].position=[0, 0.25]",
                "bodies[0].mass=20",
                "drivers[0].force=[0, -3125]"};
    }
    Stopwatch watch;
    Run<2> run(setup_of<2>("compression-box", sets));
    const RunEnd end = run.advance();
    const Simulation<2>& simulation = run.simulation();
    const Tally& tally = run.tally();
    report.say(
        fmt::format("  {} after {:.3f} s, {} steps, {:.0f} s", end.reason, run.time(), tally.steps, watch.seconds()));
    judge_below(report, {"2d/polygons", "solves that missed their tolerance", "missed_solves"},
                double(tally.steps_over_tolerance), 0.5);
    const std::string path = "2d/polygons";
    const DiameterCheck check = check_disk(simulation, (options.quick ? 20 : 40) * grain_diameter, report);
    if (options.quick) { // chains of forces are nearly as long as the region: it is only reported
        report.add(path, "deviation_20d", 100 * check.deviation, "%");
    } else {
        judge_below(
            report,
            {path, "R4 forces on 21 diameters, rms distance from the sinusoids of the stress", "deviation_40d", "%"},
            100 * check.deviation, 10);
        write_figure(options, "compression-diameters", report::diameters_chart(check, "Forces on 21 diameters", "N/m"));
    }
    check_walls(simulation, report);
    report.add(path, "seconds", watch.seconds(), "s");
}

} // namespace talus::bench
