#include "talus/base/error.hpp"
#include "talus/simulation/method.hpp"

namespace talus {

std::vector<MethodKind>& method_kinds()
{
    static std::vector<MethodKind> kinds = {
        contact_dynamics_method(), dem_method(), crowd_dem_method(), nsm1_method(), nsm2_method(), event_method()};
    return kinds;
}

MethodKind method_kind(std::string name, std::string doc, scene::Makers<MethodMaker> make, StepCostTeller cost)
{
    MethodKind kind;
    kind.name = std::move(name);
    kind.doc = std::move(doc);
    kind.make = make;
    kind.cost = cost;
    return kind;
}

const MethodKind* find_method(std::string_view name)
{
    for (const MethodKind& kind : method_kinds()) {
        if (kind.name == name || std::ranges::find(kind.aliases, name) != kind.aliases.end()) return &kind;
    }
    return nullptr;
}

const MethodKind& method_of(const scene::Value& scene)
{
    if (const MethodKind* kind = find_method(scene.at("scene").at("method").text())) return *kind;
    throw InputError({mistake(scene.at("scene").at("method"), "names no method; " + scene::listed(method_names()))});
}

std::vector<std::string> method_names()
{
    std::vector<std::string> names;
    for (const MethodKind& kind : method_kinds()) {
        names.push_back(kind.name);
        names.insert(names.end(), kind.aliases.begin(), kind.aliases.end());
    }
    return names;
}

} // namespace talus
