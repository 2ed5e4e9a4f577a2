#include "talus/laws/law_schema.hpp"

namespace talus {

using namespace scene;

namespace {

struct Preset {
    const char* name;
    double density; // [kg/m^3]
};

constexpr Preset presets[] = {{"sand", 2650},     {"glass", 2500}, {"steel", 7850}, {"ballast", 2700},
                              {"concrete", 2400}, {"wood", 700},   {"rubber", 1100}};

// with defaults for [contact]; without for a pair, which takes what it does not say from there
std::vector<Key> law_keys(bool with_defaults)
{
    std::vector<Key> keys = {
        number("friction", "Coulomb coefficient of friction").at_least(0).at_most(1e6).otherwise(Value(0.5)),
        number("restitution", "normal coefficient of restitution").at_least(0).at_most(1).otherwise_zero(),
        number("tangential_restitution", "tangential coefficient of restitution")
            .at_least(0)
            .at_most(1)
            .otherwise_zero(),
        number("rolling_friction", "lever arm of the rolling resistance; 0: none").in("m").at_least(0).otherwise_zero(),
        boolean("gap_anticipation", "let a body close its gap within the step instead of stopping it short")
            .otherwise(Value(true)),
    };
    if (!with_defaults) {
        for (Key& key : keys) {
            key.default_2d.reset();
            key.default_3d.reset();
            key.doc += "; that of [contact] where it is missing";
        }
    }
    return keys;
}

Value filled_in(Value value, const Value& table, const std::string& key)
{
    value.where = {table.where.file, 0, 0};
    value.key_line = value.key_column = 0;
    value.path = child_path(table.path, key);
    return value;
}

void complete_material(Value& material, std::vector<Mistake>& mistakes)
{
    if (!material.is_table() || material.find("density")) return;
    const Value* preset = material.find("preset");
    if (!preset) {
        mistakes.push_back(mistake_of_missing(material, "density", "missing; give a density or a preset"));
    } else if (preset->is_text()) {
        const std::optional<double> density = preset_density(preset->text());
        if (density) material.set("density", filled_in(Value(*density), material, "density"));
    }
}

} // namespace

Key materials_schema()
{
    std::vector<std::string> names;
    std::string figures;
    for (const Preset& preset : presets) {
        names.push_back(preset.name);
        figures += (figures.empty() ? "" : ", ") + std::string(preset.name) + " " + std::to_string(int(preset.density));
    }
    return named_tables("materials", "What bodies are made of; NAME is yours to choose.",
                        {choice("preset", "takes the density of a known material (kg/m^3: " + figures + ")", names),
                         number("density", "in 2D of a slice 1 m thick; required without a preset")
                             .in("kg/m^2", "kg/m^3")
                             .above(0),
                         number("young", "Young's modulus, for the laws of [dem] that ask for it").in("Pa").above(0),
                         number("poisson", "Poisson's ratio, with young").above(-1).at_most(0.5)})
        .entries(1)
        .required();
}

Key contact_schema()
{
    std::vector<Key> pair = law_keys(false);
    pair.insert(pair.begin(), texts("materials", "the two materials that meet").entries(2, 2).required());
    std::vector<Key> keys = law_keys(true);
    keys.push_back(
        tables("pairs", "The law between two given materials.", std::move(pair)).otherwise(Value(Value::List{})));
    return table("contact", "The law of contact: Signorini-Coulomb, the same for all pairs of materials unless listed.",
                 std::move(keys))
        .otherwise(Value::table());
}

std::optional<double> preset_density(std::string_view preset)
{
    for (const Preset& known : presets) {
        if (preset == known.name) return known.density;
    }
    return std::nullopt;
}

std::vector<Mistake> complete_laws(Value& root)
{
    std::vector<Mistake> mistakes;
    if (Value* materials = root.find("materials"); materials && materials->is_table()) {
        for (auto& [name, material] : materials->entries()) complete_material(material, mistakes);
    }
    Value* contact = root.find("contact");
    Value* pairs = contact ? contact->find("pairs") : nullptr;
    if (!pairs || !pairs->is_list()) return mistakes;
    for (Value& pair : pairs->list()) {
        if (!pair.is_table()) continue;
        for (const Key& key : law_keys(false)) {
            const Value* common = contact->find(key.name);
            if (common && !pair.find(key.name)) pair.set(key.name, filled_in(*common, pair, key.name));
        }
    }
    return mistakes;
}

} // namespace talus
