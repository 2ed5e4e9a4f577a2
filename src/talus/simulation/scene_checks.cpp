#include "talus/simulation/scene_checks.hpp"

#include "talus/scene/schema.hpp"
#include "talus/scene/suggestion.hpp"
#include "talus/simulation/body_shape.hpp"
#include "talus/simulation/generator_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace talus {

using namespace scene;

namespace {

constexpr double most_steps = 1e12;
constexpr std::size_t most_suggested = 1000; // names among which the nearest is looked for

const Value* number_at(const Value* table, std::string_view key)
{
    const Value* value = table ? table->find(key) : nullptr;
    return value && value->is_number() ? value : nullptr;
}

const Value* text_at(const Value& table, std::string_view key)
{
    const Value* value = table.find(key);
    return value && value->is_text() ? value : nullptr;
}

class Checker {
  public:
    explicit Checker(const Value& root) : root_(root), dimension_(dimension_of(root)) {}

    std::vector<Mistake> run()
    {
        check_duration();
        check_materials();
        check_pairs();
        name_bodies();
        for (const Value& body : section("bodies")) check_body(body);
        for (const Value& generator : section("generators")) check_corners(generator);
        check_names("drivers");
        for (const Value& driver : section("drivers")) check_driver(driver);
        check_names("exits");
        check_names("lines");
        check_names("gauges");
        for (const Value& gauge : section("gauges")) {
            check_corners(gauge);
            check_body_name(gauge, "body");
            check_body_name(gauge, "attached_to");
        }
        return std::move(mistakes_);
    }

  private:
    const Value::List& section(std::string_view name) const
    {
        static const Value::List none;
        const Value* found = root_.find(name);
        return found && found->is_list() ? found->list() : none;
    }

    void report(Mistake problem) { mistakes_.push_back(std::move(problem)); }

    void check_duration()
    {
        const Value* scene = root_.find("scene");
        const Value* dt = number_at(scene, "dt");
        const Value* duration = number_at(scene, "duration");
        if (!dt || !duration || !(dt->number() > 0) || !(duration->number() > 0)) return;
        const std::string step = dt->shown();
        if (duration->number() < dt->number()) {
            report(mistake(*duration, "is shorter than a step; must be 0 or at least dt = " + step));
        } else if (duration->number() / dt->number() > most_steps) {
            report(mistake(*duration, "takes more than 1e12 steps of dt = " + step));
        }
    }

    void check_materials()
    {
        const Value* materials = root_.find("materials");
        if (!materials || !materials->is_table()) return;
        for (const auto& [name, material] : materials->entries()) materials_.insert(name);
        for (const char* name : {"bodies", "generators", "doors"}) {
            for (const Value& entry : section(name)) {
                if (const Value* material = text_at(entry, "material")) check_material(*material);
            }
        }
    }

    void check_material(const Value& material)
    {
        if (materials_.contains(material.text())) return;
        const std::vector<std::string> known(materials_.begin(), materials_.end());
        report(mistake(material, "no such material in [materials]; " + suggestion(material.text(), known)));
    }

    void check_pairs()
    {
        const Value* contact = root_.find("contact");
        const Value* pairs = contact ? contact->find("pairs") : nullptr;
        if (!pairs || !pairs->is_list()) return;
        std::map<std::pair<std::string, std::string>, std::string> seen;
        for (const Value& pair : pairs->list()) {
            const Value* names = pair.find("materials");
            if (!names || !names->is_list()) continue;
            const auto is_text = [](const Value& name) { return name.is_text(); };
            if (!std::ranges::all_of(names->list(), is_text)) continue;
            for (const Value& name : names->list()) check_material(name);
            if (names->list().size() != 2) continue;
            const auto [first, second] = std::minmax(names->list()[0].text(), names->list()[1].text());
            const auto [place, is_new] = seen.try_emplace({first, second}, pair.path);
            if (!is_new) report(mistake(*names, "this pair has its law in " + place->second + " already"));
        }
    }

    // All names that a driver or a gauge may use.
    void name_bodies()
    {
        for (const Value& body : section("bodies")) add_name(body);
        for (const Value& door : section("doors")) add_name(door);
        for (const Value& generator : section("generators")) {
            const Value* type = text_at(generator, "type");
            const GeneratorKind* kind = type ? find_kind(generator_kinds(), type->text()) : nullptr;
            add_name(generator);
            if (kind && kind->parts) add_parts(generator, kind->parts(generator, dimension_));
            if (const Value* open = generator.find("open"); open && open->is_list()) check_duplicates(*open);
        }
    }

    void add_name(const Value& owner)
    {
        if (const Value* name = text_at(owner, "name")) take_name(name->text(), *name);
    }

    void add_parts(const Value& whole, const std::vector<std::string>& parts)
    {
        const Value* name = text_at(whole, "name");
        if (!name) return;
        for (const std::string& part : parts) take_name(name->text() + "." + part, *name);
        containers_[name->text()] = parts;
    }

    void take_name(const std::string& taken, const Value& name)
    {
        if (taken.empty()) {
            report(mistake(name, "a name must not be empty; leave the key out instead"));
            return;
        }
        const auto [place, is_new] = names_.try_emplace(taken, name.path);
        if (!is_new)
            report(mistake(name, "the name " + in_quotes(taken) + " is taken by " + place->second + " already"));
    }

    void check_names(std::string_view section_name)
    {
        std::map<std::string, std::string> seen;
        for (const Value& entry : section(section_name)) {
            const Value* name = text_at(entry, "name");
            if (!name) continue;
            if (name->text().empty()) report(mistake(*name, "a name must not be empty"));
            const auto [place, is_new] = seen.try_emplace(name->text(), name->path);
            if (!is_new) report(mistake(*name, "the name is taken by " + place->second + " already"));
        }
    }

    void check_body(const Value& body)
    {
        const Value* motion = body.find("motion");
        if (motion && motion->is_list()) check_duplicates(*motion);
        const Value* shape = text_at(body, "shape");
        if (!shape) return;
        const BodyShapeKind* kind = find_kind(body_shape_kinds(), shape->text());
        if (!kind) return;
        if (kind->mistakes) {
            for (Mistake& found : kind->mistakes(body)) report(std::move(found));
        }
        check_mass(body, *kind, motion);
    }

    void check_mass(const Value& body, const BodyShapeKind& shape, const Value* motion)
    {
        if (!motion || shape.has_mass || body.find("mass")) return;
        const bool moves = motion->is_text("free") || (motion->is_list() && !motion->list().empty());
        if (!moves) return;
        const std::string message =
            "a " + shape.name + " has no mass of its own; write motion = \"fixed\", or give its mass";
        const bool written = motion->where.line > 0 || motion->where.file != body.where.file;
        report(written ? mistake(*motion, message) : mistake_of_missing(body, "motion", message));
    }

    void check_duplicates(const Value& words)
    {
        std::set<std::string> seen;
        for (const Value& word : words.list()) {
            if (word.is_text() && !seen.insert(word.text()).second) report(mistake(word, "is listed twice"));
        }
    }

    void check_corners(const Value& entry)
    {
        const Value* lower = entry.find("lower");
        const Value* upper = entry.find("upper");
        if (!lower || !upper || !lower->is_list() || !upper->is_list()) return;
        if (lower->list().size() != upper->list().size()) return;
        for (std::size_t i = 0; i < lower->list().size(); ++i) {
            const Value& low = lower->list()[i];
            const Value& high = upper->list()[i];
            if (!low.is_number() || !high.is_number() || low.number() < high.number()) continue;
            report(mistake(high, "must exceed " + low.path + " = " + low.shown()));
        }
    }

    void check_driver(const Value& driver)
    {
        const Value* from = number_at(&driver, "from");
        const Value* until = number_at(&driver, "until");
        if (from && until && until->number() <= from->number()) {
            report(mistake(*until, "must be after from = " + from->shown()));
        }
        check_body_name(driver, "body");
        check_groups(driver);
    }

    // of those that carry something
    void check_groups(const Value& driver)
    {
        const Value* groups = driver.find("groups");
        if (!groups || !groups->is_list()) return;
        if (groups->list().empty()) report(mistake(*groups, "must name one group at least"));
        std::map<std::string, std::string> seen;
        for (const Value& group : groups->list()) {
            check_body_name(group, "body");
            const Value* body = text_at(group, "body");
            if (!body) continue;
            const auto [place, is_new] = seen.try_emplace(body->text(), group.path);
            if (!is_new) report(mistake(*body, "is in " + place->second + " already"));
        }
    }

    void check_body_name(const Value& entry, std::string_view key)
    {
        const Value* body = text_at(entry, key);
        // a scene that starts from another run or a sample has its bodies, known only when it is read
        if (!body || root_.find("start") || root_.find("track") || is_driveable(body->text())) return;
        report(mistake(*body, unknown_body(body->text())));
    }

    bool is_driveable(const std::string& name) const { return names_.contains(name) && !containers_.contains(name); }

    std::string unknown_body(const std::string& name) const
    {
        if (const auto container = containers_.find(name); container != containers_.end()) {
            std::vector<std::string> walls;
            for (const std::string& wall : container->second) walls.push_back(fmt::format("{}.{}", name, wall));
            return walls.empty() ? "is a container without walls"
                                 : "is a container; name one of its walls: " + listed(walls);
        }
        std::vector<std::string> known;
        for (const auto& [candidate, place] : names_) {
            if (known.size() < most_suggested && !containers_.contains(candidate)) known.push_back(candidate);
        }
        if (known.empty()) return "no body has a name; give one in [[bodies]] or [[generators]]";
        return "no body has this name; " + suggestion(name, known);
    }

    const Value& root_;
    int dimension_;
    std::vector<Mistake> mistakes_;
    std::set<std::string> materials_;
    std::map<std::string, std::string> names_;                   // to the key that gave it
    std::map<std::string, std::vector<std::string>> containers_; // to their parts
};

} // namespace

std::vector<Mistake> cross_checks(const Value& root) { return Checker(root).run(); }

} // namespace talus
