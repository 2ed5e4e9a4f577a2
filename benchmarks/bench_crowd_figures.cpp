// Figures of CROWD from our runs: restitution against K_N (2.8), speed after against speed before (2.9), one disk and
// the ground by three methods (2.11 and 2.12); with the figures of REFERENCE R1 and R2.
#include "benchmarks/bench_crowd_study.hpp"
#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"

#include <cmath>

namespace talus::bench {

namespace {

constexpr double person_mass = 75; // [kg] of both scenes

// Speeds after the impact of the persons of crowd/restitution, in the order of the scene.
std::vector<Vec<2>> speeds_after(double normal, double power)
{
    Simulation<2> simulation = simulation_of<2>(
        "restitution", {fmt::format("crowd.normal_dissipation={}", normal), fmt::format("crowd.power={}", power)});
    std::vector<Vec<2>> speeds;
    for (std::size_t i = 1; i < simulation.bodies.size(); ++i)
        speeds.emplace_back(-simulation.bodies.velocity[i].y(), 0);
    while (simulation.clock.time() < 1.2) simulation.step();
    for (std::size_t i = 1; i < simulation.bodies.size(); ++i) speeds[i - 1].y() = simulation.bodies.velocity[i].y();
    return speeds;
}

void restitution_against_dissipation(const Options& options, Report& report)
{
    report::Curve law{"(K_N − 2m)/(K_N + 2m)", {}, {}, false, -1}, runs{"runs", {}, {}, true, -1};
    for (double normal = 50; normal < 2e5; normal *= 1.05) {
        law.x.push_back(normal);
        law.y.push_back(std::max(0.0, (normal - 2 * person_mass) / (normal + 2 * person_mass)));
    }
    double worst = 0;
    for (const auto& [normal, expected] :
         {std::pair{100.0, 0.0}, {150.0, 0.0}, {300.0, 1.0 / 3}, {1e3, 0.739130}, {1e4, 0.970443}, {1e5, 0.997004}}) {
        const Vec<2> speed = speeds_after(normal, 2).front();
        runs.x.push_back(normal);
        runs.y.push_back(speed.y() / speed.x());
        worst = std::max(worst, std::abs(speed.y() / speed.x() - expected));
    }
    judge_below(report, {"figures", "R2 restitution for p = 2, worst of six K_N", "restitution_error"}, worst, 1e-6);
    write_figure(
        options, "crowd-restitution",
        report::Chart{
            "restitution of nsm2, p = 2, m = 75 kg", "K_N [kg]", "speed after / before", true, false, {law, runs}});
}

void speed_against_speed(const Options& options, Report& report)
{
    struct Printed {
        double power;
        std::vector<double> after; // of 0.5, 1, 2, 4, 10 m/s (R2)
    };
    const std::vector<Printed> printed = {{1.5, {0.398979, 0.656854, 0.928203, 0.944272, 0}},
                                          {2, {0.166667, 0.333333, 0.666667, 1.333333, 3.333333}},
                                          {3, {0, 0, 0.438447, 1.627719, 6}},
                                          {4, {0, 0, 0.329755, 1.743652, 6.774760}}};
    report::Chart chart{"speed after impact, K_N = 4m", "speed before [m/s]", "speed after [m/s]", false, false, {}};
    double worst = 0;
    for (const Printed& row : printed) {
        report::Curve runs{fmt::format("p = {:g}", row.power), {}, {}, true, -1};
        const std::vector<Vec<2>> speeds = speeds_after(4 * person_mass, row.power);
        for (std::size_t k = 0; k < speeds.size(); ++k) {
            runs.x.push_back(speeds[k].x());
            runs.y.push_back(speeds[k].y());
            worst = std::max(worst, std::abs(speeds[k].y() - row.after[k]));
        }
        chart.curves.push_back(std::move(runs));
    }
    judge_below(report, {"figures", "R2 speeds after, worst of twenty", "speed_error", "m/s"}, worst, 1e-6);
    write_figure(options, "crowd-speed-after", chart);
}

void one_disk(const Options& options, Report& report)
{
    report::Chart heights{"one disk and the ground", "time [s]", "height of the centre [m]", false, false, {}};
    report::Chart speeds{"one disk and the ground", "time [s]", "upward velocity [m/s]", false, false, {}};
    struct Treated {
        const char *name, *method;
        double normal, lowest; // [kg], [m]
    };
    for (const Treated& with :
         {Treated{"nsm1", "nsm1", 0, 0.22}, Treated{"nsm2, K_N = 0", "nsm2", 0, 0.220693},
          Treated{"nsm2, K_N = 1e4 kg", "nsm2", 1e4, 0.224124}, Treated{"crowd-dem", "crowd-dem", 0, 0.202665}}) {
        Simulation<2> simulation =
            simulation_of<2>("disk-and-ground", {fmt::format("scene.method=\"{}\"", with.method),
                                                 fmt::format("crowd.normal_dissipation={}", with.normal)});
        report::Curve height{with.name, {}, {}, false, -1}, speed{with.name, {}, {}, false, -1};
        double lowest = 1;
        while (simulation.clock.step < 80) {
            simulation.step();
            height.x.push_back(simulation.clock.time());
            height.y.push_back(simulation.bodies.position[1].y());
            speed.x.push_back(simulation.clock.time());
            speed.y.push_back(simulation.bodies.velocity[1].y());
            lowest = std::min(lowest, height.y.back());
        }
        judge(report, {"figures", fmt::format("R1 lowest place, {}", with.name), "lowest", "m"}, lowest, with.lowest,
              1e-6);
        heights.curves.push_back(std::move(height));
        speeds.curves.push_back(std::move(speed));
    }
    write_figure(options, "crowd-one-disk-height", heights);
    write_figure(options, "crowd-one-disk-velocity", speeds);
}

} // namespace

void redraw_crowd_figures(const Options& options, Report& report)
{
    restitution_against_dissipation(options, report);
    speed_against_speed(options, report);
    one_disk(options, report);
}

} // namespace talus::bench
