// What the readers of mesh files share: words of a line, numbers that are checked, and mistakes collected by line.
#pragma once

#include "talus/base/error.hpp"
#include "talus/sampling/shape_files.hpp"

#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace talus::io {

// Of a file as a whole.
[[noreturn]] inline void refuse(const std::filesystem::path& file, std::string message)
{
    throw InputError(std::vector<Mistake>{{{file.string(), 0, 0}, {}, {}, std::move(message)}});
}

class MeshMistakes {
  public:
    explicit MeshMistakes(std::string file) : file_(std::move(file)) {}
    void add(int line, std::string message)
    {
        constexpr std::size_t shown = 20;
        if (mistakes_.size() < shown) {
            mistakes_.push_back({{file_, line, line > 0 ? 1 : 0}, {}, {}, std::move(message)});
        } else {
            ++uncounted_;
        }
    }
    void throw_if_any()
    {
        if (mistakes_.empty()) return;
        if (uncounted_ > 0)
            mistakes_.push_back({{}, {}, {}, "and " + std::to_string(uncounted_) + " further mistakes"});
        throw InputError(std::move(mistakes_));
    }

  private:
    std::string file_;
    std::vector<Mistake> mistakes_;
    std::size_t uncounted_ = 0;
};

inline std::vector<std::string_view> words_of_line(std::string_view line)
{
    std::vector<std::string_view> words;
    constexpr std::string_view blank = " \t\r\v\f";
    for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blank, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blank, end);
    }
    return words;
}

template <class Number>
bool read_number(std::string_view word, Number& number)
{
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

// "" where the three words from `first` on are the coordinates of a point, or what is wrong
inline std::string read_point(const std::vector<std::string_view>& words, std::size_t first, Vec<3>& point)
{
    if (words.size() < first + 3) return "a vertex has 3 coordinates";
    for (std::size_t k = 0; k < 3; ++k) {
        if (!read_number(words[first + k], point[k]) || !std::isfinite(point[k])) {
            return "\"" + std::string(words[first + k].substr(0, 40)) + "\" is no finite number";
        }
    }
    return {};
}

// Calls visit(line number, words) for every line that is not empty.
template <class Visit>
void visit_lines(std::string_view text, Visit&& visit)
{
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        ++number;
        const std::vector<std::string_view> words = words_of_line(text.substr(0, end));
        if (!words.empty()) visit(number, words);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::vector<NamedMesh> parse_obj(std::string_view text, const std::string& file);
std::vector<NamedMesh> parse_stl(std::string_view bytes, const std::string& file);

} // namespace talus::io
