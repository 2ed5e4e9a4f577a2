#include "talus/io/runs/run_text.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

std::vector<std::string_view> fields_of(std::string_view line)
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string_view> fields;
    for (;;) {
        const auto comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

// What is not finite counts as no value.
std::optional<double> number_of(std::string_view field, const fs::path& file, std::size_t line)
{
    if (field.empty()) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::result_out_of_range) return {};
    if (error != std::errc() || end != field.data() + field.size()) {
        throw InputError(fmt::format("{}:{}: \"{}\" is not a number", file.string(), line, field));
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

std::vector<std::string> series_names(std::string_view line, const fs::path& file)
{
    const auto fields = fields_of(line);
    if (fields[0] != "time_s") throw InputError(fmt::format("{}: its first column is not time_s", file.string()));
    return {fields.begin(), fields.end()};
}

std::vector<std::optional<double>> series_line(std::string_view line, std::size_t columns, const fs::path& file,
                                               std::size_t number)
{
    const auto fields = fields_of(line);
    if (fields.size() != columns) {
        throw InputError(
            fmt::format("{}:{}: {} fields, but {} columns", file.string(), number, fields.size(), columns));
    }
    std::vector<std::optional<double>> values;
    values.reserve(columns);
    for (const std::string_view field : fields) values.push_back(number_of(field, file, number));
    return values;
}

SeriesColumns read_series(const fs::path& file)
{
    if (!fs::exists(file)) throw InputError(fmt::format("{}: is missing", file.string()));
    const std::string text = read_text(file);
    SeriesColumns series;
    std::size_t number = 0;
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (++number == 1) {
            series.names = series_names(line, file);
            series.values.resize(series.names.size());
            continue;
        }
        const auto values = series_line(line, series.names.size(), file, number);
        for (std::size_t c = 0; c < values.size(); ++c) series.values[c].push_back(values[c]);
    }
    if (number == 0) throw InputError(fmt::format("{}: has no header line", file.string()));
    return series;
}

std::string read_text(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string read_summary(const fs::path& file)
{
    if (!fs::exists(file)) return {};
    std::string text = read_text(file);
    if (const auto wrong = first_json_error(text)) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(*wrong), '\n');
        throw InputError(fmt::format("{}:{}: is damaged, not sound JSON", file.string(), line));
    }
    return text;
}

namespace {

// A recursive descent that keeps nothing but its place.
class JsonCheck {
  public:
    explicit JsonCheck(std::string_view text) : text_(text) {}

    std::optional<std::size_t> first_error()
    {
        if (value(0) && (blanks(), at_ == text_.size())) return {};
        return at_;
    }

  private:
    static constexpr int deepest = 64;

    char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void blanks()
    {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool take(char c)
    {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view expected)
    {
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }
    bool digits()
    {
        const std::size_t begin = at_;
        while (now() >= '0' && now() <= '9') ++at_;
        return at_ > begin;
    }
    bool number()
    {
        if (now() == '-') ++at_;
        const bool zero = now() == '0';
        const std::size_t begin = at_;
        if (!digits() || (zero && at_ > begin + 1)) return false;
        if (now() == '.' && (++at_, !digits())) return false;
        if (now() != 'e' && now() != 'E') return true;
        ++at_;
        if (now() == '+' || now() == '-') ++at_;
        return digits();
    }
    bool quoted()
    {
        if (!take('"')) return false;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') return ++at_, true;
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c == '\\' && (++at_, !escaped())) return false;
        }
        return false;
    }
    // at the last character of the escape when it returns
    bool escaped()
    {
        if (now() != 'u') return now() != '\0' && std::string_view("\"\\/bfnrt").find(now()) != std::string_view::npos;
        for (int k = 0; k < 4; ++k) {
            ++at_;
            if (now() == '\0' || std::string_view("0123456789abcdefABCDEF").find(now()) == std::string_view::npos) {
                return false;
            }
        }
        return true;
    }
    bool list(char close, int depth, bool keys)
    {
        ++at_;
        if (take(close)) return true;
        do {
            if (keys && !(quoted() && take(':'))) return false;
            if (!value(depth + 1)) return false;
        } while (take(','));
        return take(close);
    }
    bool value(int depth)
    {
        blanks();
        if (depth > deepest) return false;
        switch (now()) {
        case '{':
            return list('}', depth, true);
        case '[':
            return list(']', depth, false);
        case '"':
            return quoted();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

std::optional<std::size_t> first_json_error(std::string_view text) { return JsonCheck(text).first_error(); }

} // namespace talus::io
