// "did you mean ...?" for a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talus::scene {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest known word, or "" where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "did you mean \"radius\"? allowed: position, radius, ..."; the list only where it is short.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

// "a", "b" or "c"
std::string listed(const std::vector<std::string>& words);

} // namespace talus::scene
