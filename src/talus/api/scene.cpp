#include "talus/api/scene.hpp"

#include "talus/api/scene_tables.hpp"
#include "talus/io/load.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/scene/place.hpp"
#include "talus/scene/schema.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus {

using scene::Value;

std::string Materials::add(section::Material material)
{
    entries_.push_back(std::move(material));
    return entries_.back().name.is_given() ? *entries_.back().name : "";
}

section::Law& Contacts::between(const std::string& first, const std::string& second)
{
    for (Pair& pair : pairs_) {
        if ((pair.first == first && pair.second == second) || (pair.first == second && pair.second == first)) {
            return pair.law;
        }
    }
    return pairs_.emplace_back(Pair{first, second, {}}).law;
}

namespace {

Value materials_of(const Materials& materials)
{
    Value table = Value::table();
    for (const section::Material& material : materials.entries()) {
        // not set(), which would replace one of the same name
        table.entries().emplace_back(material.name.is_given() ? *material.name : "", table_of(fields_of(material)));
    }
    return table;
}

Value contact_of(const Contacts& contact)
{
    Value table = table_of(fields_of(contact.law));
    Value::List pairs;
    for (const Contacts::Pair& pair : contact.pairs()) {
        Value law = table_of(fields_of(pair.law));
        law.set("materials", Value(Value::List{Value(pair.first), Value(pair.second)}));
        pairs.push_back(std::move(law));
    }
    table.set("pairs", Value(std::move(pairs)));
    return table;
}

template <class Entry>
Value list_of(const char* discriminator, const std::vector<Entry>& entries)
{
    Value::List list;
    for (const Entry& entry : entries) list.push_back(table_of(discriminator, fields_of(entry)));
    return Value(std::move(list));
}

template <class Entry>
Value list_of(const std::vector<Entry>& entries)
{
    Value::List list;
    for (const Entry& entry : entries) list.push_back(table_of(fields_of(entry)));
    return Value(std::move(list));
}

std::vector<Mistake> repeated_names(const Value& materials)
{
    std::vector<Mistake> mistakes;
    const auto& entries = materials.entries();
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
        if (std::find_if(entries.begin(), entry, [&](const auto& other) { return other.first == entry->first; }) !=
            entry) {
            mistakes.push_back(mistake_of_key(entry->second, "there is a material of this name already"));
        }
    }
    return mistakes;
}

// A track stands on a sample, which takes minutes to make and is kept.
void refuse_missing_sample(const Value& scene)
{
    const Value* track = scene.find("track");
    if (track && !scene.find("start")) {
        throw InputError({mistake_of_key(*track, "its sample is made by talus prepare; start with the run in it")});
    }
}

} // namespace

template <int D>
Value Scene<D>::tree() const
{
    Value heading = Value::table();
    const auto say = [&](const char* key, const auto& member) {
        if (member.is_given()) heading.set(key, Value(*member));
    };
    say("name", name);
    say("method", method);
    heading.set("dimension", Value(D));
    say("dt", dt);
    say("duration", duration);
    say("until", until);
    say("seed", seed);
    Value root = Value::table();
    root.set("scene", std::move(heading));
    root.set("rest", table_of(fields_of(rest)));
    if (start.is_given()) root.set("start", table_of(fields_of(*start)));
    root.set("materials", materials_of(materials));
    root.set("contact", contact_of(contact));
    root.set("bodies", list_of("shape", bodies));
    root.set("generators", list_of("type", generators));
    root.set("drivers", list_of("type", drivers));
    root.set("gauges", list_of("type", gauges));
    root.set("solver", table_of(fields_of(solver)));
    root.set("dem", table_of(fields_of(dem)));
    root.set("event", table_of(fields_of(event)));
    root.set("crowd", table_of(fields_of(crowd)));
    root.set("exits", list_of(exits));
    root.set("lines", list_of(lines));
    root.set("doors", list_of(doors));
    root.set("walkers", list_of(walkers));
    root.set("partition", table_of(fields_of(partition)));
    root.set("quality", table_of(fields_of(quality)));
    root.set("detection", table_of(fields_of(detection)));
    root.set("output", table_of(fields_of(output)));
    scene::place(root, "", "");
    return root;
}

template <int D>
Scene<D>::operator RunSetup<D>() const
{
    return set_up<D>(tree());
}

template <int D>
RunSetup<D> set_up(Value root)
{
    std::vector<Mistake> mistakes;
    if (const Value* materials = root.find("materials"); materials && materials->is_table()) {
        mistakes = repeated_names(*materials);
    }
    for (Mistake& problem : check_scene(root)) mistakes.push_back(std::move(problem));
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    if (const int dimension = scene::dimension_of(root); dimension != D) {
        throw InputError(
            {mistake(root.at("scene").at("dimension"), fmt::format("this program runs scenes in {}D", D))});
    }
    refuse_missing_sample(root);
    Simulation<D> simulation = io::load_simulation<D>(root);
    RunPlan plan = plan_of(root);
    return {std::move(simulation), std::move(plan), std::move(root)};
}

template <int D>
RunSetup<D> from_file(const std::filesystem::path& file, const std::vector<std::string>& sets)
{
    Value root = io::read_scene(file);
    io::apply_overrides(root, sets);
    return set_up<D>(std::move(root));
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template struct Scene<D>;                                                                                          \
    template RunSetup<D> set_up(Value);                                                                                \
    template RunSetup<D> from_file(const std::filesystem::path&, const std::vector<std::string>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
