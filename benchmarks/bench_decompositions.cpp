#include "benchmarks/bench_decompositions.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/polyhedra_sample.hpp"
#include "talus/probes/gauge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace talus::bench {

namespace {

constexpr double settling = 0.2; // [s] of the plate under its load, before it vibrates
constexpr int steps = 100;       // of 2e-4 s, as in BALLAST's Stabilisation0.02

// The recorded deposit, four times side by side, with a plate for a sleeper: 8 kN on a fifth of a square metre (it lies
// on top, and would sink into the bed under what an embedded sleeper bears), 5 mm at 30 Hz along the sleeper.
constexpr const char* plate_text = R"(
[materials.sleeper]
density = 2400
[[contact.pairs]]
materials = ["grain", "sleeper"]
friction = 2
[[bodies]]
name = "plate"
shape = "box"
size = [0.28, 0.7, 0.1]
position = [0.56, 0.56, {0}]
mass = 150
motion = ["z"]
material = "sleeper"
[[drivers]]
type = "force"
body = "plate"
force = [0, 0, -8000]
[[drivers]]
type = "vibration"
body = "plate"
amplitude = [0, 5e-3, 0]
frequency = 30
from = {1}
)";

struct PlateSample {
    Run<3> run;
    std::int32_t plate;
};

PlateSample sample_with_plate()
{
    const Simulation<3> grains = polyhedra_sample(2, 2);
    const auto is_grain = [&](std::size_t i) { return talus::is_grain(grains.bodies, grains.shapes, i); };
    double top = 0; // of the grains below the plate
    for (std::size_t i = 0; i < grains.bodies.size(); ++i) {
        const Vec<3>& at = grains.bodies.position[i];
        if (!is_grain(i) || std::abs(at[0] - 0.56) > 0.17 || std::abs(at[1] - 0.56) > 0.38) continue;
        for (const Vec<3>& vertex : grains.shapes.polytopes[grains.shapes[grains.bodies.shape[i]].detail].vertices) {
            top = std::max(top, (at + grains.bodies.orientation[i] * vertex)[2]);
        }
    }
    const std::string scene = box_of_sample(1.12, 1.12) + fmt::format(plate_text, top + 0.0501, settling);
    PlateSample sample{setup_of_text<3>(scene, {"detection.most_points=3"}), 0};
    Simulation<3>& simulation = sample.run.simulation();
    sample.plate = simulation.groups.front().first;
    for (const BodyGroup& group : simulation.groups) {
        if (group.name == "plate") sample.plate = group.first;
    }
    for (std::size_t i = 0; i < grains.bodies.size(); ++i) {
        if (!is_grain(i)) continue;
        Body<3> grain;
        grain.position = grains.bodies.position[i];
        grain.orientation = grains.bodies.orientation[i];
        grain.mass = grains.bodies.mass[i];
        grain.inertia = grains.bodies.inertia[i];
        grain.material = simulation.materials.index("grain");
        grain.shape =
            simulation.shapes.add_polytope(grains.shapes.polytopes[grains.shapes[grains.bodies.shape[i]].detail]);
        simulation.bodies.add(grain);
    }
    simulation.contact_dynamics().correction.reset(); // as in the document
    return sample;
}

// What is compared; all but the settlement as means over the steps.
struct Indicators {
    double compacity = 0, settlement = 0, coordination = 0, simple = 0, interpenetration = 0, speed = 0;
    double interface_share = 0, solver_seconds = 0;
};

Indicators vibrate(const PlateSample& start, const std::vector<int>& boxes, const std::string& name)
{
    PlateSample sample = sample_with_plate();
    Simulation<3>& simulation = sample.run.simulation();
    const State<3>& settled = start.run.state();
    simulation.bodies = settled.bodies;
    static_cast<ContactColumns<3>&>(simulation.contacts) = settled.contacts;
    simulation.clock = settled.clock;
    SolverOptions solver;
    solver.name = name;
    solver.interface = "sequential"; // as in the document
    solver.stop = Stop::sweeps;
    solver.sweeps = 100;
    simulation.use_solver(solver);
    simulation.contact_dynamics().partitioner = Partitioner<3>({"boxes", 0, boxes});

    const double before = simulation.bodies.position[sample.plate][2];
    // as many contacts as in a gauge of the document: in a small one the few that come and go are a larger share
    const auto gauge = Gauge<3>::box("bed", Vec<3>(0.03, 0.03, 0.02), Vec<3>(1.09, 1.09, before - 0.05));
    Indicators mean;
    constexpr int every = 5;
    for (int step = 1; step <= steps; ++step) {
        take_step(sample.run);
        mean.interface_share += sample.run.tally().partition_last.interface_share() / steps;
        if (step % every != 0) continue;
        const Reading values = gauge.measure(simulation.snapshot());
        const double share = double(every) / steps;
        mean.compacity += share * values["compacity"].value_or(0);
        mean.coordination += share * values["coordination"].value_or(0);
        mean.simple += share * values.at("simple_pairs");
        mean.interpenetration += share * values["interpenetration"].value_or(0);
        mean.speed += share * values["mean_speed_mps"].value_or(0);
    }
    mean.solver_seconds = sample.run.tally().phase_seconds[std::size_t(Phase::solver)];
    mean.settlement = before - simulation.bodies.position[sample.plate][2];
    return mean;
}

struct Measure {
    const char* name;
    double Indicators::*value;
    const char* unit;
    double document; // [%] difference of 27 sub-domains from one domain in BALLAST §7.2 (REFERENCE R5); 0: not printed
};
constexpr std::array<Measure, 6> measures = {{{"compacity", &Indicators::compacity, "", 0.004},
                                              {"settlement", &Indicators::settlement, "m", 2},
                                              {"coordination", &Indicators::coordination, "", 0},
                                              {"simple_contacts", &Indicators::simple, "", 0.44},
                                              {"interpenetration", &Indicators::interpenetration, "", 3},
                                              {"mean_speed", &Indicators::speed, "m/s", 6}}};

double difference(double value, double reference) { return 100 * (value - reference) / std::abs(reference); }

void tell_spreads(const std::vector<Indicators>& all, Report& report)
{
    for (const Measure& measure : measures) {
        double worst = 0, low = all[1].*measure.value, high = low;
        for (std::size_t k = 1; k < all.size(); ++k) {
            const double value = all[k].*measure.value;
            const double from_one = difference(value, all[0].*measure.value);
            if (std::abs(from_one) > std::abs(worst)) worst = from_one;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        report.add(std::string("spread/") + measure.name, "from_one_domain", worst, "%");
        report.add(std::string("spread/") + measure.name, "between", difference(high, low), "%");
        if (measure.document > 0) report.add(std::string("spread/") + measure.name, "document", measure.document, "%");
    }
    report.say("the document's I is compared with the mean speed; between its decompositions from 4 to 125 the "
               "interpenetration differs by 0.5 %");
}

} // namespace

void bench_decompositions(const Options& options, Report& report)
{
    PlateSample start = sample_with_plate();
    SolverOptions to_default_residual;
    to_default_residual.name = "auto";
    start.run.simulation().use_solver(to_default_residual);
    start.run.advance_to(settling);
    const State<3>& settled = start.run.state();
    report.say(fmt::format(
        "{} grains and a plate under 8 kN settled for {} s: {} contacts, the plate sinks at {:.2g} m/s",
        settled.bodies.size() - 6, settling, settled.contacts.size(), -settled.bodies.velocity[start.plate][2]));
    std::vector<std::vector<int>> decompositions = {{}, {2, 2, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}};
    if (options.quick) decompositions.resize(4);
    std::vector<Indicators> all;
    for (const std::vector<int>& boxes : decompositions) {
        all.push_back(vibrate(start, boxes, boxes.empty() ? "nlgs" : "ddm"));
        const std::string name = boxes.empty() ? "one" : fmt::format("{}x{}x{}", boxes[0], boxes[1], boxes[2]);
        for (const Measure& measure : measures) report.add(name, measure.name, all.back().*measure.value, measure.unit);
        report.add(name, "interface_share", all.back().interface_share, "");
        report.add(name, "solver_seconds", all.back().solver_seconds, "s");
    }
    tell_spreads(all, report);
    const Indicators asynchronous = vibrate(start, decompositions[1], "ddm_async");
    for (const Measure& measure : measures) {
        report.add(std::string("2x2x1/asynchronous/") + measure.name, "from_synchronous",
                   difference(asynchronous.*measure.value, all[1].*measure.value), "%");
    }
}

} // namespace talus::bench
