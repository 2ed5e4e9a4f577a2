// scene.method = "event": event-driven dynamics, from [event]; walls and what drives them from the bodies and drivers.
#include "talus/base/error.hpp"
#include "talus/drivers/driver_kind.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/event_driven.hpp"
#include "talus/simulation/event_refusals.hpp"
#include "talus/simulation/event_schema.hpp"
#include "talus/simulation/method.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus {

namespace {

// A driver acts at steps that begin in [from, until): the moment of the first such step, and of the first after.
double moment_of_step(double time, double dt) { return std::max(0.0, std::ceil(time / dt - 0.5 - 1e-9)) * dt; }

template <int D>
ImposedTerm<D> imposed_by(const scene::Value& driver, double dt)
{
    ImposedTerm<D> term;
    const ActingTime acting(driver);
    term.begin = moment_of_step(acting.from, dt);
    term.end = std::isfinite(acting.until) ? moment_of_step(acting.until, dt) : never;
    if (driver.at("type").is_text("velocity")) {
        term.velocity = vector_of<D>(driver.at("velocity"));
    } else {
        term.oscillations.push_back({vector_of<D>(driver.at("amplitude")), 2 * M_PI * driver.at("frequency").number(),
                                     acting.from, driver.at("phase").number()});
    }
    return term;
}

template <int D>
bool acts_on(const Simulation<D>& simulation, const scene::Value& driver, BodyId body)
{
    const scene::Value* name = driver.find("body");
    return name && std::ranges::any_of(simulation.groups, [&](const BodyGroup& group) {
               return group.name == name->text() && group.has(body);
           });
}

template <int D>
Wall<D> wall_of(const Simulation<D>& simulation, const scene::Value& scene, std::size_t i)
{
    const BodyTable<D>& bodies = simulation.bodies;
    const Shape<D>& shape = simulation.shapes[bodies.shape[i]];
    Wall<D> wall;
    wall.kind = shape.kind;
    wall.place = bodies.position[i];
    wall.body = std::int32_t(i);
    wall.material = bodies.material[i];
    if (shape.kind == ShapeKind::half_space) {
        wall.direction = bodies.orientation[i] * simulation.shapes.half_spaces[shape.detail].normal;
    } else {
        wall.radius = shape.radius;
    }
    if (shape.kind == ShapeKind::segment) {
        wall.direction = bodies.orientation[i] * simulation.shapes.segments[shape.detail].half;
    }
    if constexpr (D == 3) {
        if (shape.kind == ShapeKind::hollow_cylinder) {
            wall.direction = bodies.orientation[i] * simulation.shapes.hollow_cylinders[shape.detail].axis;
        }
    }
    std::vector<ImposedTerm<D>> terms;
    for (const scene::Value& driver : scene.at("drivers").list()) {
        if (acts_on(simulation, driver, bodies.id(i))) terms.push_back(imposed_by<D>(driver, simulation.clock.dt));
    }
    if (terms.empty() && !bodies.velocity[i].isZero(0)) { // drivers take the place of a velocity of its own
        terms.emplace_back().velocity = bodies.velocity[i];
    }
    wall.motion = WallMotion<D>(terms);
    return wall;
}

template <int D>
void show_no_contacts(Gauge<D>& gauge)
{
    const std::vector<std::string> useless = indicators_of_contacts();
    const std::vector<std::string> columns = gauge.columns();
    std::vector<std::string> shown;
    for (const Indicator<D>& indicator : indicators<D>()) {
        const bool is_shown = std::ranges::find(columns, indicator.columns.front()) != columns.end();
        if (is_shown && std::ranges::find(useless, indicator.name) == useless.end()) shown.push_back(indicator.name);
    }
    gauge.showing(shown);
}

// Impacts so far, for the series and the summary.
template <int D>
class ImpactMeter final : public Meter<D> {
  public:
    explicit ImpactMeter(const EventDriven<D>& engine) : tally_(engine.balls.tally) {}
    std::string name() const override { return "impacts"; }
    void watch(const Snapshot<D>&, const Clock&) override {}
    std::vector<std::string> columns() const override { return {"impacts", "wall_impacts"}; }
    std::vector<Maybe> values() const override { return {tally_.impacts, tally_.wall_impacts}; }
    scene::Value results() const override
    {
        scene::Value table = scene::Value::table();
        table.set("impacts", scene::Value(tally_.impacts));
        table.set("wall_impacts", scene::Value(tally_.wall_impacts));
        table.set("made_elastic", scene::Value(tally_.elastic));
        return table;
    }
    std::vector<std::string> told() const override
    {
        std::string line =
            fmt::format("{:.0f} impacts of bodies, {:.0f} with walls", tally_.impacts, tally_.wall_impacts);
        if (tally_.elastic > 0) line += fmt::format("; {:.0f} made elastic by event.tc", tally_.elastic);
        return {line};
    }
    std::vector<std::uint64_t> save() const override { return {}; } // the engine remembers
    bool restore(std::span<const std::uint64_t>) override { return true; }

  private:
    const EventTally& tally_; // of the engine, which the simulation keeps
};

template <int D>
void use_events(Simulation<D>& simulation, const scene::Value& scene)
{
    refuse_for_events(simulation, scene);
    auto engine = std::make_unique<EventDriven<D>>();
    engine->balls.options.contact_time = scene.at("event").at("tc").number();
    engine->balls.options.most_impacts = double(scene.at("event").at("most_impacts").integer());
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (simulation.shapes[simulation.bodies.shape[i]].kind == ShapeKind::ball) continue;
        engine->balls.walls.push_back(wall_of(simulation, scene, i));
        engine->wall_ids.push_back(simulation.bodies.id(i));
    }
    for (Gauge<D>& gauge : simulation.gauges) show_no_contacts(gauge);
    simulation.meters.push_back(std::make_unique<ImpactMeter<D>>(*engine));
    simulation.engine = std::move(engine);
}

template <int D>
std::vector<std::string> event_choices(const Simulation<D>& simulation, const scene::Value& scene)
{
    const auto& engine = dynamic_cast<const EventDriven<D>&>(*simulation.engine);
    std::size_t balls = 0, moving_walls = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) balls += !simulation.bodies.is_passive(i);
    for (const Wall<D>& wall : engine.balls.walls) moving_walls += !wall.motion.is_still();
    const double tc = scene.at("event").at("tc").number();
    return {fmt::format("events    {} balls that fly, {} walls of which {} move; {}", balls, engine.balls.walls.size(),
                        moving_walls,
                        tc > 0 ? fmt::format("impacts within {:g} s of the last one lose nothing", tc)
                               : "inelastic collapse ends the run (event.tc = 0)")};
}

} // namespace

scene::Key event_schema()
{
    using namespace scene;
    return table("event", "Impacts one by one, for scene.method = \"event\".",
                 {number("tc", "contact time of the TC model: an impact sooner than that after the last one of either "
                               "body loses nothing, which ends inelastic collapse; 0: none")
                      .in("s")
                      .at_least(0)
                      .otherwise_zero(),
                  integer("most_impacts", "per body in a step of scene.dt; more are a pile, and the run stops")
                      .at_least(1)
                      .otherwise(Value(10000))})
        .otherwise(Value::table());
}

MethodKind event_method()
{
    MethodKind kind = method_kind("event", "hard disks and spheres from impact to impact",
                                  {use_events<2>, use_events<3>}, nullptr); // impacts cannot be told beforehand
    kind.sees_within_step = true;
    kind.choices = {event_choices<2>, event_choices<3>};
    return kind;
}

} // namespace talus
