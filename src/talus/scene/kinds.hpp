// A registry is a list of kinds: the name of each in a scene, its line of documentation, its keys, and how it is made
// in 2D and in 3D. The schema, the messages and the maker all read that one list, and a program may add to it before it
// reads a scene.
#pragma once

#include "talus/scene/schema.hpp"
#include "talus/scene/suggestion.hpp"

#include <algorithm>

namespace talus::scene {

// Null where a kind is for the other dimension only.
template <template <int> class Maker>
struct Makers {
    Maker<2> in_2d = nullptr;
    Maker<3> in_3d = nullptr;

    template <int D>
    Maker<D> in() const
    {
        if constexpr (D == 2) {
            return in_2d;
        } else {
            return in_3d;
        }
    }
};

template <template <int> class Maker>
struct NamedKind {
    std::string name, doc;
    std::vector<Key> keys; // that not every kind has
    Makers<Maker> make;

    template <int D>
    Maker<D> maker() const
    {
        return make.template in<D>();
    }
};

// nullptr where there is none of this name
template <class Kind>
const Kind* find_kind(const std::vector<Kind>& kinds, std::string_view name)
{
    const auto found = std::ranges::find(kinds, name, &Kind::name);
    return found == kinds.end() ? nullptr : &*found;
}

template <class Kind>
std::vector<std::string> names_of(const std::vector<Kind>& kinds)
{
    std::vector<std::string> names;
    for (const Kind& kind : kinds) names.push_back(kind.name);
    return names;
}

template <class Kind>
bool has_key(const Kind& kind, std::string_view key)
{
    return std::ranges::find(kind.keys, key, &Key::name) != kind.keys.end();
}

// The key that names a kind; it is documented by what the kinds say of themselves.
template <class Kind>
Key choice_among(std::string key, const std::vector<Kind>& kinds)
{
    std::string doc;
    for (const Kind& kind : kinds) doc += (doc.empty() ? "" : "; ") + kind.doc + " (" + kind.name + ")";
    return choice(std::move(key), std::move(doc), names_of(kinds));
}

// The keys of all kinds in one table, each once.
template <class Kind>
std::vector<Key> keys_of(const std::vector<Kind>& kinds)
{
    std::vector<Key> keys;
    for (const Kind& kind : kinds) {
        for (const Key& key : kind.keys) {
            if (std::ranges::find(keys, key.name, &Key::name) == keys.end()) keys.push_back(key);
        }
    }
    return keys;
}

inline bool says_default(const Value& given, const Key& key) { return key.default_3d && given == *key.default_3d; }

// Keys of such a table that say something, where only kinds other than the chosen one listen. A default says nothing:
// a scene that was written out with its defaults can be read again.
template <class Kind>
std::vector<Mistake> keys_without_effect(const Value& table, std::string_view chooser, const Kind& chosen,
                                         const std::vector<Kind>& kinds)
{
    std::vector<Mistake> mistakes;
    for (const Key& key : keys_of(kinds)) {
        const Value* given = table.find(key.name);
        if (!given || has_key(chosen, key.name) || says_default(*given, key)) continue;
        std::vector<std::string> owners;
        for (const Kind& kind : kinds) {
            if (has_key(kind, key.name)) owners.push_back(kind.name);
        }
        mistakes.push_back(mistake(*given, "has no effect with " + std::string(chooser) + " = " +
                                               in_quotes(chosen.name) + ", only with " + listed(owners)));
    }
    return mistakes;
}

// One variant of a table for each kind.
template <class Kind>
std::vector<Variant> variants_of(const std::vector<Kind>& kinds)
{
    std::vector<Variant> variants;
    for (const Kind& kind : kinds) variants.push_back({{kind.name, 0, {}}, kind.doc, kind.keys, {}, {}});
    return variants;
}

} // namespace talus::scene
