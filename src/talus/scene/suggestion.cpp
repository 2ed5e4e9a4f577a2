#include "talus/scene/suggestion.hpp"

#include "talus/scene/value.hpp"

#include <algorithm>

namespace talus::scene {

namespace {

constexpr std::size_t longest_word = 64; // a longer one is no misspelling of ours
constexpr std::size_t short_list = 24;

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> before(width), above(width), row(width);
    for (std::size_t j = 0; j < width; ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j < width; ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known)
{
    if (word.empty() || word.size() > longest_word) return {};
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        if (best.empty() || distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    const std::size_t tolerated = std::max<std::size_t>(1, std::max(word.size(), best.size()) / 3);
    if (best_distance <= tolerated) return best;
    // a part of the name: "amp" for "amplitude", "normal_friction" for "friction"
    for (const std::string& candidate : known) {
        if (word.size() < 3 || candidate.size() < 3) continue;
        if (candidate.find(word) != std::string::npos || word.find(candidate) != std::string_view::npos) {
            return candidate;
        }
    }
    return {};
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known)
{
    std::string text;
    if (const std::string near = nearest(word, known); !near.empty()) text = "did you mean " + in_quotes(near) + "?";
    if (!known.empty() && known.size() <= short_list) {
        if (!text.empty()) text += " ";
        text += "allowed: ";
        for (std::size_t i = 0; i < known.size(); ++i) text += (i > 0 ? ", " : "") + known[i];
    }
    return text;
}

std::string listed(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += in_quotes(words[i]);
    }
    return text;
}

} // namespace talus::scene
