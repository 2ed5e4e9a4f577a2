#include "talus/railway/operations.hpp"

#include "talus/railway/operation.hpp"
#include "talus/railway/track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

const std::vector<OperationKind>& operation_kinds()
{
    static const std::vector<OperationKind> kinds = {tamping(), stabilisation(), train(), lateral_push(), wall_force()};
    return kinds;
}

const OperationKind& kind_of(const scene::Value& operation)
{
    const std::string& type = operation.at("type").text();
    return *std::ranges::find(operation_kinds(), type, &OperationKind::name);
}

// At the start the number of a body is its place.
void add(BodyList& list, BodyId body) { list.add(body, std::int32_t(body)); }

BodyId found(const BodyFinder& find, const std::string& name, const scene::Value& wanted)
{
    const BodyId body = find(name);
    if (body == BodyId::none) throw InputError({mistake(wanted, "the sample has no body named \"" + name + "\"")});
    return body;
}

OperationSite site_of(const scene::Value& operation, const Track& track, const BodyFinder& find)
{
    OperationSite site;
    site.scale = track.scale;
    site.tool_strength = track.tool_strength;
    for (const Sleeper& sleeper : track.sleepers) {
        add(site.all_sleepers, found(find, sleeper.name, operation.at("type")));
    }
    if (const scene::Value* sleepers = operation.find("sleepers")) {
        for (const scene::Value& number : sleepers->list()) {
            const std::size_t k = std::size_t(number.number()) - 1;
            add(site.sleepers, site.all_sleepers.ids()[k]);
            site.places.push_back(track.tool_places(k));
        }
    }
    if (operation.at("type").is_text("tamping")) {
        const std::size_t tools = track.tool_places(0).size();
        for (std::size_t k = 0; k < tools; ++k) {
            add(site.tools, found(find, tool_name(k), operation.at("type")));
        }
    }
    if (const scene::Value* wall = operation.find("wall")) add(site.wall, found(find, "box." + wall->text(), *wall));
    return site;
}

} // namespace

void Operation::find_bodies(const BodyTable<3>& bodies)
{
    for (BodyList* list : {&site_.sleepers, &site_.all_sleepers, &site_.tools, &site_.wall}) {
        list->find(bodies);
        if (!list->is_complete()) throw RunError("a sleeper, tool or wall that an operation moves has left the run");
    }
}

std::vector<scene::Variant> operation_variants()
{
    std::vector<scene::Variant> variants;
    for (const OperationKind& kind : operation_kinds()) {
        variants.push_back({{kind.name, 3, {}}, kind.doc, kind.keys, {}, {}});
    }
    return variants;
}

std::vector<OperationTime> operation_times(const scene::Value& scene)
{
    std::vector<OperationTime> times;
    if (scene.at("operations").list().empty()) return times;
    const Track track = *read_track(scene);
    double end = 0;
    for (const scene::Value& operation : scene.at("operations").list()) {
        const scene::Value& from = operation.at("from");
        const double begin = (from.is_text() ? end : from.number()) + operation.at("pause").number();
        end = begin + kind_of(operation).duration(operation, track);
        times.push_back({begin, end});
    }
    return times;
}

template <>
std::vector<std::unique_ptr<Driver<3>>> make_operations(const scene::Value& scene, const BodyFinder& find)
{
    std::vector<std::unique_ptr<Driver<3>>> operations;
    const scene::Value::List& list = scene.at("operations").list();
    if (list.empty()) return operations;
    const Track track = *read_track(scene);
    const std::vector<OperationTime> times = operation_times(scene);
    for (std::size_t k = 0; k < list.size(); ++k) {
        OperationSite site = site_of(list[k], track, find);
        site.from = times[k].from;
        site.tools_come = std::any_of(list.begin(), list.begin() + std::ptrdiff_t(k), [](const scene::Value& earlier) {
            return earlier.at("type").is_text("tamping");
        });
        operations.push_back(kind_of(list[k]).make(list[k], site));
    }
    return operations;
}

template <>
std::vector<std::unique_ptr<Driver<2>>> make_operations(const scene::Value&, const BodyFinder&)
{
    return {}; // a track is 3D: the scene's checks see to it
}

} // namespace talus
