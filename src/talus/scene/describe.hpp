// What a key allows, in words: for messages and for the reference.
#pragma once

#include "talus/scene/schema.hpp"

#include <string>
#include <vector>

namespace talus::scene {

// "a length such as \"25 mm\", > 0, or \"auto\""
std::string expected(const Key& key, int dimension);

// The words of a choice that exist in this dimension (all of them for 0).
std::vector<std::string> words_of(const std::vector<Choice>& choices, int dimension);

Choice const* find_choice(const std::vector<Choice>& choices, std::string_view word);
std::vector<Choice> variant_names(const Key& key);
const Key* find_key(const std::vector<Key>& keys, std::string_view name);
const Variant* find_variant(const Key& key, std::string_view name);

} // namespace talus::scene
