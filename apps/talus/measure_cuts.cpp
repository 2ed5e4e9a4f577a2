#include "measure_cuts.hpp"

#include "talus/base/error.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/probes/stress.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/scene/schema.hpp"
#include "talus/scene/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace talus;

namespace {

const scene::Schema& cuts_schema()
{
    using namespace scene;
    static const Schema schema(
        {table("scene", "", {integer("dimension", "").required()}),
         tables("cuts", "",
                {scene::vector("centre", "a point of the cut").in("m").required(),
                 scene::vector("normal", "across the cut").nonzero().required(),
                 number("radius", "half the length of a segment; of a disk").in("m").above(0).automatic()})});
    return schema;
}

template <int D>
std::string shown(const Vec<D>& vector)
{
    std::string text;
    for (int axis = 0; axis < D; ++axis) text += fmt::format("{}{:.6g}", axis ? ", " : "", vector[axis]);
    return "(" + text + ")";
}

} // namespace

template <int D>
std::vector<PlaneCut<D>> read_cuts(const std::vector<std::string>& texts)
{
    std::vector<PlaneCut<D>> cuts;
    for (const std::string& text : texts) {
        scene::Value root = io::parse_scene(fmt::format("scene.dimension = {}\ncuts = [{}]", D, text), "--cut");
        std::vector<Mistake> mistakes = cuts_schema().validate(root);
        if (!mistakes.empty()) throw InputError(std::move(mistakes));
        for (const scene::Value& entry : root.at("cuts").list()) {
            PlaneCut<D> cut{vector_of<D>(entry.at("centre")), vector_of<D>(entry.at("normal")).normalized()};
            if (!entry.at("radius").is_text()) cut.radius = entry.at("radius").number();
            cuts.push_back(cut);
        }
    }
    return cuts;
}

template <int D>
void print_cuts(const Simulation<D>& simulation, const std::vector<PlaneCut<D>>& cuts)
{
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    for (const PlaneCut<D>& cut : cuts) {
        const Vec<D> force = force_through(cut, sample, simulation.contacts, simulation.clock.dt);
        fmt::print("\ncut through {} across {}{}\n", shown<D>(cut.centre), shown<D>(cut.normal),
                   std::isfinite(cut.radius) ? fmt::format(", radius {:g} m", cut.radius) : "");
        fmt::print("  {:<34} {} N, {:.6g} N in all\n", "force on the side away from the normal", shown<D>(force),
                   force.norm());
        fmt::print("  {:<34} {:.6g} N (tension is positive)\n", "along the normal", force.dot(cut.normal));
    }
}

template <int D>
std::vector<Gauge<D>> round_gauges(const Simulation<D>& simulation, const scene::Value& scene,
                                   const std::vector<std::string>& names)
{
    std::vector<Gauge<D>> found;
    for (const std::string& name : names) {
        std::vector<std::string> round;
        for (const scene::Value& entry : scene.at("gauges").list()) {
            if (entry.at("type").is_text("disk") || entry.at("type").is_text("sphere")) {
                round.push_back(entry.at("name").text());
            }
        }
        if (std::ranges::count(round, name) == 0) {
            throw InputError(
                fmt::format("--diameters {}: no {} gauge has this name; {}", name, D == 2 ? "disk" : "sphere",
                            round.empty() ? "the run has none, --gauge adds one" : scene::suggestion(name, round)));
        }
        const auto gauge = std::ranges::find_if(simulation.gauges, [&](const auto& g) { return g.name() == name; });
        found.push_back(*gauge);
    }
    return found;
}

template <int D>
DiameterCheck check_of(const Simulation<D>& simulation, const Gauge<D>& gauge)
{
    const Snapshot<D> snapshot = simulation.snapshot();
    const View<D> view = gauge.look(snapshot);
    const std::optional<Mat<D>> stress = mean_stress(view);
    if (!stress) throw InputError(fmt::format("--diameters {}: the gauge holds no grain", gauge.name()));
    return check_diameters(view.region, *stress, snapshot.sample, snapshot.contacts, snapshot.dt);
}

template <int D>
void print_diameters(const Simulation<D>& simulation, const std::vector<Gauge<D>>& gauges)
{
    const char* unit = D == 2 ? "N/m" : "Pa";
    for (const Gauge<D>& gauge : gauges) {
        const DiameterCheck check = check_of(simulation, gauge);
        fmt::print("\nforces on the diameters of {} [{}], tension is positive\n", gauge.name(), unit);
        fmt::print("  {:>9} {:>12} {:>12} {:>12} {:>12}\n", "angle [°]", "normal", "n·σn", "tangential", "t·σn");
        for (const DiameterTraction& one : check.diameters) {
            fmt::print("  {:>9.1f} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n", one.angle * 180 / M_PI, one.normal,
                       one.predicted_normal, one.tangential, one.predicted_tangential);
        }
        fmt::print("  rms deviation {:.2f} % of the rms traction\n", 100 * check.deviation);
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::vector<PlaneCut<D>> read_cuts<D>(const std::vector<std::string>&);                                   \
    template void print_cuts(const Simulation<D>&, const std::vector<PlaneCut<D>>&);                                   \
    template std::vector<Gauge<D>> round_gauges(const Simulation<D>&, const scene::Value&,                             \
                                                const std::vector<std::string>&);                                      \
    template DiameterCheck check_of(const Simulation<D>&, const Gauge<D>&);                                            \
    template void print_diameters(const Simulation<D>&, const std::vector<Gauge<D>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE
