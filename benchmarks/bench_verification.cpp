// Random close packing (V18) and isostatic contacts (V19), without friction, by one experiment: grains at random in a
// box are pressed by a lid until nothing moves. There is no gravity. The drag is chosen such that a grain forgets its
// velocity within about a step, so that the motion is overdamped. The grains are rigid: there is no pressure but the
// lid's, and any is vanishing.
#include "benchmarks/bench_verification.hpp"

#include "base/stopwatch.hpp"
#include "benchmarks/bench_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace talus::bench {

namespace {

constexpr std::string_view spheres_under_a_lid = R"(
[scene]
name = "spheres under a lid"
dimension = 3
dt = "1 ms"
duration = "1 s"
seed = 1

[materials]
glass = { density = 2500 }

[contact]
friction = 0.0
restitution = 0.0

[[generators]]
name = "box"
type = "container"
lower = [0, 0, 0]
upper = [0.14, 0.14, 0.26]
open = ["top"]
material = "glass"

[[generators]]
name = "grains"
type = "random"
lower = [0, 0, 0]
upper = [0.14, 0.14, 0.26]
radius = [0.004, 0.005]
count = 4000
material = "glass"

[[bodies]]
name = "lid"
shape = "half_space"
normal = [0, 0, -1]
position = [0, 0, 0.26]
motion = ["z"]
mass = 2.5
material = "glass"

[[drivers]]
type = "force"
body = "lid"
force = [0, 0, -200]

[[drivers]]
type = "drag"
coefficient = 0.6        # the lightest grain has 0.67 g
)";

constexpr std::string_view disks_under_a_lid = R"(
[scene]
name = "disks under a lid"
dimension = 2
dt = "1 ms"
duration = "1 s"
seed = 1

[materials]
light = { density = 10 }

[contact]
friction = 0.0
restitution = 0.0

[[generators]]
name = "box"
type = "container"
lower = [0, 0]
upper = [0.42, 0.75]
open = ["top"]
material = "light"

[[generators]]
name = "grains"
type = "random"
lower = [0, 0]
upper = [0.42, 0.75]
radius = [0.004, 0.0056] # wide enough not to crystallise
count = 2000
material = "light"

[[bodies]]
name = "lid"
shape = "half_space"
normal = [0, -1]
position = [0, 0.75]
motion = ["y"]
mass = 1.2
material = "light"

[[drivers]]
type = "force"
body = "lid"
force = [0, -100]

[[drivers]]
type = "drag"
coefficient = 0.45       # the lightest grain has 0.50 g
)";

// What verification expects of D dimensions.
template <int D>
struct Expected;
template <>
struct Expected<2> {
    static constexpr double solid_fraction = 0.84, solid_tolerance = 0.015, coordination = 4;
};
template <>
struct Expected<3> {
    static constexpr double solid_fraction = 0.64, solid_tolerance = 0.02, coordination = 6;
};
constexpr double coordination_tolerance = 0.1;

void judge(Report& report, const std::string& name, const std::string& claim, double measured, double expected,
           double tolerance)
{
    const bool holds = std::abs(measured - expected) <= tolerance;
    report.say(fmt::format("  {}: expected {:g} ± {:g}, measured {:.4f}: {}", claim, expected, tolerance, measured,
                           holds ? "holds" : "DOES NOT HOLD"));
    report.add(name, "deviation_over_tolerance", std::abs(measured - expected) / tolerance, "");
}

template <int D>
std::int32_t body_named(const Simulation<D>& simulation, const std::string& name)
{
    for (const BodyGroup& group : simulation.groups) {
        if (group.name == name) return group.first;
    }
    throw std::logic_error("no body " + name);
}

template <int D>
void use_solver(Simulation<D>& simulation, double tolerance, int sweeps)
{
    SolverOptions options;
    options.tolerance = tolerance;
    options.sweeps = sweeps;
    simulation.solver = make_solver<D>(options, false);
}

// Steps until the lid has moved less than `distance` per step for a while; false where `most` steps were not enough.
template <int D>
bool press(Simulation<D>& simulation, std::int32_t lid, double distance, int most, StepReport& last)
{
    constexpr int while_steps = 20;
    int quiet = 0;
    for (int step = 0; step < most && quiet < while_steps; ++step) {
        const double before = simulation.bodies.position[lid][D - 1];
        last = simulation.step();
        const double moved = std::abs(simulation.bodies.position[lid][D - 1] - before);
        quiet = moved < distance ? quiet + 1 : 0;
        if (std::getenv("VERBOSE") && simulation.clock.step % 50 == 0)
            fmt::print("step {} lid {:.5f} moved {:.2e} contacts {} sweeps {} res {:.1e}\n", simulation.clock.step,
                       before, moved, last.contacts, last.solve.sweeps, last.solve.residual);
    }
    return quiet >= while_steps;
}

// The network that carries the load: grains that are no rattlers, and the contacts between them and with the walls.
struct Backbone {
    std::size_t grains = 0, contacts = 0, wall_contacts = 0;
};

// Contacts below `least_impulse` do not count; grains with fewer than D + 1 others are taken out, again and again.
template <int D>
Backbone backbone(const Simulation<D>& simulation, double least_impulse)
{
    const ContactTable<D>& contacts = simulation.contacts;
    const auto is_grain = [&](std::int32_t i) {
        return simulation.shapes[simulation.bodies.shape[i]].kind == ShapeKind::ball;
    };
    std::vector<std::size_t> carrying;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts.impulse[k].dot(contacts.normal[k]) > least_impulse) carrying.push_back(k);
    }
    std::vector<int> degree(simulation.bodies.size());
    for (std::size_t before = carrying.size() + 1; carrying.size() < before;) {
        before = carrying.size();
        std::fill(degree.begin(), degree.end(), 0);
        for (const std::size_t k : carrying) ++degree[contacts.candidate[k]], ++degree[contacts.antagonist[k]];
        std::erase_if(carrying, [&](std::size_t k) {
            const auto is_loose = [&](std::int32_t i) { return is_grain(i) && degree[i] < D + 1; };
            return is_loose(contacts.candidate[k]) || is_loose(contacts.antagonist[k]);
        });
    }
    Backbone found;
    for (std::size_t i = 0; i < degree.size(); ++i) found.grains += is_grain(std::int32_t(i)) && degree[i] > 0;
    found.contacts = carrying.size();
    for (const std::size_t k : carrying) {
        found.wall_contacts += !is_grain(contacts.candidate[k]) || !is_grain(contacts.antagonist[k]);
    }
    return found;
}

struct Impulses {
    double mean = 0, largest = 0;
};

template <int D>
Impulses normal_impulses(const ContactTable<D>& contacts)
{
    Impulses found;
    std::size_t count = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double normal = contacts.impulse[k].dot(contacts.normal[k]);
        found.mean += normal;
        found.largest = std::max(found.largest, normal);
        count += normal > 0;
    }
    found.mean /= double(count);
    return found;
}

template <int D>
void measure(const Simulation<D>& simulation, std::int32_t lid, const std::string& path, double width, Report& report)
{
    const double diameter = 0.009 + (D == 2 ? 0.0006 : 0); // [m] mean
    const double margin = 2.5 * diameter;                  // walls order two layers of grains
    Vec<D> lower = Vec<D>::Constant(margin), upper = Vec<D>::Constant(width - margin);
    upper[D - 1] = simulation.bodies.position[lid][D - 1] - margin;
    Gauge<D> bulk = Gauge<D>::box("bulk", lower, upper);
    const Impulses impulses = normal_impulses(simulation.contacts);
    report.say("  contacts that carry more than a share of the mean force, rattlers removed:");
    report.say("    share   grains  contacts  of them walls  contacts − (D grains + 1)  z in the bulk");
    for (const double share : {1e-5, 1e-4, 1e-3, 1e-2}) {
        const Backbone found = backbone(simulation, share * impulses.mean);
        bulk.with_force_threshold(share * impulses.mean / impulses.largest);
        const auto values = bulk.measure(simulation.bodies, simulation.shapes, simulation.contacts);
        report.say(fmt::format("    {:<7g} {:<7} {:<9} {:<14} {:<26} {:.4f}", share, found.grains, found.contacts,
                               found.wall_contacts, std::int64_t(found.contacts) - std::int64_t(D * found.grains + 1),
                               values.coordination_without_rattlers.value_or(0)));
    }
    constexpr double share = 1e-3;
    const Backbone found = backbone(simulation, share * impulses.mean);
    bulk.with_force_threshold(share * impulses.mean / impulses.largest);
    const auto values = bulk.measure(simulation.bodies, simulation.shapes, simulation.contacts);
    const auto whole = Gauge<D>::sample("sample").measure(simulation.bodies, simulation.shapes, simulation.contacts);
    report.add(path, "bulk_grains", double(values.grains), "");
    report.add(path, "solid_fraction", values.solid_fraction.value_or(0), "");
    report.add(path, "coordination_bulk", values.coordination_without_rattlers.value_or(0), "");
    report.add(path, "coordination_sample", 2 * double(found.contacts) / double(found.grains), "");
    report.add(path, "rattlers", 100 * (1 - double(found.grains) / double(whole.grains)), "%");
    report.add(path, "overlap_ratio", 100 * whole.overlap_ratio.value_or(0), "%");
    report.add(path, "largest_overlap_over_diameter", whole.max_overlap / diameter, "");
    using Claim = Expected<D>;
    judge(report, path + "/V18", "V18 solid fraction in the bulk", values.solid_fraction.value_or(0),
          Claim::solid_fraction, Claim::solid_tolerance);
    judge(report, path + "/V19", "V19 contacts per grain in the bulk", values.coordination_without_rattlers.value_or(0),
          Claim::coordination, coordination_tolerance);
    judge(report, path + "/V19/sample", "V19 2 contacts (walls included) / grains, whole sample",
          2 * double(found.contacts) / double(found.grains), Claim::coordination, coordination_tolerance);
}

} // namespace

void bench_verification(const Options& options, Report& report)
{
    (void)options;
    const auto run = [&]<int D>(std::string_view scene, double width, const std::string& path) {
        Simulation<D> s = simulation_of_text<D>(std::string(scene));
        const std::int32_t lid = body_named(s, "lid");
        StepReport last;
        Stopwatch watch;
        const auto env = [](const char* n, double d) { const char* v = std::getenv(n); return v ? std::atof(v) : d; };
        use_solver(s, env("TOL1", 1e-3), int(env("SW1", 200)));
        const bool a = press(s, lid, 1e-6, 4000, last);
        report.say(fmt::format("{} step {} {:.1f} s: {} residual {:.1e}", path, s.clock.step, watch.seconds(), a, last.solve.residual));
        measure(s, lid, path, width, report);
        if (env("SHRINK", 1) > 0) {
            double deepest = 0;
            for (std::size_t k = 0; k < s.contacts.size(); ++k) deepest = std::max(deepest, -s.contacts.gap[k]);
            for (auto& shape : s.shapes.shapes) if (shape.kind == ShapeKind::ball) shape.radius *= 1 - deepest / 0.008;
            report.say(fmt::format("shrunk by {:.2e}", deepest / 0.008));
        }
        use_solver(s, env("TOL2", 1e-5), int(env("SW2", 2000)));
        const bool b = press(s, lid, 1e-9, 300, last);
        report.say(fmt::format("{} step {} {:.1f} s: {} residual {:.1e}", path, s.clock.step, watch.seconds(), b, last.solve.residual));
        measure(s, lid, path, width, report);
    };
    const char* only = std::getenv("ONLY");
    if (!only || *only == '2') run.template operator()<2>(disks_under_a_lid, 0.42, "2d/disks");
    if (!only || *only == '3') run.template operator()<3>(spheres_under_a_lid, 0.14, "3d/spheres");
}

} // namespace talus::bench
