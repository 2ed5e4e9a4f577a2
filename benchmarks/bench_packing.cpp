// Random close packing (V18) and isostatic contacts (V19), without friction, by one experiment: grains at random in a
// box are pressed by a lid until nothing moves. There is no gravity. The drag makes a grain forget its velocity within
// about a step, so that the motion is overdamped. Rigid grains: no pressure deforms them, any is vanishing. Smooth ones
// (--method dem) are pressed while they are soft, and again each time that they are made stiffer, until the pressure
// hardly deforms them.
#include "benchmarks/bench_packing.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/probes/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>

namespace talus::bench {

namespace {

// What is pressed in D dimensions, and what is expected of it.
template <int D>
struct PackingStudy;
template <>
struct PackingStudy<2> {
    static constexpr const char* path = "2d/disks";
    static constexpr double smallest = 4e-3, largest = 5.6e-3; // [m] radii, wide enough not to crystallise
    static constexpr double loose = 0.46;                      // compacity at the start
    static constexpr double compacity = 0.84, compacity_tolerance = 0.015, coordination = 4;
    static constexpr int count = 1500, quick_count = 500;
};
template <>
struct PackingStudy<3> {
    static constexpr const char* path = "3d/spheres";
    static constexpr double smallest = 4e-3, largest = 5e-3;
    static constexpr double loose = 0.26;
    static constexpr double compacity = 0.64, compacity_tolerance = 0.02, coordination = 6;
    static constexpr int count = 2000, quick_count = 500;
};
constexpr double coordination_tolerance = 0.1;
constexpr double dt = 1e-3;             // [s]
constexpr double solid_density = 1000;  // [kg/m³], [kg/m²] in 2D
constexpr double lid_speed = 0.1;       // [m/s] about what the drag of all grains allows
constexpr double lid_acceleration = 80; // [m/s²]
constexpr double carrying_share = 1e-3; // a contact carries load from this share of the mean force on
constexpr double wall_margin = 2.5;     // [diameters] the bulk begins behind the layers that a wall orders
// [diameters] that smooth grains overlap under the lid, from one pressing to the next: the last moves them by no more
// than that, and contacts beyond isostatic go as its root, some 0.03 of z.
constexpr double smooth_overlaps[] = {1e-2, 1e-3, 1e-4, 1e-5};
constexpr double unit_ball[] = {0, 2, M_PI, 4 * M_PI / 3};

template <int D>
struct PressedSample {
    Run<D> run;
    std::int32_t lid;
    double width; // [m] of the box; the packed sample is about as high
    bool is_rigid;
};

constexpr const char* packing_scene = R"(
[scene]
name = "grains under a lid"
dimension = {dimension}
dt = {dt}
duration = 5
seed = 1

[materials.rigid]
density = {density}

[contact]
friction = 0.0
restitution = 0.0

[[generators]]
name = "box"
type = "container"
lower = {origin}
upper = {corner}
open = ["top"]
material = "rigid"

[[generators]]
name = "grains"
type = "random"
lower = {origin}
upper = {corner}
radius = [{smallest}, {largest}]
count = {count}
material = "rigid"

[[bodies]]
name = "lid"
shape = "half_space"
normal = {down}
position = {corner}
motion = ["{axis}"]
mass = {lid_mass}
material = "rigid"

[[drivers]]
type = "force"
body = "lid"
force = {force}

[[drivers]]
type = "drag"
coefficient = {drag}

[detection]
alert_distance = {alert}
)";

template <int D>
PressedSample<D> loose_sample(int count, double overlap, const Options& options)
{
    using S = PackingStudy<D>;
    // mean of r^D over radii uniform between the two
    const double power =
        (std::pow(S::largest, D + 1) - std::pow(S::smallest, D + 1)) / ((D + 1) * (S::largest - S::smallest));
    const double width = std::pow(count * unit_ball[D] * power / S::compacity, 1.0 / D);
    const double height = width * S::compacity / S::loose;
    const double drag =
        0.9 * solid_density * unit_ball[D] * std::pow(S::smallest, D) / dt; // 0.9 m/dt of the lightest grain
    const double force = lid_speed * drag * count;
    // of a contact, from the pressure on the lid and the section of a grain
    const double diameter = S::smallest + S::largest, push = force * std::pow(diameter / width, D - 1);
    const double stiffness = push / (overlap * diameter);
    using fmt::arg;
    const std::string text = fmt::format(
        packing_scene, arg("dimension", D), arg("dt", dt), arg("density", solid_density),
        arg("origin", vector_text<D>(0, 0)), arg("corner", vector_text<D>(width, height)), arg("smallest", S::smallest),
        arg("largest", S::largest), arg("count", count), arg("down", vector_text<D>(0, -1)),
        arg("axis", D == 2 ? "y" : "z"), arg("lid_mass", force / lid_acceleration),
        arg("force", vector_text<D>(0, -force)), arg("drag", drag),
        arg("alert", 0.2 * S::smallest)); // a grain squeezed out is faster than any was before the step
    const std::vector<std::string> sets =
        sets_of_method(options, {fmt::format("dem.stiffness={}", stiffness), "contact.restitution=0.05"});
    PressedSample<D> sample{setup_of_text<D>(text, sets), -1, width, options.method == default_method};
    for (const BodyGroup& group : sample.run.state().groups) {
        if (group.name == "lid") sample.lid = group.first;
    }
    if (sample.lid < 0) throw std::logic_error("the sample has no lid");
    return sample;
}

struct Pressing {
    double tolerance; // of the solver of rigid grains
    int sweeps;       // at most, per step
    double rest;      // [m] the lid rests when it moves less per step
    int steps;        // at most
};

// Steps until the lid has been at rest for five of them.
template <int D>
void press(PressedSample<D>& sample, const Pressing& how, Report& report)
{
    SolverOptions options;
    options.tolerance = how.tolerance;
    options.sweeps = how.sweeps;
    if (sample.is_rigid) sample.run.simulation().use_solver(options);
    const double& height = sample.run.state().bodies.position[sample.lid][D - 1];
    Stopwatch watch;
    double moved = 0;
    int step = 0;
    for (int resting = 0; step < how.steps && resting < 5; ++step) {
        const double before = height;
        take_step(sample.run);
        moved = std::abs(height - before);
        resting = moved < how.rest ? resting + 1 : 0;
    }
    report.say(fmt::format("  {} steps, {:.0f} s: lid at {:.5f} m, moves {:.1e} m per step; residual {:.1e}", step,
                           watch.seconds(), height, moved, sample.run.tally().residual_last));
}

// Makes all grains smaller by the deepest overlap: pressed again, with a solver that makes next to none, the contacts
// are those of grains that do not overlap.
template <int D>
void shrink_overlaps(Simulation<D>& simulation, Report& report)
{
    const double gap = *std::min_element(simulation.contacts.gap.begin(), simulation.contacts.gap.end());
    const double share = std::max(0.0, -gap) / (2 * PackingStudy<D>::smallest);
    for (Shape<D>& shape : simulation.shapes.shapes) {
        if (shape.kind == ShapeKind::ball) shape.radius *= 1 - share;
    }
    report.say(fmt::format("  radii made {:.2f} % smaller, what the grains overlap at most", 100 * share));
}

// Smooth grains where they lie, made stiffer.
template <int D>
PressedSample<D> stiffened(const PressedSample<D>& soft, int count, double overlap, const Options& options)
{
    PressedSample<D> stiff = loose_sample<D>(count, overlap, options);
    stiff.run.simulation().bodies = soft.run.simulation().bodies;
    stiff.run.simulation().shapes = soft.run.simulation().shapes;
    return stiff;
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
        return talus::is_grain(simulation.bodies, simulation.shapes, std::size_t(i));
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

// Over the grains in the bulk, away from the layers that a wall orders, and over the whole sample.
template <int D>
void measure(const PressedSample<D>& sample, const std::string& path, Report& report)
{
    using S = PackingStudy<D>;
    const Simulation<D>& simulation = sample.run.simulation();
    const double diameter = S::smallest + S::largest; // [m] mean
    const Impulses impulses = normal_impulses(simulation.contacts);
    const auto bulk_of = [&](double margin, double share) { // [diameters] from the walls; of the mean force
        Vec<D> lower = Vec<D>::Constant(margin * diameter), upper = Vec<D>::Constant(sample.width - margin * diameter);
        upper[D - 1] = simulation.bodies.position[sample.lid][D - 1] - margin * diameter;
        const double threshold = share * impulses.mean / impulses.largest;
        const Snapshot<D> snapshot(simulation.bodies, simulation.shapes, simulation.contacts, dt, threshold);
        return Gauge<D>::box("bulk", lower, upper).measure(snapshot);
    };

    report.say("  contacts that carry more than a share of the mean force, rattlers removed:");
    report.say("    share    grains  contacts  with walls  beyond D grains + 1 (the lid)  z in the bulk");
    for (const double share : {1e-5, 1e-4, 1e-3, 1e-2}) {
        const Backbone found = backbone(simulation, share * impulses.mean);
        report.say(fmt::format("    {:<8g} {:<7} {:<9} {:<11} {:<30} {:.3f}", share, found.grains, found.contacts,
                               found.wall_contacts, std::int64_t(found.contacts) - std::int64_t(D * found.grains + 1),
                               bulk_of(wall_margin, share)["coordination_without_rattlers"].value_or(0)));
    }

    for (const double margin : {1.5, 2.0, 2.5, 3.0}) {
        const Reading values = bulk_of(margin, carrying_share);
        report.say(fmt::format("    {} diameters from the walls: {} grains, compacity {:.4f}, z {:.3f}", margin,
                               values.at("grains"), values["compacity"].value_or(0),
                               values["coordination_without_rattlers"].value_or(0)));
    }

    const Reading bulk = bulk_of(wall_margin, carrying_share);
    const Backbone found = backbone(simulation, carrying_share * impulses.mean);
    const auto whole = Gauge<D>::sample("sample").measure(simulation.snapshot());
    const double per_grain = 2 * double(found.contacts) / double(found.grains);
    report.add(path, "bulk_grains", bulk.at("grains"), "");
    report.add(path, "rattlers", 100 * (1 - double(found.grains) / whole.at("grains")), "%");
    report.add(path, "overlap_ratio", 100 * whole["overlap_ratio"].value_or(0), "%");
    report.add(path, "largest_overlap", whole.at("max_overlap_m") / diameter, "diameters");
    judge(report, {path, "V18 compacity in the bulk", "compacity"}, bulk["compacity"].value_or(0), S::compacity,
          S::compacity_tolerance);
    judge(report, {path, "V19 contacts of a grain in the bulk", "coordination_bulk"},
          bulk["coordination_without_rattlers"].value_or(0), S::coordination, coordination_tolerance);
    // isostatic: as many contacts, walls included, as grains and lid have ways to move
    judge(report, {path, "V19 twice the contacts (walls included) over the grains", "coordination_sample"}, per_grain,
          S::coordination, coordination_tolerance);
}

template <int D>
void close_packing(const Options& options, Report& report)
{
    using S = PackingStudy<D>;
    const int count = options.quick ? S::quick_count : S::count;
    const std::string path = path_of_method(options, S::path);
    const Pressing gather{1e-3, 100, 2e-5, 4000}, settle{1e-4, 1000, 1e-8, options.quick ? 200 : 500};
    auto sample = std::make_unique<PressedSample<D>>(loose_sample<D>(count, smooth_overlaps[0], options));
    report.say(fmt::format("{}: {} grains without friction under a lid", path, count));
    Stopwatch watch;
    press(*sample, gather, report);
    for (const double overlap : std::span(smooth_overlaps).subspan(1)) {
        shrink_overlaps(sample->run.simulation(), report);
        if (!sample->is_rigid) {
            sample = std::make_unique<PressedSample<D>>(stiffened(*sample, count, overlap, options));
        }
        press(*sample, settle, report);
        if (sample->is_rigid) break;
    }
    report.add(path, "seconds", watch.seconds(), "s");
    measure(*sample, path, report);
}

} // namespace

void bench_packing(const Options& options, Report& report)
{
    close_packing<2>(options, report);
    close_packing<3>(options, report);
}

} // namespace talus::bench
