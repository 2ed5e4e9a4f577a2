#include "talus/simulation/assembly.hpp"

#include "talus/crowd/walkers.hpp"
#include "talus/drivers/drivers.hpp"
#include "talus/drivers/feeder.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/probes/gauge_reader.hpp"
#include "talus/railway/operations.hpp"
#include "talus/railway/railway_checks.hpp"
#include "talus/railway/track_result.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/shapes/collide.hpp"
#include "talus/simulation/body_reader.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace talus {

namespace {

template <int D>
BodyList bodies_named(const Simulation<D>& simulation, const scene::Value& name)
{
    BodyList list;
    for (const BodyGroup& group : simulation.groups) {
        if (group.name != name.text()) continue;
        for (std::int32_t i = group.first; i < group.first + group.count; ++i) list.add(BodyId(i), i);
    }
    if (list.empty()) throw InputError({mistake(name, "names no body that is there when the run starts")});
    return list;
}

template <int D>
NamedBodies bodies_of_driver(const Simulation<D>& simulation, const scene::Value& driver)
{
    NamedBodies named;
    if (const scene::Value* name = driver.find("body")) named.body = bodies_named(simulation, *name);
    if (const scene::Value* groups = driver.find("groups")) {
        for (const scene::Value& group : groups->list()) {
            named.groups.push_back(bodies_named(simulation, group.at("body")));
        }
    }
    return named;
}

// Drivers that cannot do what they are asked with these bodies.
template <int D>
void refuse_drivers(const Simulation<D>& simulation)
{
    std::vector<Mistake> mistakes;
    for (const auto& driver : simulation.drivers) {
        for (Mistake& found : driver->examine(simulation.bodies, simulation.shapes)) {
            mistakes.push_back(std::move(found));
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

template <int D>
void add_gauges(Simulation<D>& simulation, const scene::Value& gauges)
{
    const auto find_body = [&](const scene::Value& name) {
        const BodyList named = bodies_named(simulation, name);
        if (named.size() > 1) {
            throw InputError({mistake(name, fmt::format("names {} bodies: a gauge goes with one", named.size()))});
        }
        return named.ids().front();
    };
    for (const scene::Value& gauge : gauges.list()) {
        simulation.gauges.push_back(read_gauge<D>(gauge, simulation.bodies, find_body, simulation.clock.dt));
    }
    // somebody must watch the interpenetration
    const auto watches = [](const Gauge<D>& gauge) {
        return std::ranges::count(gauge.columns(), std::string_view("interpenetration")) > 0;
    };
    if (std::ranges::any_of(simulation.gauges, watches)) return;
    const bool is_taken =
        std::ranges::any_of(simulation.gauges, [](const Gauge<D>& gauge) { return gauge.name() == "sample"; });
    simulation.gauges.push_back(Gauge<D>::sample(is_taken ? "whole sample" : "sample"));
}

// Shapes that would meet without anybody knowing their contact are refused by name.
template <int D>
void refuse_unknown_pairs(const Simulation<D>& simulation)
{
    std::map<ShapeKind, bool> kinds; // and whether one of them can move
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        kinds[simulation.shapes[simulation.bodies.shape[i]].kind] |= !simulation.bodies.is_passive(i);
    }
    std::vector<Mistake> mistakes;
    for (const auto& [a, a_moves] : kinds) {
        for (const auto& [b, b_moves] : kinds) {
            const bool both_walls = is_unbounded(a) && is_unbounded(b); // walls do not stop each other
            if (b < a || both_walls || can_collide(a, b) || !(a_moves || b_moves)) continue;
            mistakes.push_back({{},
                                "bodies",
                                "",
                                fmt::format("there is no exact contact between {} and {} yet: one "
                                            "of them must be fixed or left out",
                                            shape_name<D>(a), shape_name<D>(b))});
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

// Which entry of the scene each body came from, for messages.
class Origins {
  public:
    void add(std::int32_t first, const scene::Value& entry) { entries_.push_back({first, &entry}); }
    const scene::Value& of(std::int32_t body) const { return *find(body).entry; }
    // "bodies[2] (ball)", or "grain 17 of generators[0] (sand)"
    std::string name(std::int32_t body) const
    {
        const Entry& found = find(body);
        const scene::Value* name = found.entry->find("name");
        const bool single = found.entry->path.starts_with("bodies") || found.entry->path.starts_with("doors");
        return (single ? "" : fmt::format("body {} of ", body - found.first)) + found.entry->path +
               (name ? fmt::format(" ({})", name->text()) : "");
    }

  private:
    struct Entry {
        std::int32_t first;
        const scene::Value* entry;
    };
    const Entry& find(std::int32_t body) const
    {
        return *std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& e) { return e.first <= body; });
    }
    std::vector<Entry> entries_; // in the order of the bodies
};

template <int D>
void refuse_start_overlaps(const Simulation<D>& simulation, const Origins& origins, std::int32_t first_added,
                           double limit)
{
    const auto detector = make_detector<D>("auto");
    ContactTable<D> contacts;
    contacts.detect(simulation.bodies, simulation.shapes, *detector, 0.0);
    std::vector<Mistake> mistakes;
    std::size_t count = 0;
    const auto size_of = [&](std::int32_t i) { return bounding_radius(simulation.shapes, simulation.bodies.shape[i]); };
    // the deepest point of each pair; its points follow each other
    const auto is_same_pair = [&](std::size_t a, std::size_t b) {
        return contacts.candidate[a] == contacts.candidate[b] && contacts.antagonist[a] == contacts.antagonist[b];
    };
    for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
        std::size_t k = begin;
        for (end = begin; end < contacts.size() && is_same_pair(begin, end); ++end) {
            if (contacts.gap[end] < contacts.gap[k]) k = end;
        }
        const auto [first, second] = std::minmax(contacts.candidate[k], contacts.antagonist[k]);
        if (second < first_added) continue; // both come from the state to start from
        const double smaller = std::min(size_of(first), size_of(second));
        if (-contacts.gap[k] <= limit * smaller) continue;
        if (++count > 10) continue; // the first ten tell enough
        Mistake found = mistake_of_key(origins.of(second), "");
        found.key = origins.name(second);
        const std::string other =
            first < first_added ? fmt::format("body {} of the start", first) : origins.name(first);
        found.message = fmt::format("overlaps {} by {:.3g} m at the start: quality.start_overlap allows {:.3g} m",
                                    other, -contacts.gap[k], limit * smaller);
        mistakes.push_back(std::move(found));
    }
    if (count > mistakes.size()) {
        mistakes.push_back({{}, "bodies", "", fmt::format("... and {} more overlaps", count - mistakes.size())});
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

// Their will, and the doors and exits of the ground that they walk on.
void add_people(Simulation<2>& simulation, const scene::Value& scene)
{
    PeopleGround ground{simulation.bodies, simulation.shapes, {}, {}, doors_of(scene, simulation.materials)};
    for (const BodyGroup& group : simulation.groups) {
        ground.groups.push_back({group.name, group.first, group.count, nullptr});
    }
    for (const auto& driver : simulation.drivers) {
        const auto* feeder = dynamic_cast<const Feeder<2>*>(driver.get());
        if (feeder && !feeder->name().empty()) ground.groups.push_back({feeder->name(), 0, 0, &feeder->numbers()});
    }
    for (const DoorLeaf& door : ground.doors) {
        const auto group = std::ranges::find(simulation.groups, door.name, &BodyGroup::name);
        const BodyId leaf = group == simulation.groups.end() ? BodyId::none : BodyId(group->first);
        if (leaf != BodyId::none) ground.leaves.push_back(simulation.bodies.find(leaf));
        simulation.drivers.push_back(make_door(door, leaf));
    }
    for (auto& walkers : make_walkers(scene, ground)) simulation.drivers.push_back(std::move(walkers));
}

// Everything but the bodies.
template <int D>
void add_methods(Simulation<D>& simulation, const scene::Value& scene)
{
    // first: a body that is let go feels the loads of this step
    const auto find = [&](const std::string& name) {
        const auto group = std::ranges::find(simulation.groups, name, &BodyGroup::name);
        return group != simulation.groups.end() && group->count == 1 ? BodyId(group->first) : BodyId::none;
    };
    for (auto& operation : make_operations<D>(scene, find)) simulation.drivers.push_back(std::move(operation));
    for (const scene::Value& driver : scene.at("drivers").list()) {
        simulation.drivers.push_back(make_driver<D>(driver, bodies_of_driver(simulation, driver)));
    }
    refuse_drivers(simulation);
    if constexpr (D == 2) add_people(simulation, scene);
    simulation.clock.dt = scene.at("scene").at("dt").number();
    add_gauges(simulation, scene.at("gauges"));
    if (scene.at("scene").at("until").is_text("rest")) simulation.rest = rest_criteria(scene);
    simulation.contacts.most_points = int(scene.at("detection").at("most_points").integer());
    method_of(scene).maker<D>()(simulation, scene);
    if constexpr (D == 3) {
        auto track = make_track_result(scene, simulation.drivers, simulation.gauges, simulation.bodies, find);
        if (track) simulation.meters.push_back(std::move(track));
    }
}

template <int D>
Origins add_bodies(Simulation<D>& simulation, const scene::Value& scene, SceneBodies mode, const ShapeFiles& files)
{
    std::vector<Mistake> mistakes;
    Origins origins;
    const auto collect = [&](const scene::Value& entry, auto&& add) {
        origins.add(std::int32_t(simulation.bodies.size()), entry);
        try {
            add();
        } catch (const InputError& error) {
            mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
        }
    };
    const std::uint64_t seed = std::uint64_t(scene.at("scene").at("seed").integer());
    const bool all = mode == SceneBodies::add;
    for (const scene::Value& body : scene.at("bodies").list()) {
        if (all) collect(body, [&] { add_body(simulation, body, files); });
    }
    if constexpr (D == 2) {
        const std::vector<DoorLeaf> doors = doors_of(scene, simulation.materials);
        for (std::size_t k = 0; k < doors.size(); ++k) {
            if (!all || doors[k].is_open(0)) continue;
            origins.add(std::int32_t(simulation.bodies.size()), scene.at("doors").list()[k]);
            simulation.groups.push_back({doors[k].name, add_leaf(simulation.bodies, simulation.shapes, doors[k]), 1});
        }
    }
    const auto& generators = scene.at("generators").list();
    for (std::size_t number = 0; number < generators.size(); ++number) {
        if (!all && !kind_of_generator(generators[number]).bodies_to_come) continue; // feeders go on feeding
        collect(generators[number], [&] { add_generator(simulation, generators[number], seed, number, files); });
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return origins;
}

} // namespace

template <int D>
Simulation<D> assemble(const scene::Value& scene, const ShapeFiles& files)
{
    Simulation<D> simulation;
    simulation.materials = MaterialTable(scene.at("materials"), scene.at("contact"));
    const Origins origins = add_bodies(simulation, scene, SceneBodies::add, files);
    refuse_unknown_pairs(simulation);
    add_methods(simulation, scene);
    refuse_start_overlaps(simulation, origins, 0, scene.at("quality").at("start_overlap").number());
    return simulation;
}

template <int D>
Simulation<D> assemble_from(const scene::Value& scene, NamedState<D> start, SceneBodies scene_bodies,
                            const ShapeFiles& files)
{
    Simulation<D> simulation;
    simulation.materials = MaterialTable(scene.at("materials"), scene.at("contact"));
    std::vector<std::int32_t> renamed;
    std::vector<Mistake> mistakes;
    for (const std::string& name : start.materials) {
        if (scene.at("materials").find(name)) {
            renamed.push_back(simulation.materials.index(name));
        } else {
            mistakes.push_back(mistake(scene.at("materials"), "the state to start from has bodies of material \"" +
                                                                  name + "\", which is not among these"));
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    renumber(start);
    simulation.bodies = std::move(start.bodies);
    simulation.shapes = std::move(start.shapes);
    simulation.contacts = std::move(start.contacts);
    simulation.groups = std::move(start.groups);
    for (std::int32_t& material : simulation.bodies.material) material = renamed[material];
    const std::int32_t first_added = std::int32_t(simulation.bodies.size());
    const Origins origins = add_bodies(simulation, scene, scene_bodies, files);
    refuse_unknown_pairs(simulation);
    add_methods(simulation, scene);
    refuse_start_overlaps(simulation, origins, first_added, scene.at("quality").at("start_overlap").number());
    return simulation;
}

template <int D>
std::vector<std::string> warnings(const Simulation<D>& simulation, const scene::Value& scene)
{
    std::vector<std::string> all = railway_warnings(scene);
    const double dt = simulation.clock.dt;
    const bool is_bound_by_dt = !method_of(scene).sees_within_step;
    double fastest = 0, highest = 0;
    for (const auto& driver : simulation.drivers) highest = std::max(highest, driver->frequency());
    if (is_bound_by_dt && 20 * highest * dt > 1 + 1e-9) { // a dt of 1/(20 f) is meant, whatever its round-off
        all.push_back(fmt::format("dt = {:g} s gives {:.1f} steps per period of {:g} Hz: twenty or more follow a "
                                  "vibration (dt ≤ {:.3g} s)",
                                  dt, 1 / (highest * dt), highest, 1 / (20 * highest)));
    }
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        const double radius = bounding_radius(simulation.shapes, simulation.bodies.shape[i]);
        fastest = std::max(fastest, simulation.bodies.velocity[i].norm());
        if (!simulation.bodies.is_passive(i) && std::isfinite(radius)) smallest = std::min(smallest, 2 * radius);
    }
    for (const scene::Value& generator : scene.at("generators").list()) {
        const scene::Value* velocity = generator.find("velocity");
        if (velocity) fastest = std::max(fastest, vector_of<D>(*velocity).norm());
    }
    // two digits, as it is told: what they do not tell from dt is no advice
    const double advised = fastest > 0 ? std::stod(fmt::format("{:.1e}", 0.1 * smallest / fastest)) : dt;
    if (is_bound_by_dt && std::isfinite(smallest) && advised < dt) {
        all.push_back(fmt::format("a body moves {:.3g} m in a step, more than a tenth of the smallest diameter "
                                  "({:.3g} m): dt ≤ {:g} s keeps contacts in sight",
                                  fastest * dt, smallest, advised));
    }
    for (std::string& line : method_of(scene).warnings(simulation, scene)) all.push_back(std::move(line));
    const Snapshot<D> snapshot = simulation.snapshot();
    for (const Gauge<D>& gauge : simulation.gauges) {
        for (std::string& doubt : gauge.doubts(snapshot)) all.push_back(std::move(doubt));
    }
    return all;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Simulation<D> assemble(const scene::Value&, const ShapeFiles&);                                           \
    template Simulation<D> assemble_from(const scene::Value&, NamedState<D>, SceneBodies, const ShapeFiles&);          \
    template std::vector<std::string> warnings(const Simulation<D>&, const scene::Value&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
