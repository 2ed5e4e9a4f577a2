#include "benchmarks/bench_fall.hpp"

#include "benchmarks/bench_scene.hpp"
#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace talus::bench {

namespace {

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

// Forecasts as the progress line of `talus run` makes them: a step's time is from one to the next, gauges included.
class FallWatch final : public Observer<3> {
  public:
    explicit FallWatch(Fall& fall) : fall_(fall) {}

    void on_start(Run<3>& run) override
    {
        fall_.steps = run.plan().steps;
        since_step_.lap();
    }
    void on_step(const Run<3>& run, const StepReport& step) override
    {
        const State<3>& state = run.state();
        const double seconds = since_step_.lap();
        fall_.seconds += seconds;
        fall_.contacts = step.contacts;
        fall_.largest_move = std::max(fall_.largest_move, step.fastest * state.clock.dt / step.smallest);
        time_left_.add({state.clock.step, fall_.steps, state.clock.time(), state.bodies.size(), 0, step.contacts,
                        step.solve.sweeps, step.solve.residual, 0},
                       seconds);
        if (next_ == std::size(percents) || 100 * state.clock.step < percents[next_] * fall_.steps) return;
        const std::int64_t left = fall_.steps - state.clock.step;
        fall_.forecasts.push_back({percents[next_++], fall_.seconds, time_left_.at_least(left),
                                   time_left_.at_most(left), time_left_.text(left)});
    }

  private:
    static constexpr int percents[] = {10, 25, 50, 75, 90};
    Fall& fall_;
    TimeLeft time_left_;
    Stopwatch since_step_;
    std::size_t next_ = 0;
};

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
    Run<3> run(setup_of<3>("fall", sets));
    const auto sample = [&] { return Gauge<3>::sample("sample").measure(run.simulation().snapshot()); };
    const double grains = sample().at("grains");
    const std::string path = fmt::format("3d/spheres/{}", grains);
    Fall fall;
    run.observe(std::make_unique<FallWatch>(fall));
    run.advance();
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
