#include "benchmarks/bench_smooth.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/measures.hpp"
#include "talus/integrators/integrator.hpp"

#include <cmath>

namespace talus::bench {

namespace {

// --- friction with and without history: the same column of grains falls and rests, or creeps away

double mean_height(const Simulation<2>& simulation)
{
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (simulation.bodies.is_passive(i)) continue;
        sum += simulation.bodies.position[i].y();
        count += 1;
    }
    return sum / count;
}

// [m] over time, a point every 20 ms once the column is down
report::Curve sinking(const std::string& scene, const std::string& name, double end)
{
    Run<2> run(setup_of<2>(scene));
    report::Curve curve{name, {}, {}, false, -1};
    const auto every = std::max<std::int64_t>(1, std::llround(0.02 / run.state().clock.dt));
    while (run.time() < end) {
        if (run.time() > 0.3 && run.state().clock.step % every == 0) {
            curve.x.push_back(run.time());
            curve.y.push_back(mean_height(run.simulation()));
        }
        take_step(run);
    }
    return curve;
}

// [1] of the mean height, lost from 2 s, when the fall is over, to the end
double lost(const report::Curve& curve)
{
    const auto rest = std::size_t(std::ranges::lower_bound(curve.x, 2.0) - curve.x.begin());
    return rest < curve.y.size() ? 1 - curve.y.back() / curve.y[rest] : 0;
}

void piles(const Options& options, Report& report)
{
    const double end = options.quick ? 2.2 : 6; // [s]
    const report::Curve holds = sinking("pile-that-holds", "spring with history", end),
                        creeps = sinking("pile-that-creeps", "regularised Coulomb", end);
    report.add("piles/regularised", "lost", lost(creeps), "");
    judge_below(report, {"piles/history", "mean height that a pile at rest loses, over that of a creeping one", "lost"},
                lost(holds) / lost(creeps), 0.01);
    write_figure(options, "smooth-piles",
                 report::Chart{"a column of 500 disks falls into a pile",
                               "time [s]",
                               "mean height of the grains [m]",
                               false,
                               false,
                               {holds, creeps}});
}

// --- bounces on the floor

// Heights of the apexes of the ball's lowest point over the first one.
report::Curve apexes(const std::string& scene, const std::vector<std::string>& sets, const std::string& name, int count)
{
    Simulation<2> simulation = simulation_of<2>(scene, sets);
    const std::size_t ball = body_named(simulation, "ball");
    const double radius = simulation.shapes[simulation.bodies.shape[ball]].radius,
                 start = simulation.bodies.position[ball].y() - radius;
    report::Curve curve{name, {0}, {1}, true, -1};
    double before = 0, highest = 0;
    while (int(curve.x.size()) <= count) {
        simulation.step();
        const double velocity = simulation.bodies.velocity[ball].y();
        highest = std::max(highest, simulation.bodies.position[ball].y() - radius);
        if (before > 0 && velocity <= 0) {
            curve.x.push_back(double(curve.x.size()));
            curve.y.push_back(highest / start);
        }
        if (velocity < 0) highest = 0;
        before = velocity;
    }
    return curve;
}

void bounces(const Options& options, Report& report)
{
    const int many = options.quick ? 10 : 100;
    // the clock finds an apex to g dt²/8
    const report::Curve free = apexes("bounce-spring", {"scene.dt=1e-4"}, "no damping", many);
    // a fifth of the longest step: a contact begins and ends somewhere within a step, which at the longest one scatters
    // the ratios by 2.5 %
    const report::Curve damped = apexes("bounce-damped", {"scene.dt=1e-4", "dem.dt=7e-6"}, "ε = 0.8", 8);
    double worst = 0, off = 0;
    for (const double height : free.y) worst = std::max(worst, std::abs(height - 1));
    for (std::size_t n = 1; n < damped.y.size(); ++n)
        off = std::max(off, std::abs(damped.y[n] / damped.y[n - 1] / 0.64 - 1));
    judge_below(report, {"bounces/free", fmt::format("change of height in {} bounces", many), "change"}, worst, 0.02);
    judge_below(report, {"bounces/damped", "ratio of heights, off ε²", "off"}, off, 0.02);
    report::Curve closed{"0.64ⁿ", {}, {}, false, 2};
    for (int n = 0; n <= 8; ++n) {
        closed.x.push_back(n);
        closed.y.push_back(std::pow(0.64, n));
    }
    write_figure(
        options, "smooth-bounces",
        report::Chart{
            "heights of a disk that bounces", "bounce", "height over the first", false, false, {free, damped, closed}});
}

// --- orders: a disk that swings on its spring under its weight and never leaves the floor

constexpr double swing_radius = 0.05, swing_stiffness = 1e5; // [m], [N/m]

// Error of the place after a time that is no multiple of the period, over the amplitude.
double swing_error(const IntegratorKind& kind, int steps)
{
    const double mass = 1000 * M_PI * swing_radius * swing_radius, omega = std::sqrt(swing_stiffness / mass);
    const double sunk = mass * 9.81 / swing_stiffness, amplitude = 0.3 * sunk, time = 8 / omega;
    Simulation<2> simulation = simulation_of_text<2>(fmt::format(
        "[scene]\ndimension = 2\nmethod = \"dem\"\ndt = {0}\nduration = {0}\n[materials]\nstone = {{ density = 1000 "
        "}}\n"
        "[contact]\nfriction = 0\nrestitution = 1\n[quality]\nstart_overlap = 0.2\n"
        "[dem]\nstiffness = {1}\ndamping = \"none\"\nintegrator = \"{2}\"\ndt = {3}\nforce_dt = true\n"
        "[[bodies]]\nshape = \"half_space\"\nnormal = [0, 1]\nmotion = \"fixed\"\nmaterial = \"stone\"\n"
        "[[bodies]]\nname = \"ball\"\nshape = \"disk\"\nradius = {4}\nposition = [0, {5}]\nmaterial = \"stone\"\n"
        "[[drivers]]\ntype = \"gravity\"\n",
        time, swing_stiffness, kind.name, time / steps, swing_radius, swing_radius - sunk + amplitude));
    simulation.step();
    const double place = simulation.bodies.position[body_named(simulation, "ball")].y();
    return std::abs(place - (swing_radius - sunk + amplitude * std::cos(omega * time))) / amplitude;
}

void orders(const Options& options, Report& report)
{
    report::Chart chart{
        "a disk that swings on its spring", "steps in a period", "error over amplitude", true, true, {}};
    for (const IntegratorKind& kind : integrator_kinds()) {
        report::Curve curve{kind.name, {}, {}, false, -1};
        for (int steps = 20; steps <= 640; steps *= 2) {
            curve.x.push_back(steps * 2 * M_PI / 8);
            curve.y.push_back(swing_error(kind, steps));
        }
        const std::size_t last = curve.y.size() - 1;
        judge(report, {"orders/" + kind.name, "order, from the last two steps", "order"},
              std::log2(curve.y[last - 1] / curve.y[last]), kind.order, 0.3);
        chart.curves.push_back(std::move(curve));
    }
    write_figure(options, "smooth-orders", chart);
}

} // namespace

void bench_smooth(const Options& options, Report& report)
{
    if (options.wants("piles")) piles(options, report);
    if (options.wants("bounces")) bounces(options, report);
    if (options.wants("orders")) orders(options, report);
}

} // namespace talus::bench
