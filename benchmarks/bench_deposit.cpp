#include "benchmarks/bench_deposit.hpp"

#include "benchmarks/bench_scene.hpp"
#include "talus/base/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::bench {

namespace {

Reading look(const Simulation<3>& simulation) { return simulation.gauges[0].measure(simulation.snapshot()); }

} // namespace

void bench_deposit(const Options& options, Report& report)
{
    std::vector<std::string> sets;
    if (options.quick) sets = {"generators[1].count=300"};
    Run<3> settling(setup_of<3>("academic-deposit", sets));
    Stopwatch watch;
    settling.advance();
    const std::string name = fmt::format("academic/{}", settling.state().bodies.size() - 5);
    report.add(name, "simulated_until_rest", settling.time(), "s");
    report.add(name, "wall_until_rest", watch.lap(), "s");
    report.add(name, "solves_over_tolerance", double(settling.tally().steps_over_tolerance), "");
    if (!settling.simulation().is_at_rest()) report.say("it did not come to rest");

    // that run has ended; another goes on, for a second and whether it rests or not
    RunPlan plan = settling.plan();
    plan.steps = std::llround((settling.time() + 1) / settling.state().clock.dt);
    Run<3> resting(std::move(settling.simulation()), plan);
    const Simulation<3>& simulation = resting.simulation();
    resting.simulation().rest.reset();
    const auto start = simulation.bodies.position;
    const Reading before = look(simulation);
    const double kinetic = simulation.kinetic_energy();
    const double total = kinetic + simulation.potential_energy();
    double most_kinetic = 0, most_total = total;
    resting.observe([&](const State<3>&) {
        most_kinetic = std::max(most_kinetic, simulation.kinetic_energy());
        most_total = std::max(most_total, simulation.kinetic_energy() + simulation.potential_energy());
    });
    resting.advance();
    double creep = 0, diameter = 0, mass = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (simulation.bodies.is_passive(i)) continue;
        creep = std::max(creep, (simulation.bodies.position[i] - start[i]).norm());
        diameter += 2 * bounding_radius(simulation.shapes, simulation.bodies.shape[i]) / double(start.size() - 5);
        mass += simulation.bodies.mass[i];
    }
    const Reading after = look(simulation);
    report.add(name, "creep_over_diameter", creep / diameter, ""); // of the grain that moved most, over 1 s
    for (const std::string what : {"compacity", "coordination", "neighbours", "interpenetration"}) {
        report.add(name, what + "_change", after.at(what) - before.at(what), "");
    }
    // energies in units of lifting the sample by a grain
    const double unit = mass * 9.81 * diameter;
    report.add(name, "kinetic_energy_at_rest", kinetic / unit, "M g d");
    report.add(name, "largest_kinetic_energy_after", most_kinetic / unit, "M g d");
    report.add(name, "energy_growth", (most_total - total) / unit, "M g d");
    report.add(name, "wall_at_rest", watch.lap(), "s");
}

} // namespace talus::bench
