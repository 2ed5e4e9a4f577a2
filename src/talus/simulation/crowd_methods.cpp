// scene.method = "crowd-dem", "nsm1", "nsm2": the three treatments of contact of CROWD, from [crowd] and [detection].
#include "talus/base/error.hpp"
#include "talus/crowd/crowd_measures.hpp"
#include "talus/simulation/crowd_contact.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus {

namespace {

// Pedestrians are disks; everything else stands or is led.
void refuse_others(const Simulation<2>& simulation, const scene::Value& scene)
{
    std::vector<Mistake> mistakes;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        const bool is_disk = simulation.shapes[simulation.bodies.shape[i]].kind == ShapeKind::ball;
        const bool is_free = (simulation.bodies.imposed[i] & 3u) == 0;
        if (simulation.bodies.is_passive(i) || (is_disk && is_free)) continue;
        if (mistakes.size() == 10) break;
        const Vec<2>& place = simulation.bodies.position[i];
        mistakes.push_back(mistake(scene.at("scene").at("method"),
                                   fmt::format("treats people as disks that walk freely: body {} at ({:.3g}, {:.3g}) "
                                               "m is {}; it may be fixed",
                                               i, place.x(), place.y(), is_disk ? "held along one axis" : "no disk")));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

template <CrowdTreatment treatment>
void use_crowd_contact(Simulation<2>& simulation, const scene::Value& scene)
{
    refuse_others(simulation, scene);
    const scene::Value &crowd = scene.at("crowd"), &detection = scene.at("detection");
    auto engine = std::make_unique<CrowdContact>();
    engine->treatment = treatment;
    engine->law = {.keeps_places = treatment == CrowdTreatment::places,
                   .dt = simulation.clock.dt,
                   .normal = crowd.at("normal_dissipation").number(),
                   .tangential = crowd.at("tangential_dissipation").number(),
                   .power = crowd.at("power").number()};
    // what NSM1 misses its law by in a step is an overlap: 1e-10 m at the most
    const double automatic = treatment == CrowdTreatment::places ? 1e-10 / simulation.clock.dt : 1e-6;
    engine->options.tolerance = crowd.at("tolerance").is_number() ? crowd.at("tolerance").number() : automatic;
    engine->options.sweeps = int(crowd.at("sweeps").integer());
    engine->by_uzawa = crowd.at("solver").is_text("uzawa");
    engine->stiffness = crowd.at("stiffness").number();
    engine->sliding = crowd.at("sliding").number();
    const double skin = detection.at("skin").is_text() ? 0 : detection.at("skin").number();
    engine->detector = make_detector<2>(detection.at("method").text(), {skin, detection});
    simulation.engine = std::move(engine);
    simulation.meters.push_back(make_crowd_measures(scene));
    simulation.meters.back()->begin(simulation.snapshot());
}

void refuse_space(Simulation<3>&, const scene::Value& scene)
{
    throw InputError({mistake(scene.at("scene").at("dimension"), "must be 2: crowds are flat, on one storey")});
}

// A person on a spring k swings with √(m/k): the scheme of CROWD needs some steps of that.
std::vector<std::string> soft_doubts(const Simulation<2>& simulation, const scene::Value& scene)
{
    double lightest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (!simulation.bodies.is_passive(i)) lightest = std::min(lightest, simulation.bodies.mass[i]);
    }
    const double stiffness = scene.at("crowd").at("stiffness").number();
    const double contact_time = M_PI * std::sqrt(0.5 * lightest / stiffness);
    if (!std::isfinite(contact_time) || simulation.clock.dt <= 0.25 * contact_time) return {};
    return {fmt::format("scene.dt = {:g} s is long for crowd.stiffness = {:g} N/m: contacts of two last {:.3g} s, and "
                        "a quarter of that is the most that keeps them sound",
                        simulation.clock.dt, stiffness, contact_time)};
}

// `Nanoseconds` per person, in a jam: docs/crowd.md
template <int Nanoseconds>
StepCost crowd_cost(const scene::Value&, const StepSize& size)
{
    return {0, 1e-9 * Nanoseconds * size.bodies};
}

} // namespace

MethodKind crowd_dem_method()
{
    MethodKind kind = method_kind("crowd-dem", "people on springs (Helbing)",
                                  {use_crowd_contact<CrowdTreatment::soft>, refuse_space}, crowd_cost<450>);
    kind.warnings.in_plane = soft_doubts;
    return kind;
}

MethodKind nsm1_method()
{
    return method_kind("nsm1", "people who never overlap (Maury and Venel)",
                       {use_crowd_contact<CrowdTreatment::places>, refuse_space}, crowd_cost<20'000>);
}

MethodKind nsm2_method()
{
    return method_kind("nsm2", "percussions between people (Frémond)",
                       {use_crowd_contact<CrowdTreatment::percussions>, refuse_space}, crowd_cost<700>);
}

} // namespace talus
