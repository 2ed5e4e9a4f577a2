// scene.method = "dem": smooth contact, from [dem].
#include "talus/base/error.hpp"
#include "talus/laws/smooth/smooth_laws.hpp"
#include "talus/simulation/dem_advice.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/smooth_dem.hpp"

#include <fmt/format.h>

namespace talus {

namespace {

// Laws that need the radius of both bodies, where some have none.
template <int D>
void refuse_shapes(const Simulation<D>& simulation, const scene::Value& scene, const SmoothLaws& laws)
{
    if (!laws.needs_radius()) return;
    std::vector<Mistake> mistakes;
    for (int slot = 0; slot < int(LawSlot::count); ++slot) {
        const SlotKind& kind = laws.kind(LawSlot(slot));
        if (!kind.needs_radius || (LawSlot(slot) == LawSlot::rolling && !laws.has_roll())) continue;
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            const ShapeKind shape = simulation.shapes[simulation.bodies.shape[i]].kind;
            if (shape == ShapeKind::ball || simulation.bodies.is_passive(i)) continue;
            mistakes.push_back(mistake(
                scene.at("dem").at(slot_name(LawSlot(slot))),
                fmt::format("needs a radius, and a {} has none: \"{}\" needs none", shape_name<D>(shape),
                            slot_kinds(LawSlot(slot))[0].needs_radius ? "none" : slot_kinds(LawSlot(slot))[0].name)));
            break;
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

// What dem.overlap = "volume" does not know: a mesh is not convex, and the push is that of a spring alone.
template <int D>
void refuse_volume(const Simulation<D>& simulation, const scene::Value& dem, const SmoothLaws& laws)
{
    std::vector<Mistake> mistakes;
    const auto refuse = [&](const std::string& why) { mistakes.push_back(mistake(dem.at("overlap"), why)); };
    if (!simulation.shapes.meshes.empty()) refuse("knows no volume of a mesh: \"points\" does");
    for (const LawSlot slot : {LawSlot::normal, LawSlot::cohesion}) {
        const std::string& only = slot_kinds(slot).front().name;
        if (laws.kind(slot).name == only) continue;
        refuse(fmt::format("goes with dem.{} = \"{}\" only", slot_name(slot), only));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

template <int D>
void use_dem(Simulation<D>& simulation, const scene::Value& scene)
{
    const scene::Value& dem = scene.at("dem");
    const DemAdvice advice = dem_advice(simulation, scene);
    const std::vector<std::string> refusals = SmoothLaws::refusals(dem, simulation.materials, advice.stiffness);
    std::vector<Mistake> mistakes;
    for (const std::string& line : refusals) mistakes.push_back({dem.where, "dem", "", line});
    const scene::Value& dt = dem.at("dt");
    if (dt.is_number() && dt.number() > advice.longest_dt * (1 + 1e-9) && !dem.at("force_dt").boolean()) {
        mistakes.push_back(
            mistake(dt, fmt::format("is too long for the stiffness: at most {:.3g} s ({}); \"auto\" takes "
                                    "that, force_dt = true takes what is given",
                                    advice.longest_dt, advice.dt_rule)));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));

    auto engine = std::make_unique<SmoothDem<D>>();
    engine->forces.laws = SmoothLaws(dem, simulation.materials, advice.stiffness);
    refuse_shapes(simulation, scene, engine->forces.laws);
    engine->forces.detector = make_detector<D>("linked_cells");
    engine->forces.by_volume = dem.at("overlap").is_text("volume");
    if (engine->forces.by_volume) refuse_volume(simulation, dem, engine->forces.laws);
    engine->forces.lever_is_radius = dem.at("lever").is_text("radius");
    if (dem.at("skin").is_number()) engine->forces.skin = dem.at("skin").number();
    engine->integrator = scene::find_kind(integrator_kinds(), dem.at("integrator").text())->make();
    engine->dt = dt.is_number() ? dt.number() : advice.longest_dt;
    const bool hertzian = engine->forces.laws.kind(LawSlot::normal).is_hertzian;
    engine->stiffness = hertzian ? 0 : advice.stiffness;
    simulation.engine = std::move(engine);
}

template <int D>
std::vector<std::string> dem_doubts(const Simulation<D>& simulation, const scene::Value& scene)
{
    const DemAdvice advice = dem_advice(simulation, scene);
    std::vector<std::string> all = SmoothLaws::doubts(scene.at("dem"), simulation.materials, advice.stiffness);
    if (scene.at("dem").at("dt").is_number() && scene.at("dem").at("dt").number() > advice.longest_dt * (1 + 1e-9)) {
        all.push_back(fmt::format("dem.dt = {:g} s is forced: {} asks for {:.3g} s", scene.at("dem").at("dt").number(),
                                  advice.dt_rule, advice.longest_dt));
    }
    double largest = 0;
    for (const DemRule& rule : advice.stiffnesses) largest = std::max(largest, rule.value);
    // overlaps go as 1/√k: a hundredth of a radius at the advised stiffness
    if (advice.stiffness < 1e-3 * largest && !scene.at("dem").at("stiffness").is_text()) {
        all.push_back(
            fmt::format("dem.stiffness = {:g} N/m may let grains pass through each other: {:.2e} keeps overlaps "
                        "near a hundredth of a radius",
                        advice.stiffness, largest));
    }
    return all;
}

template <int D>
std::vector<std::string> dem_choices(const Simulation<D>& simulation, const scene::Value& scene)
{
    const DemAdvice advice = dem_advice(simulation, scene);
    const auto& engine = dynamic_cast<const SmoothDem<D>&>(*simulation.engine);
    std::vector<std::string> lines;
    if (engine.stiffness > 0) {
        std::string others;
        for (const DemRule& rule : advice.stiffnesses) {
            if (rule.name != advice.stiffness_rule) others += fmt::format("; {}: {:.3g}", rule.name, rule.value);
        }
        lines.push_back(fmt::format("stiffness {:.3g} N/m, {}{}", engine.stiffness, advice.stiffness_rule, others));
    }
    const bool is_given = scene.at("dem").at("dt").is_number();
    lines.push_back(
        fmt::format("dem.dt    {:.3g} s, {} in a step; {}{}", engine.dt, engine.parts_of(simulation.clock.dt),
                    is_given ? "given; at most " : "",
                    is_given ? fmt::format("{:.3g} s, {}", advice.longest_dt, advice.dt_rule) : advice.dt_rule));
    return lines;
}

// of a step of the integrator: docs/smooth.md
StepCost dem_cost(const scene::Value&, const StepSize& size)
{
    return {0,
            size.round ? 35e-9 * size.bodies + 15e-9 * size.contacts : 300e-9 * size.bodies + 400e-9 * size.contacts};
}

} // namespace

MethodKind dem_method()
{
    MethodKind kind = method_kind("dem", "smooth contact: forces from overlaps", {use_dem<2>, use_dem<3>}, dem_cost);
    kind.warnings = {dem_doubts<2>, dem_doubts<3>};
    kind.choices = {dem_choices<2>, dem_choices<3>};
    return kind;
}

} // namespace talus
