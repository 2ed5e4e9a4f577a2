#include "talus/io/scenes/scene_file.hpp"

#include "talus/io/files/utf8.hpp"
#include "talus/io/scenes/tomlplusplus.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <tuple>

namespace talus::io {

namespace {

using scene::Value;

constexpr std::uintmax_t largest_scene = 64u << 20; // [B]
constexpr std::size_t deepest_key = 16;

[[noreturn]] void refuse(const std::string& file, int line, int column, std::string message)
{
    throw InputError(std::vector<Mistake>{{{file, line, column}, {}, {}, std::move(message)}});
}

struct Place {
    int line = 1;
    int column = 1; // in characters
};

Place place_of(std::string_view text, std::size_t offset)
{
    Place place;
    for (const char c : text.substr(0, offset)) {
        if (c == '\n') {
            ++place.line;
            place.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
            ++place.column;
        }
    }
    return place;
}

void refuse_invalid_utf8(std::string_view text, const std::string& file)
{
    const std::size_t offset = first_invalid_utf8(text);
    if (offset == text.size()) return;
    const Place place = place_of(text, offset);
    refuse(file, place.line, place.column,
           "not UTF-8: invalid byte at offset " + std::to_string(offset) + "; save the file as UTF-8");
}

// Skips a string of TOML from its opening quote on; a string that is not closed ends with its line or with the text.
std::size_t end_of_string(std::string_view text, std::size_t begin)
{
    const char quote = text[begin];
    const std::string three(3, quote);
    const bool many_lines = text.substr(begin, 3) == three;
    std::size_t i = begin + (many_lines ? 3 : 1);
    while (i < text.size()) {
        if (quote == '"' && text[i] == '\\') {
            i += 2;
        } else if (many_lines && text.substr(i, 3) == three) {
            return i + 3;
        } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
            return i + 1;
        } else {
            ++i;
        }
    }
    return text.size();
}

// toml++ limits the nesting of values but not of dotted keys, and takes down nested tables by recursion: a key of a
// million parts would exhaust the stack.
void refuse_deep_keys(std::string_view text, const std::string& file)
{
    std::size_t parts = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            i = end_of_string(text, i);
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (c == '.' && ++parts > deepest_key) {
            const Place place = place_of(text, i);
            refuse(file, place.line, place.column,
                   "a dotted key of more than " + std::to_string(deepest_key) + " parts");
        }
        if (c == '\n' || c == '=' || c == ',' || c == '{' || c == '}' || c == '[' || c == ']') parts = 0;
        ++i;
    }
}

class Converter {
  public:
    explicit Converter(const std::string& file) : file_(file) {}

    Value value(const toml::node& node, std::string path) const
    {
        Value result = held(node, path);
        const auto begin = node.source().begin;
        result.where = {file_, int(begin.line), int(begin.column)};
        result.path = std::move(path);
        return result;
    }

  private:
    Value held(const toml::node& node, const std::string& path) const
    {
        if (const auto* boolean = node.as_boolean()) return Value(boolean->get());
        if (const auto* integer = node.as_integer()) return Value(std::int64_t(integer->get()));
        if (const auto* number = node.as_floating_point()) return Value(number->get());
        if (const auto* text = node.as_string()) return Value(text->get());
        if (const auto* array = node.as_array()) return list(*array, path);
        if (const auto* table = node.as_table()) return this->table(*table, path);
        // dates and times: no key wants one, so the schema shall complain about a text
        std::ostringstream text;
        node.visit([&](const auto& date) {
            if constexpr (toml::is_date<decltype(date)> || toml::is_time<decltype(date)> ||
                          toml::is_date_time<decltype(date)>) {
                text << date.get();
            }
        });
        return Value(text.str());
    }

    Value list(const toml::array& array, const std::string& path) const
    {
        Value::List entries;
        entries.reserve(array.size());
        for (std::size_t i = 0; i < array.size(); ++i) {
            entries.push_back(value(array[i], scene::child_path(path, i)));
        }
        return Value(std::move(entries));
    }

    Value table(const toml::table& table, const std::string& path) const
    {
        Value result = Value::table();
        result.entries().reserve(table.size());
        for (const auto& [key, node] : table) {
            Value entry = value(node, scene::child_path(path, key.str()));
            entry.key_line = int(key.source().begin.line);
            entry.key_column = int(key.source().begin.column);
            result.entries().emplace_back(std::string(key.str()), std::move(entry));
        }
        // toml++ keeps keys by name; people keep them as written
        std::ranges::stable_sort(result.entries(), [](const Value::Entry& a, const Value::Entry& b) {
            return std::tie(a.second.key_line, a.second.key_column) < std::tie(b.second.key_line, b.second.key_column);
        });
        return result;
    }

    const std::string& file_;
};

} // namespace

scene::Value parse_scene(std::string text, std::string file_name)
{
    if (text.size() > largest_scene) refuse(file_name, 0, 0, "larger than 64 MiB: this is no scene");
    refuse_invalid_utf8(text, file_name);
    refuse_deep_keys(text, file_name);
    try {
        const toml::table root = toml::parse(std::string_view(text));
        Value scene = Converter(file_name).value(root, "");
        scene.where = {file_name, 1, 1};
        return scene;
    } catch (const toml::parse_error& error) {
        const auto begin = error.source().begin;
        refuse(file_name, int(begin.line), int(begin.column), "not TOML: " + std::string(error.description()));
    }
}

scene::Value read_scene(const std::filesystem::path& file)
{
    const std::string name = file.string();
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) refuse(name, 0, 0, "no such file");
    if (std::filesystem::is_directory(status)) refuse(name, 0, 0, "is a folder; a scene is a TOML file");
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (!error && size > largest_scene) refuse(name, 0, 0, "larger than 64 MiB: this is no scene");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) refuse(name, 0, 0, "cannot be read: " + std::generic_category().message(errno));
    // a pipe tells no size beforehand: read one byte more than allowed, never the whole of an endless one
    std::string text;
    char buffer[65536];
    while (text.size() <= largest_scene && (stream.read(buffer, sizeof buffer), stream.gcount() > 0)) {
        text.append(buffer, std::size_t(stream.gcount()));
    }
    if (stream.bad()) refuse(name, 0, 0, "cannot be read: " + std::generic_category().message(errno));
    return parse_scene(std::move(text), name);
}

} // namespace talus::io
