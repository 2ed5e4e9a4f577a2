// Event-driven dynamics: impacts per second by the number of disks, and what an impact costs against log N; the
// equation of state of hard disks (V43), Haff's law, one dilute gas by three methods. Processor time is of the whole
// process, on one thread: other programs disturb it little.
#include "benchmarks/bench_events.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/gas_studies.hpp"

#include <fmt/format.h>

#include <ctime>

namespace talus::bench {

namespace {

const MakeGas make = [](const std::string& scene, const std::vector<std::string>& sets) {
    return simulation_of_text<2>(scene, sets);
};

double processor_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// [s] per impact of an elastic gas, the best of three stretches: flights only, no step of the clock within.
double seconds_per_impact(int disks, double packing)
{
    Simulation<2> simulation = make(gas_scene(disks, packing, 1), {"scene.dt=0.01", "event.most_impacts=1000000000"});
    simulation.step();
    HardBalls<2>& balls = balls_of(simulation);
    EnergyLedger energy;
    const double impacts_each = std::clamp(2e6 / disks, 1.0, 500.0);
    double least = never, until = balls.now();
    const auto impacts = [&] { return balls.tally.impacts + balls.tally.wall_impacts; };
    for (int stretch = 0; stretch < 4; ++stretch) {
        const double before = impacts(), begin = processor_seconds();
        while (impacts() - before < 0.5 * impacts_each * disks) balls.advance(until += 0.1, energy);
        const double cost = (processor_seconds() - begin) / (impacts() - before);
        if (stretch > 0) least = std::min(least, cost); // the lattice has to mix first
    }
    return least;
}

void cost_of_impacts(const Options& options, Report& report)
{
    std::vector<double> sizes = {1e3, 1e4, 1e5}, nanoseconds, as_log;
    if (!options.quick) sizes.push_back(1e6);
    for (const double size : sizes) {
        const std::string path = fmt::format("2d/{:.0f}", size);
        const double cost = seconds_per_impact(int(size), 0.3);
        nanoseconds.push_back(1e9 * cost);
        as_log.push_back(nanoseconds.front() * std::log(size) / std::log(sizes.front()));
        report.add(path, "ns_per_impact", nanoseconds.back(), "ns");
        if (size == 1e4) {
            judge_above(report, {path, "impacts per second on one core", "impacts_per_second", "1/s"}, 1 / cost, 500e3);
        } else {
            report.add(path, "impacts_per_second", 1 / cost, "1/s");
        }
    }
    judge_below(report, {"2d/growth", "cost of an impact from 1000 disks to the most, over that of log N", "growth"},
                nanoseconds.back() / as_log.back(), 1);
    for (const double packing : {0.05, 0.6}) {
        report.add(fmt::format("2d/10000/packing {:g}", packing), "ns_per_impact",
                   1e9 * seconds_per_impact(10000, packing), "ns");
    }
    write_figure(options, "events-cost",
                 {.title = "Cost of an impact, packing 0.3, one core",
                  .x_label = "disks",
                  .y_label = "processor time per impact [ns]",
                  .log_x = true,
                  .log_y = true,
                  .curves = {{"measured", sizes, nanoseconds, true}, {"as log N", sizes, as_log}}});
}

void equation_of_state(const Options& options, Report& report)
{
    std::vector<double> packings, ratios, curve, theory;
    for (const double packing : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5}) {
        const double time = (packing > 0.25 ? 200 : 800) * (options.quick ? 0.2 : 1);
        const Pressure measured = pressure_in_the_middle(make, 2500, packing, time);
        packings.push_back(measured.packing);
        ratios.push_back(measured.ratio);
        const std::string path = fmt::format("pressure/{:g}", packing);
        report.add(path, "packing", measured.packing, "");
        report.add(path, "compressibility", measured.ratio, "");
        judge(report, {path, "V43 pressure over Henderson's", "over_henderson"},
              measured.ratio / henderson(measured.packing), 1, 0.02);
    }
    for (double packing = 0; packing < 0.53; packing += 0.01) {
        curve.push_back(packing);
        theory.push_back(henderson(packing));
    }
    write_figure(options, "events-pressure",
                 {.title = "Pressure of elastic hard disks (V43)",
                  .x_label = "packing in the middle of the box",
                  .y_label = "p/(n k T)",
                  .curves = {{"Henderson", curve, theory}, {"measured", packings, ratios, true}}});
}

void cooling_laws(const Options& options, Report& report)
{
    report::Chart chart{.title = "Energy of cooling gases, packing 0.05 (Haff)",
                        .x_label = "1 + t/τ",
                        .y_label = "E/E₀",
                        .log_x = true,
                        .log_y = true,
                        .curves = {}};
    for (const double restitution : {0.95, 0.9, 0.8}) {
        const Cooling measured = cooling(make, restitution, 0.05, 0.01, options.quick ? 2 : 8);
        const std::string path = fmt::format("cooling/{:g}", restitution);
        report.add(path, "impacts_per_disk", measured.impacts, "");
        judge(report, {path, "Haff's exponent", "exponent"}, measured.exponent, 2, 0.06);
        report::Curve curve{fmt::format("restitution {:g}", restitution), {}, {}};
        for (std::size_t t = 0; t < measured.energy.size(); ++t) {
            curve.x.push_back(1 + double(t) / measured.tau);
            curve.y.push_back(measured.energy[t]);
        }
        chart.curves.push_back(std::move(curve));
    }
    report::Curve expected{"(1 + t/τ)^−2", {}, {}};
    for (double x = 1; x < 11; x *= 1.1) {
        expected.x.push_back(x);
        expected.y.push_back(1 / (x * x));
    }
    chart.curves.push_back(std::move(expected));
    write_figure(options, "events-cooling", chart);
}

void three_methods(const Options& options, Report& report)
{
    const int seeds = options.quick ? 2 : 8;
    for (const double time : {8.0, 20.0}) {
        const double events = energy_left(make, {}, time, seeds);
        const std::string path = fmt::format("methods/{:g} s", time);
        report.add(path, "energy_left", events, "");
        judge(report, {path, "contact dynamics over events", "contact_dynamics"},
              energy_left(make, rigid_gas, time, seeds) / events, 1, 0.03);
        judge(report, {path, "smooth DEM over events", "dem"}, energy_left(make, smooth_gas, time, seeds) / events, 1,
              0.03);
    }
}

} // namespace

void bench_events(const Options& options, Report& report)
{
    if (options.wants("cost")) cost_of_impacts(options, report);
    if (options.wants("pressure")) equation_of_state(options, report);
    if (options.wants("cooling")) cooling_laws(options, report);
    if (options.wants("methods")) three_methods(options, report);
}

} // namespace talus::bench
