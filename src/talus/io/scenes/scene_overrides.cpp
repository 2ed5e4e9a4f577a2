// --set key.path=value
#include "talus/io/files/utf8.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/scene/place.hpp"

#include <algorithm>
#include <charconv>

namespace talus::io {

namespace {

using scene::Value;

constexpr const char* source = "--set";
constexpr std::size_t longest_path = 64; // steps

// Into a table by key, or into a list by index.
struct Step {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;
};

struct Failure {
    std::string message;
};

class PathParser {
  public:
    explicit PathParser(std::string_view text) : text_(text) {}

    // Stops at the '=' between path and value.
    std::vector<Step> parse()
    {
        std::vector<Step> steps;
        steps.push_back(key());
        while (at_ < text_.size() && text_[at_] != '=') {
            if (steps.size() == longest_path) throw Failure{"the path is too long"};
            if (text_[at_] == '.') {
                ++at_;
                steps.push_back(key());
            } else if (text_[at_] == '[') {
                ++at_;
                steps.push_back(index());
            } else {
                throw Failure{"cannot read the path from " + scene::in_quotes(text_.substr(at_)) + " on"};
            }
        }
        if (at_ == text_.size()) throw Failure{"has no \"=\"; write key.path=value, such as scene.dt=1e-3"};
        return steps;
    }

    std::string_view rest() const { return text_.substr(at_ + 1); }

  private:
    Step key()
    {
        const std::size_t begin = at_;
        if (at_ < text_.size() && text_[at_] == '"') {
            at_ = text_.find('"', begin + 1);
            if (at_ == std::string_view::npos) throw Failure{"a quoted key is not closed"};
            return {std::string(text_.substr(begin + 1, at_++ - begin - 1)), 0, false};
        }
        at_ = std::min(text_.find_first_of(".[]= \t", begin), text_.size());
        if (at_ == begin) throw Failure{"a key is missing; write key.path=value, such as scene.dt=1e-3"};
        const std::size_t end = at_;
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
        return {std::string(text_.substr(begin, end - begin)), 0, false};
    }

    Step index()
    {
        std::size_t number = 0;
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
        at_ = std::size_t(end - text_.data());
        if (error != std::errc() || at_ == text_.size() || text_[at_] != ']') {
            throw Failure{"an index is a whole number in brackets, such as bodies[0]"};
        }
        ++at_;
        return {{}, number, true};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// As TOML where it is one value of TOML, else as plain text.
Value read_value(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    if (text.empty()) throw Failure{"the value is missing; write key.path=value"};
    try {
        Value parsed = parse_scene("value = " + std::string(text), source);
        if (parsed.entries().size() == 1) return std::move(parsed.at("value"));
    } catch (const InputError&) {
        const std::string_view opening = "[{\"'";
        if (opening.find(text.front()) != std::string_view::npos) {
            throw Failure{"the value " + scene::in_quotes(text) + " is not TOML"};
        }
    }
    return Value(std::string(text));
}

Value& descend(Value& from, const Step& step, const std::string& path)
{
    if (step.is_index) {
        if (!from.is_list()) throw Failure{from.path + " is " + from.type_name() + ", not a list"};
        const std::size_t size = from.list().size();
        if (step.index < size) return from.list()[step.index];
        throw Failure{from.path + " has " + std::to_string(size) + (size == 1 ? " entry" : " entries") +
                      (size > 0 ? "; the last one is [" + std::to_string(size - 1) + "]" : "")};
    }
    const std::string& key = step.key;
    if (from.is_list()) throw Failure{from.path + " is a list: write " + from.path + "[0]." + key};
    if (!from.is_table())
        throw Failure{from.path + " is " + from.type_name() + " and has no key " + scene::in_quotes(key)};
    if (Value* present = from.find(key)) return *present;
    Value& created = from.set(key, Value::table());
    scene::place(created, path, source);
    return created;
}

void apply(Value& root, const std::string& assignment)
{
    if (first_invalid_utf8(assignment) != assignment.size()) throw Failure{"is not UTF-8"};
    PathParser parser(assignment);
    const std::vector<Step> steps = parser.parse();
    Value value = read_value(parser.rest());
    Value* target = &root;
    std::string path;
    for (const Step& step : steps) {
        path = step.is_index ? scene::child_path(path, step.index) : scene::child_path(path, step.key);
        target = &descend(*target, step, path);
    }
    scene::place(value, path, source);
    *target = std::move(value);
}

} // namespace

void apply_overrides(scene::Value& root, const std::vector<std::string>& assignments)
{
    Value changed = root;
    std::vector<Mistake> mistakes;
    for (const std::string& assignment : assignments) {
        try {
            apply(changed, assignment);
        } catch (const Failure& failure) {
            Mistake& problem = mistakes.emplace_back();
            problem.where.file = source;
            problem.key = Value(assignment).shown(); // as a whole: it may have neither a path nor a value
            problem.message = failure.message;
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    root = std::move(changed);
}

} // namespace talus::io
