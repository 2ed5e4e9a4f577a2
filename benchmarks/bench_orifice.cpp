// Beverloo's law (V17): the mass that flows through an opening of width D in the floor of a silo goes as (D − k
// d)^{5/2} in 3D and as the power 3/2 in 2D, d the grain's diameter. A slot between disks' two floors, a square hole
// for spheres. What has fallen through is put back on top, so that the flow is steady.
#include "benchmarks/bench_orifice.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "talus/base/random.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/probes/sample.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace {

template <int D>
struct OrificeStudy;
template <>
struct OrificeStudy<2> {
    static constexpr const char* path = "2d/disks";
    static constexpr double diameter = 5e-3, dt = 5e-4; // [m], [s] a falling grain moves less than a tenth of it
    static constexpr double width = 40 * diameter;      // [m] of the silo
    static constexpr int grains = 1700;
    static constexpr double power = 1.5;
    static constexpr double openings[] = {6, 8, 10, 13, 16}; // [diameters]
    static constexpr const char* unit = "kg/s/m";
};
template <>
struct OrificeStudy<3> {
    static constexpr const char* path = "3d/spheres";
    static constexpr double diameter = 1e-2, dt = 8e-4;
    static constexpr double width = 14 * diameter;
    static constexpr int grains = 2600;
    static constexpr double power = 2.5;
    static constexpr double openings[] = {4, 4.75, 5.5, 6.25, 7};
    static constexpr const char* unit = "kg/s";
};

// A slab of the floor between two corners, thicker than a grain can cross in a step.
std::string slab(const Vec<2>& lower, const Vec<2>& upper)
{
    return fmt::format(R"(
[[bodies]]
shape = "polygon"
vertices = [[{0}, {1}], [{2}, {1}], [{2}, {3}], [{0}, {3}]]
motion = "fixed"
material = "grain"
)",
                       lower[0], lower[1], upper[0], upper[1]);
}
std::string slab(const Vec<3>& lower, const Vec<3>& upper)
{
    return fmt::format(R"(
[[bodies]]
shape = "polyhedron"
vertices = [[{0}, {1}, {2}], [{3}, {1}, {2}], [{0}, {4}, {2}], [{3}, {4}, {2}],
            [{0}, {1}, {5}], [{3}, {1}, {5}], [{0}, {4}, {5}], [{3}, {4}, {5}]]
motion = "fixed"
material = "grain"
)",
                       lower[0], lower[1], lower[2], upper[0], upper[1], upper[2]);
}

// Slabs around an opening in the middle; their upper faces are at height 0.
template <int D>
std::string floor_text(double opening)
{
    const double width = OrificeStudy<D>::width, from = 0.5 * (width - opening), to = 0.5 * (width + opening);
    const double thick = OrificeStudy<D>::diameter, rim = OrificeStudy<D>::diameter; // [m] below the walls, too
    if constexpr (D == 2) {
        return slab(Vec<2>(-rim, -thick), Vec<2>(from, 0)) + slab(Vec<2>(to, -thick), Vec<2>(width + rim, 0));
    } else {
        return slab(Vec<3>(-rim, -rim, -thick), Vec<3>(from, width + rim, 0)) +
               slab(Vec<3>(to, -rim, -thick), Vec<3>(width + rim, width + rim, 0)) +
               slab(Vec<3>(from, -rim, -thick), Vec<3>(to, from, 0)) +
               slab(Vec<3>(from, to, -thick), Vec<3>(to, width + rim, 0));
    }
}

constexpr const char* orifice_scene = R"(
[scene]
name = "silo with an opening"
dimension = {dimension}
dt = {dt}
duration = 10
seed = 1

[materials]
grain = {{ density = 2500 }}

[contact]
friction = 0.5

[[generators]]
name = "silo"
type = "container"
lower = {lower}
upper = {upper}
open = ["top", "bottom"]
material = "grain"

[[generators]]
name = "grains"
type = "deposit"
radius = [{smallest}, {largest}]
lower = {lower}
upper = {upper}
count = {count}
material = "grain"

[[drivers]]
type = "gravity"
)";

template <int D>
std::string scene_of(double opening)
{
    using S = OrificeStudy<D>;
    const double high = 1.6 * S::width;
    using fmt::arg;
    return fmt::format(fmt::runtime(orifice_scene), arg("dimension", D), arg("dt", S::dt),
                       arg("lower", vector_text<D>(0, 0)), arg("upper", vector_text<D>(S::width, high)),
                       arg("smallest", 0.45 * S::diameter), arg("largest", 0.55 * S::diameter),
                       arg("count", S::grains)) +
           floor_text<D>(opening);
}

template <int D>
class Silo {
  public:
    Silo(double opening, const Options& options)
        : run_(setup_of_text<D>(scene_of<D>(opening), sets_of_method(options, smooth_column)))
    {
    }

    // [kg] that falls through in this time
    double flow_for(double seconds)
    {
        double mass = 0;
        const double until = run_.time() + seconds;
        while (run_.time() < until) {
            take_step(run_);
            mass += put_back();
        }
        return mass;
    }

  private:
    double put_back()
    {
        BodyTable<D>& bodies = run_.simulation().bodies;
        const Sample<D> sample{bodies, run_.state().shapes};
        double mass = 0, surface = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (sample.is_grain(i)) surface = std::max(surface, bodies.position[i][D - 1]);
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!sample.is_grain(i) || bodies.position[i][D - 1] > -4 * OrificeStudy<D>::diameter) continue;
            mass += bodies.mass[i];
            bodies.position[i] = free_place(surface);
            bodies.velocity[i].setZero();
            bodies.spin[i].setZero();
        }
        return mass;
    }

    // Anywhere across the silo; as high as need be to touch nothing.
    Vec<D> free_place(double surface)
    {
        const double margin = 0.6 * OrificeStudy<D>::diameter;
        Vec<D> place;
        for (int k = 0; k < D - 1; ++k) place[k] = random_.uniform(margin, OrificeStudy<D>::width - margin);
        place[D - 1] = surface - 4 * OrificeStudy<D>::diameter;
        for (bool is_free = false; !is_free; place[D - 1] += 0.5 * OrificeStudy<D>::diameter) {
            is_free = true;
            for (const Vec<D>& other : run_.state().bodies.position) {
                is_free = is_free && (other - place).norm() > 1.2 * OrificeStudy<D>::diameter;
            }
            if (is_free) break;
        }
        return place;
    }

    Run<D> run_;
    Random random_{7};
};

template <int D>
void study(const Options& options, Report& report)
{
    using S = OrificeStudy<D>;
    const std::string path = path_of_method(options, S::path);
    Stopwatch watch;
    std::vector<double> openings, flows, roots;
    for (const double opening : S::openings) {
        if (options.quick && openings.size() == 3) break;
        Silo<D> silo(opening * S::diameter, options);
        silo.flow_for(options.quick ? 0.08 : 0.4); // until it is steady
        const double seconds = options.quick ? 0.1 : 1;
        openings.push_back(opening * S::diameter);
        flows.push_back(silo.flow_for(seconds) / seconds);
        roots.push_back(std::pow(flows.back(), 1 / S::power));
        report.add(path, fmt::format("flow_{}d", opening), flows.back(), S::unit);
    }
    const Line fit = fitted_line(openings, roots);
    const double lost = -fit.offset / fit.slope; // [m] k d: the opening where the flow ends
    report::Curve law{"(D − k d)^" + fmt::format("{}", S::power), {}, {}, false, -1};
    report::Curve measured{"measured", openings, flows, true, -1};
    double worst = 0;
    for (std::size_t k = 0; k < openings.size(); ++k) {
        const double flow = std::pow(fit.slope * (openings[k] - lost), S::power);
        worst = std::max(worst, std::abs(flows[k] / flow - 1));
    }
    for (double opening = lost; opening < 1.05 * openings.back(); opening += 0.02 * openings.back()) {
        law.x.push_back(opening);
        law.y.push_back(std::pow(fit.slope * (opening - lost), S::power));
    }
    write_figure(options, D == 2 ? "beverloo-2d" : "beverloo-3d",
                 {"flow through an opening",
                  "width of the opening [m]",
                  std::string("flow [") + S::unit + "]",
                  false,
                  false,
                  {law, measured}});
    judge_below(report,
                {path, fmt::format("V17 largest distance from (D − k d)^{}", S::power), "beverloo_distance", "%"},
                100 * worst, 15);
    judge_between(report, {path, "V17 k of Beverloo's law", "k"}, lost / S::diameter, 0.5, 3);
    report.add(path, "seconds", watch.seconds(), "s");
}

} // namespace

void bench_orifice(const Options& options, Report& report)
{
    study<2>(options, report);
    study<3>(options, report);
}

} // namespace talus::bench
