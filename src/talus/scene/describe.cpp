#include "talus/scene/describe.hpp"

#include "talus/scene/suggestion.hpp"

#include <algorithm>

namespace talus::scene {

namespace {

std::string one_number(const Key& key, int dimension)
{
    std::string result = described(unit_of(key.unit(dimension)).dimension);
    if (const std::string range = key.range.shown(); !range.empty()) result += ", " + range;
    return result;
}

std::string one_vector(const Key& key, int dimension)
{
    const std::string size = dimension == 0 ? "2 (in 2D) or 3 (in 3D)" : std::to_string(dimension);
    std::string result = "a list of " + size + " numbers";
    if (!key.unit(dimension).empty() || !key.range.shown().empty()) result += ", each " + one_number(key, dimension);
    if (key.is_nonzero) result += ", not all zero";
    return result;
}

std::string entries_allowed(const Key& key)
{
    const bool bounded = key.most_entries < std::numeric_limits<std::size_t>::max();
    if (bounded && key.least_entries == key.most_entries) return std::to_string(key.least_entries) + " ";
    if (key.least_entries > 0) return "at least " + std::to_string(key.least_entries) + " ";
    return bounded ? "at most " + std::to_string(key.most_entries) + " " : "";
}

std::string without_words(const Key& key, int dimension)
{
    switch (key.kind) {
    case Kind::boolean:
        return "true or false";
    case Kind::integer:
        return key.range.shown().empty() ? "an integer" : "an integer " + key.range.shown();
    case Kind::number:
        return one_number(key, dimension);
    case Kind::text:
        return "a text";
    case Kind::choice:
        return listed(words_of(key.choices, dimension));
    case Kind::vector:
        return one_vector(key, dimension);
    case Kind::rotation:
        if (dimension == 2) return one_number(key, dimension);
        if (dimension == 3) return one_vector(key, dimension);
        return one_number(key, 2) + " (in 2D) or a list of 3 (in 3D)";
    case Kind::number_or_pair:
        return one_number(key, dimension) + ", or a pair [lower, upper] of them";
    case Kind::numbers:
        return "a list of " + entries_allowed(key) + "numbers, each " + one_number(key, dimension);
    case Kind::texts: {
        std::string result = "a list of " + entries_allowed(key) + "texts";
        if (!key.choices.empty()) result += " out of " + listed(words_of(key.choices, dimension));
        return result;
    }
    case Kind::vectors:
        return "a list of " + entries_allowed(key) + "points, each " + one_vector(key, dimension);
    case Kind::vector_lists:
        return "a list of " + entries_allowed(key) + "lists of points, each " + one_vector(key, dimension);
    case Kind::cumulative:
        return "a list of " + entries_allowed(key) + "pairs [" + one_number(key, dimension) +
               "; share below it], rising, with shares from 0 to 1";
    case Kind::table:
        return "a table, written [" + key.name + "]";
    case Kind::named_tables:
        return "tables with names of your choice, written [" + key.name + ".NAME]";
    case Kind::tables:
        return "a list of tables, each written [[" + key.name + "]]";
    }
    return {};
}

} // namespace

std::string expected(const Key& key, int dimension)
{
    std::string result = without_words(key, dimension);
    if (!key.words.empty()) result += ", or " + listed(key.words);
    return result;
}

std::vector<std::string> words_of(const std::vector<Choice>& choices, int dimension)
{
    std::vector<std::string> words;
    for (const Choice& choice : choices) {
        if (choice.dimension == 0 || dimension == 0 || choice.dimension == dimension) words.push_back(choice.word);
    }
    return words;
}

const Choice* find_choice(const std::vector<Choice>& choices, std::string_view word)
{
    const auto found = std::ranges::find(choices, word, &Choice::word);
    return found == choices.end() ? nullptr : &*found;
}

std::vector<Choice> variant_names(const Key& key)
{
    std::vector<Choice> names;
    for (const Variant& variant : key.variants) names.push_back(variant.name);
    return names;
}

const Key* find_key(const std::vector<Key>& keys, std::string_view name)
{
    const auto found = std::ranges::find(keys, name, &Key::name);
    return found == keys.end() ? nullptr : &*found;
}

const Variant* find_variant(const Key& key, std::string_view name)
{
    for (const Variant& variant : key.variants) {
        if (variant.name.word == name) return &variant;
    }
    return nullptr;
}

} // namespace talus::scene
