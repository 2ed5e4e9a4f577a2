// Crowds against experiments and against each other, several seeds each (docs/crowd.md):
//   diagram     speed against density in a ring (V35), the preset beside Helbing's constants; Weidmann's curve
//               v = 1.34 (1 − exp(−1.913 (1/ρ − 1/5.4)))
//   bottleneck  flow against width; experiments give 1.2 to 1.9 1/(m s): Müller 1981, Kretz et al. 2006, Seyfried et
//               al. 2009, Liao et al. 2014
//   lanes       order parameter of Rex and Löwen (Phys. Rev. E 75 (2007) 051402) in counter-flow
//   faster      time to leave a room against desired speed, with friction (Helbing, Farkas and Vicsek 2000)
//   methods     one evacuation by the three treatments of contact
//   figures     those of CROWD
#include "benchmarks/bench_crowd_study.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "talus/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus::bench {

namespace {

struct Spread {
    double mean = 0, deviation = 0;
};
Spread spread_of(const std::vector<double>& values)
{
    Spread spread;
    for (const double value : values) spread.mean += value / double(values.size());
    for (const double value : values) spread.deviation += (value - spread.mean) * (value - spread.mean);
    spread.deviation = values.size() > 1 ? std::sqrt(spread.deviation / double(values.size() - 1)) : 0;
    return spread;
}

// One value per seed at each x: a point each, and a line through the means.
struct Series {
    report::Curve points, means;
    Series(const std::string& name, int colour) : points{"", {}, {}, true, colour}, means{name, {}, {}, false, colour}
    {
    }
    Spread add(double x, const std::vector<double>& values)
    {
        for (const double value : values) {
            points.x.push_back(x);
            points.y.push_back(value);
        }
        const Spread spread = spread_of(values);
        means.x.push_back(x);
        means.y.push_back(spread.mean);
        return spread;
    }
};

double weidmann(double density) { return 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4))); }

constexpr double inner = 4, outer = 7; // [m] radii of the ring, as in crowd/rimea-4
const double ring_area = std::numbers::pi * (outer * outer - inner * inner);

// People on circles 0.5 m apart, at every place as likely; above 4 1/m² they are smaller and closer.
std::string ring(double density, int seed, bool by_helbing)
{
    const auto count = std::size_t(std::lround(density * ring_area));
    const double largest = density > 3.9 ? 0.22 : 0.25, spacing = 2 * largest;
    std::vector<Vec<2>> places;
    Random random{std::uint64_t(seed)};
    for (double radius = inner + largest; radius <= outer - largest + 1e-9; radius += spacing) {
        const auto around = int(2 * std::numbers::pi * radius / (1.005 * spacing));
        const double first = random.uniform(0, 1);
        for (int k = 0; k < around; ++k) {
            const double angle = 2 * std::numbers::pi * (k + first) / around;
            places.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
        }
    }
    for (std::size_t k = places.size() - 1; k > 0; --k) // Fisher and Yates
        std::swap(places[k], places[std::size_t(random.uniform() * double(k + 1))]);
    places.resize(std::min(places.size(), count));
    std::string text = fmt::format(
        "[scene]\ndimension = 2\nmethod = \"nsm2\"\ndt = 0.01\nduration = 100\n[materials]\nperson = {{ density = 500 "
        "}}\n[contact]\nfriction = 0\n[crowd]\nnormal_dissipation = 0\n"
        "[[bodies]]\nshape = \"disk\"\nradius = {}\nmotion = \"fixed\"\nmaterial = \"person\"\n"
        "[[bodies]]\nshape = \"hollow_disk\"\nradius = {}\nmotion = \"fixed\"\nmaterial = \"person\"\n"
        "[[walkers]]\naround = [0, 0]\nspeed = 1.34\nspeed_deviation = 0.26\nseed = {}\n{}",
        inner, outer, seed, by_helbing ? "[[drivers]]\ntype = \"social_force\"\n" : "preset = \"weidmann\"\n");
    for (const Vec<2>& place : places) {
        text += fmt::format("[[bodies]]\nshape = \"disk\"\nmaterial = \"person\"\nradius = {}\nposition = [{}, {}]\n",
                            random.uniform(0.19, std::min(0.23, 0.999 * largest)), place.x(), place.y());
    }
    return text;
}

// Mean velocity along the ring.
double ring_speed(const std::string& scene, bool quick)
{
    Simulation<2> simulation = simulation_of_text<2>(scene);
    const double settled = quick ? 5 : 10, end = quick ? 10 : 30; // [s]
    double sum = 0, count = 0;
    while (simulation.clock.time() < end) {
        simulation.step();
        if (simulation.clock.time() < settled || simulation.clock.step % 10 != 0) continue;
        for (std::size_t i = 2; i < simulation.bodies.size(); ++i) {
            const Vec<2>&x = simulation.bodies.position[i], &v = simulation.bodies.velocity[i];
            sum += (x.x() * v.y() - x.y() * v.x()) / x.norm();
            count += 1;
        }
    }
    return sum / count;
}

void fundamental_diagram(const Options& options, Report& report)
{
    report::Curve curve{"Weidmann", {}, {}, false, 2};
    for (double density = 0.2; density <= 5.4; density += 0.05) {
        curve.x.push_back(density);
        curve.y.push_back(weidmann(density));
    }
    Series preset("preset weidmann", 0), helbing("Helbing's constants", 1);
    const std::vector<double> densities =
        options.quick ? std::vector<double>{1, 2} : std::vector<double>{0.1, 0.5, 1, 1.5, 2, 3, 4, 5};
    for (const double density : densities) {
        for (Series* series : {&preset, &helbing}) {
            std::vector<double> speeds;
            for (int seed = 1; seed <= (options.quick ? 1 : 3); ++seed) {
                speeds.push_back(ring_speed(ring(density, seed, series == &helbing), options.quick));
            }
            const Spread speed = series->add(density, speeds);
            const std::string path = fmt::format("diagram/{}/{:g}", series == &preset ? "preset" : "helbing", density);
            report.add(path, "speed_deviation", speed.deviation, "m/s");
            const double expected = density < 0.2 ? 1.34 : weidmann(density);
            const bool is_claimed = series == &preset && (density == 1 || density == 2 || density < 0.2);
            if (is_claimed) {
                judge(report, {path, density < 0.2 ? "free-walking speed" : "V35 speed", "speed", "m/s"}, speed.mean,
                      expected, 0.15 * expected);
            } else {
                report.add(path, "speed", speed.mean, "m/s");
            }
        }
    }
    write_figure(options, "crowd-fundamental-diagram",
                 report::Chart{"speed against density in a ring 3 m wide",
                               "density [1/m²]",
                               "speed [m/s]",
                               false,
                               false,
                               {preset.points, preset.means, curve, helbing.points, helbing.means}});
}

// The room of crowd/bottleneck with another opening.
std::string opening(double width)
{
    return fmt::format("generators[0].text=\"LINESTRING (12 0, 0 0, 0 6, 12 6) POLYGON ((12 -1, 13 -1, 13 {0}, 12 {0}, "
                       "12 -1)) POLYGON ((12 {1}, 13 {1}, 13 7, 12 7, 12 {1}))\"",
                       3 - width / 2, 3 + width / 2);
}

std::vector<std::string> with_seed(int seed, std::vector<std::string> sets)
{
    sets.push_back(fmt::format("scene.seed={}", seed));
    sets.push_back(fmt::format("walkers[0].seed={}", seed));
    return sets;
}

// When so many had left; the end of the run where it did not come to that.
double time_of(const Simulation<2>& simulation, std::size_t count)
{
    return simulation.left.size() < count ? simulation.clock.time() : simulation.left[count - 1].time;
}

void bottleneck(const Options& options, Report& report)
{
    Series flows("flow", 0);
    const std::vector<double> widths =
        options.quick ? std::vector<double>{1.2, 2.4} : std::vector<double>{0.8, 1, 1.2, 1.6, 2, 2.4};
    std::vector<double> means;
    for (const double width : widths) {
        std::vector<double> values;
        for (int seed = 1; seed <= (options.quick ? 1 : 12); ++seed) {
            Simulation<2> simulation = simulation_of<2>("bottleneck", with_seed(seed, {opening(width)}));
            while (simulation.left.size() < 110 && simulation.clock.time() < 150) simulation.step();
            values.push_back(80 / (time_of(simulation, 110) - time_of(simulation, 30)));
        }
        const Spread flow = flows.add(width, values);
        const std::string path = fmt::format("bottleneck/{:g}", width);
        report.add(path, "flow", flow.mean, "1/s");
        report.add(path, "flow_deviation", flow.deviation, "1/s");
        judge_between(report, {path, "specific flow", "specific_flow", "1/(m s)"}, flow.mean / width, 1.2, 1.9);
        means.push_back(flow.mean);
    }
    const Line line = fitted_line(widths, means);
    double worst = 0;
    for (std::size_t k = 0; k < widths.size(); ++k)
        worst = std::max(worst, std::abs(means[k] / (line.slope * widths[k] + line.offset) - 1));
    report.add("bottleneck", "slope", line.slope, "1/(m s)");
    report.add("bottleneck", "offset", line.offset, "1/s");
    judge_below(report, {"bottleneck", "flow off the fitted line, of the line", "off_linear"}, worst, 0.15);
    const report::Curve low{"1.2 and 1.9 1/(m s)", {0, 2.4}, {0, 2.4 * 1.2}, false, 2},
        high{"", {0, 2.4}, {0, 2.4 * 1.9}, false, 2};
    write_figure(options, "crowd-bottleneck",
                 report::Chart{"flow through a bottleneck",
                               "width [m]",
                               "flow [1/s]",
                               false,
                               false,
                               {flows.points, flows.means, low, high}});
}

struct Walker {
    double x, y;
    bool goes_right;
};
// Of each person those in the same lane along the corridor, at most 0.4 m to the side and 4 m away: mean of ((same −
// other)/(same + other))².
double lane_parameter(const std::vector<Walker>& people)
{
    double sum = 0, count = 0;
    for (const Walker& one : people) {
        double same = 0, other = 0;
        for (const Walker& next : people) {
            if (&next == &one || std::abs(next.y - one.y) > 0.4 || std::abs(next.x - one.x) > 4) continue;
            ++(next.goes_right == one.goes_right ? same : other);
        }
        if (same + other == 0) continue;
        sum += std::pow((same - other) / (same + other), 2);
        count += 1;
    }
    return count > 0 ? sum / count : 0;
}

void lanes(const Options& options, Report& report)
{
    std::vector<double> orders, mixed;
    Series found("lanes", 0), random_order("the same people, directions at random", 1);
    const int seeds = options.quick ? 2 : 12;
    for (int seed = 1; seed <= seeds; ++seed) {
        Simulation<2> simulation =
            simulation_of<2>("counter-flow", with_seed(seed, {fmt::format("walkers[1].seed={}", seed + 100)}));
        double order = 0, by_chance = 0, samples = 0;
        Random random{std::uint64_t(seed)};
        while (simulation.clock.time() < 25) {
            simulation.step();
            if (simulation.clock.step % 50 != 0) continue;
            std::vector<Walker> people;
            double right = 0;
            for (std::size_t i = 2; i < simulation.bodies.size(); ++i) {
                const Vec<2>& place = simulation.bodies.position[i];
                if (place.x() < 10 || place.x() > 20) continue; // where they meet
                const bool goes_right = simulation.groups[0].has(simulation.bodies.id(i));
                people.push_back({place.x(), place.y(), goes_right});
                right += goes_right;
            }
            if (right < 5 || double(people.size()) - right < 5) continue;
            order += lane_parameter(people);
            for (std::size_t k = people.size() - 1; k > 0; --k) {
                std::swap(people[k].goes_right, people[std::size_t(random.uniform() * double(k + 1))].goes_right);
            }
            by_chance += lane_parameter(people);
            samples += 1;
        }
        if (samples == 0) continue;
        orders.push_back(order / samples);
        mixed.push_back(by_chance / samples);
        found.add(seed, {orders.back()});
        random_order.add(seed, {mixed.back()});
        report.add(fmt::format("lanes/{}", seed), "left", double(simulation.left.size()), "persons");
    }
    const Spread order = spread_of(orders), chance = spread_of(mixed);
    report.add("lanes", "order_deviation", order.deviation, "");
    report.add("lanes", "by_chance", chance.mean, "");
    judge_above(report, {"lanes", "lane order, above that of random directions by two deviations of seeds", "order"},
                order.mean, chance.mean + 2 * std::hypot(order.deviation, chance.deviation));
    write_figure(options, "crowd-lanes",
                 report::Chart{"lane order in counter-flow",
                               "seed",
                               "order parameter",
                               false,
                               false,
                               {found.points, found.means, random_order.points, random_order.means}});
}

void faster_is_slower(const Options& options, Report& report)
{
    report::Chart chart{
        "80 of 100 persons leave a room by a door of 1.2 m", "desired speed [m/s]", "time [s]", false, false, {}};
    struct Friction {
        const char* name;
        std::vector<std::string> sets;
    };
    const std::vector<Friction> cases = {
        {"crowd-dem, friction", {"scene.method=\"crowd-dem\"", "scene.dt=0.002", "crowd.sliding=2.4e5"}},
        {"crowd-dem, no friction", {"scene.method=\"crowd-dem\"", "scene.dt=0.002"}},
        {"nsm2, K_T = 1000 kg",
         {"scene.method=\"nsm2\"", "crowd.tangential_dissipation=1000", "crowd.normal_dissipation=0"}}};
    const std::vector<double> speeds =
        options.quick ? std::vector<double>{1.34, 4} : std::vector<double>{0.8, 1, 1.34, 2, 3, 4, 5};
    int colour = 0;
    for (const Friction& with : cases) {
        Series times(with.name, colour++);
        for (const double speed : speeds) {
            std::vector<double> values;
            for (int seed = 1; seed <= (options.quick ? 1 : 3); ++seed) {
                std::vector<std::string> sets = with_seed(seed, with.sets);
                sets.push_back(fmt::format("walkers[0].speed={}", speed));
                sets.push_back("walkers[0].speed_deviation=0");
                Simulation<2> simulation = simulation_of<2>("room", sets);
                while (simulation.left.size() < 80 && simulation.clock.time() < 120) simulation.step();
                values.push_back(time_of(simulation, 80));
            }
            const Spread time = times.add(speed, values);
            report.add(fmt::format("faster/{}/{:g}", with.name, speed), "time", time.mean, "s");
            report.add(fmt::format("faster/{}/{:g}", with.name, speed), "deviation", time.deviation, "s");
        }
        const auto least = std::ranges::min_element(times.means.y);
        report.say(fmt::format("  {}: shortest at {:g} m/s; at {:g} m/s {:.2f} times that", with.name,
                               times.means.x[std::size_t(least - times.means.y.begin())], speeds.back(),
                               times.means.y.back() / *least));
        chart.curves.push_back(times.points);
        chart.curves.push_back(times.means);
    }
    write_figure(options, "crowd-faster-is-slower", chart);
}

double deepest_overlap(const Simulation<2>& simulation)
{
    double least = 0;
    for (const double gap : simulation.contacts.gap) least = std::min(least, gap);
    return -least;
}

void three_methods(const Options& options, Report& report)
{
    report.say("  method      last [s]        flow [1/s]      largest overlap [mm]");
    for (const char* name : {"crowd-dem", "nsm1", "nsm2"}) {
        std::vector<double> last, flow, overlap;
        for (int seed = 1; seed <= (options.quick ? 1 : 5); ++seed) {
            Simulation<2> simulation =
                simulation_of<2>("room", with_seed(seed, {fmt::format("scene.method=\"{}\"", name)}));
            double worst = 0;
            while (simulation.left.size() < 100 && simulation.clock.time() < 150) {
                simulation.step();
                worst = std::max(worst, deepest_overlap(simulation));
            }
            last.push_back(time_of(simulation, 100));
            flow.push_back(60 / (time_of(simulation, 80) - time_of(simulation, 20)));
            overlap.push_back(1e3 * worst);
        }
        const Spread t = spread_of(last), q = spread_of(flow), d = spread_of(overlap);
        report.say(fmt::format("  {:<10} {:6.1f} ± {:4.1f}   {:6.2f} ± {:4.2f}   {:9.3g} ± {:.2g}", name, t.mean,
                               t.deviation, q.mean, q.deviation, d.mean, d.deviation));
        report.add(fmt::format("methods/{}", name), "last", t.mean, "s");
        report.add(fmt::format("methods/{}", name), "flow", q.mean, "1/s");
        report.add(fmt::format("methods/{}", name), "overlap", d.mean, "mm");
    }
}

} // namespace

void bench_crowd_study(const Options& options, Report& report)
{
    if (options.wants("figures")) redraw_crowd_figures(options, report);
    if (options.wants("diagram")) fundamental_diagram(options, report);
    if (options.wants("bottleneck")) bottleneck(options, report);
    if (options.wants("lanes")) lanes(options, report);
    if (options.wants("faster")) faster_is_slower(options, report);
    if (options.wants("methods")) three_methods(options, report);
}

} // namespace talus::bench
