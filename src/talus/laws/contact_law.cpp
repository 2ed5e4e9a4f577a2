#include "talus/laws/contact_law.hpp"

#include <algorithm>
#include <stdexcept>

namespace talus {

namespace {

// each key of `given` that is there replaces the value of `law`
ContactLaw read_law(const scene::Value& given, ContactLaw law)
{
    const auto number = [&](const char* key, double& value) {
        if (const scene::Value* entry = given.find(key); entry && entry->is_number()) value = entry->number();
    };
    number("friction", law.friction);
    number("restitution", law.restitution);
    number("tangential_restitution", law.tangential_restitution);
    number("rolling_friction", law.rolling_friction);
    if (const scene::Value* entry = given.find("gap_anticipation"); entry && entry->is_boolean()) {
        law.gap_anticipation = entry->boolean();
    }
    return law;
}

} // namespace

MaterialTable::MaterialTable(const scene::Value& materials, const scene::Value& contact)
{
    for (const auto& [name, material] : materials.entries()) {
        const auto elastic = [&entry = material](const char* key) {
            const scene::Value* given = entry.find(key);
            return given ? given->number() : 0.0;
        };
        materials_.push_back({name, material.at("density").number(), elastic("young"), elastic("poisson")});
    }
    const ContactLaw common = read_law(contact, {});
    laws_.assign(size() * size(), common);
    const scene::Value* pairs = contact.find("pairs");
    if (!pairs) return;
    for (const scene::Value& pair : pairs->list()) {
        const std::int32_t a = index(pair.at("materials").list()[0].text());
        const std::int32_t b = index(pair.at("materials").list()[1].text());
        laws_[a * size() + b] = laws_[b * size() + a] = read_law(pair, common);
    }
}

std::int32_t MaterialTable::index(const std::string& name) const
{
    for (std::size_t i = 0; i < size(); ++i) {
        if (materials_[i].name == name) return std::int32_t(i);
    }
    throw std::logic_error("material \"" + name + "\" is not in the table");
}

bool MaterialTable::has_rolling_friction() const
{
    return std::any_of(laws_.begin(), laws_.end(), [](const ContactLaw& law) { return law.rolling_friction > 0; });
}

bool MaterialTable::has_restitution() const
{
    return std::any_of(laws_.begin(), laws_.end(),
                       [](const ContactLaw& law) { return law.restitution > 0 || law.tangential_restitution > 0; });
}

} // namespace talus
