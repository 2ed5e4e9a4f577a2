#include "benchmarks/bench_fall.hpp"

#include "benchmarks/bench_scene.hpp"
#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::bench {

namespace {

constexpr double duration = 0.4; // [s] as in the scene

// What the progress line would have said at some share of the steps.
struct Forecast {
    int percent;
    double elapsed, at_least, at_most; // [s]
    std::string text;
};

struct Fall {
    std::int64_t steps = 0;
    std::size_t contacts = 0; // of the last step
    double seconds = 0;       // of all steps
    double largest_move = 0;  // in a step, over the smallest diameter
    std::vector<Forecast> forecasts;
};

Fall run(Simulation<3>& simulation)
{
    Fall fall;
    fall.steps = std::llround(duration / simulation.clock.dt);
    TimeLeft time_left;
    auto percents = {10, 25, 50, 75, 90};
    for (auto next = percents.begin(); simulation.clock.step < fall.steps;) {
        Stopwatch watch;
        const StepReport step = simulation.step();
        const double seconds = watch.seconds();
        fall.seconds += seconds;
        fall.contacts = step.contacts;
        fall.largest_move = std::max(fall.largest_move, step.fastest * simulation.clock.dt / step.smallest);
        time_left.add({simulation.clock.step, fall.steps, simulation.clock.time(), simulation.bodies.size(),
                       step.contacts, step.solve.sweeps, step.solve.residual, 0},
                      seconds);
        if (next != percents.end() && 100 * simulation.clock.step >= *next * fall.steps) {
            const std::int64_t left = fall.steps - simulation.clock.step;
            fall.forecasts.push_back(
                {*next, fall.seconds, time_left.at_least(left), time_left.at_most(left), time_left.text(left)});
            ++next;
        }
    }
    return fall;
}

void report_speed(const std::string& path, const Fall& fall, double grains, Report& report)
{
    report.add(path, "seconds", fall.seconds, "s");
    report.add(path, "steps", double(fall.steps), "");
    report.add(path, "contacts", double(fall.contacts), "");
    report.add(path, "ms_per_step", 1e3 * fall.seconds / double(fall.steps), "ms");
    report.add(path, "particle_steps_per_second", grains * double(fall.steps) / fall.seconds, "1/s");
    report.add(path, "largest_move_over_diameter", fall.largest_move, "");
}

void report_forecasts(const std::string& path, const Fall& fall, Report& report)
{
    for (const Forecast& forecast : fall.forecasts) {
        const double actual = fall.seconds - forecast.elapsed;
        report.say(fmt::format("  at {} % of the steps: left {}; it took {}", forecast.percent, forecast.text,
                               Progress::duration(actual)));
        const std::string name = fmt::format("{}/{}%", path, forecast.percent);
        report.add(name, "estimate_over_actual", forecast.at_most / actual, "");
        if (forecast.at_least < forecast.at_most) {
            report.add(name, "lower_bound_over_actual", forecast.at_least / actual, "");
        }
    }
}

} // namespace

void bench_fall(const Options& options, Report& report)
{
    std::vector<std::string> sets;
    if (options.quick) { // a tenth of the grains in a narrower box: the pile is as high
        for (const char* generator : {"generators[0]", "generators[1]"}) {
            sets.push_back(fmt::format("{}.upper=[0.16, 0.16, 1]", generator));
        }
        sets.push_back("generators[1].count=10000");
    }
    Simulation<3> simulation = simulation_of<3>("fall", sets);
    const auto sample = [&] { return Gauge<3>::sample("sample").measure(simulation.snapshot()); };
    const double grains = sample().at("grains");
    const std::string path = fmt::format("3d/spheres/{}", grains);
    const Fall fall = run(simulation);
    report_speed(path, fall, grains, report);
    report_forecasts(path, fall, report);

    const Reading values = sample();
    constexpr double limit = 2; // [%]
    const double overlap = 100 * values["overlap_ratio"].value_or(0);
    report.add(path, "overlap_ratio", overlap, "%");
    report.add(path, "interpenetration", 100 * values["interpenetration"].value_or(0), "%");
    report.add(path, "largest_overlap", 1e3 * values.at("max_overlap_m"), "mm");
    report.add(path, "mean_speed", values["mean_speed_mps"].value_or(0), "m/s");
    report.say(fmt::format("  intersection volume over grain volume: expected under {:g} %, measured {:.3f} %: {}",
                           limit, overlap, overlap < limit ? "holds" : "DOES NOT HOLD"));
}

} // namespace talus::bench
