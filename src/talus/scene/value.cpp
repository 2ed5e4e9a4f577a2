#include "talus/scene/value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <tuple>

namespace talus::scene {

namespace {

constexpr std::size_t shown_length = 60;

template <class T, class Data>
auto& get(Data& data, const Value& value, const char* wanted)
{
    if (auto* held = std::get_if<T>(&data)) return *held;
    throw std::logic_error("scene: " + value.path + " is " + value.type_name() + ", asked for as " + wanted);
}

bool is_bare_key(std::string_view key)
{
    if (key.empty()) return false;
    for (const char c : key) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!plain) return false;
    }
    return true;
}

} // namespace

Value Value::table()
{
    Value value;
    value.data_ = Table{};
    return value;
}

Value Value::numbers(const std::vector<double>& numbers)
{
    List list;
    list.reserve(numbers.size());
    for (const double number : numbers) list.emplace_back(number);
    return Value(std::move(list));
}

bool Value::boolean() const { return get<bool>(data_, *this, "a boolean"); }
std::int64_t Value::integer() const { return get<std::int64_t>(data_, *this, "an integer"); }
double Value::number() const
{
    if (is_integer()) return double(integer());
    return get<double>(data_, *this, "a number");
}
const std::string& Value::text() const { return get<std::string>(data_, *this, "a text"); }
const Value::List& Value::list() const { return get<List>(data_, *this, "a list"); }
Value::List& Value::list() { return get<List>(data_, *this, "a list"); }
const Value::Table& Value::entries() const { return get<Table>(data_, *this, "a table"); }
Value::Table& Value::entries() { return get<Table>(data_, *this, "a table"); }

std::vector<double> Value::numbers() const
{
    std::vector<double> numbers;
    numbers.reserve(list().size());
    for (const Value& entry : list()) numbers.push_back(entry.number());
    return numbers;
}

const Value* Value::find(std::string_view key) const
{
    const auto* table = std::get_if<Table>(&data_);
    if (!table) return nullptr;
    for (const auto& [name, value] : *table) {
        if (name == key) return &value;
    }
    return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

const Value& Value::at(std::string_view key) const
{
    if (const Value* value = find(key)) return *value;
    throw std::logic_error("scene: " + child_path(path, key) + " is not there");
}

Value& Value::at(std::string_view key) { return const_cast<Value&>(std::as_const(*this).at(key)); }

Value& Value::set(std::string key, Value value)
{
    Table& table = entries();
    if (Value* present = find(key)) return *present = std::move(value);
    return table.emplace_back(std::move(key), std::move(value)).second;
}

const char* Value::type_name() const
{
    if (is_null()) return "nothing";
    if (is_boolean()) return "a boolean";
    if (is_integer()) return "an integer";
    if (is_number()) return "a number";
    if (is_text()) return "a text";
    if (is_list()) return "a list";
    return "a table";
}

bool Value::operator==(const Value& other) const
{
    if (data_.index() != other.data_.index()) return false;
    if (is_table()) {
        if (entries().size() != other.entries().size()) return false;
        for (std::size_t i = 0; i < entries().size(); ++i) {
            const auto& [key, value] = entries()[i];
            // most often both tables have the same order: look there first
            const bool same_place = other.entries()[i].first == key;
            const Value* twin = same_place ? &other.entries()[i].second : other.find(key);
            if (!twin || !(value == *twin)) return false;
        }
        return true;
    }
    return data_ == other.data_;
}

std::string Value::shown() const
{
    std::string text;
    show(text, shown_length);
    if (text.size() <= shown_length) return text;
    std::size_t end = shown_length;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end; // not within a UTF-8 character
    return text.substr(0, end) + "…";
}

void Value::show(std::string& text, std::size_t limit) const
{
    if (text.size() > limit) return;
    if (is_null()) return;
    if (!written_.empty()) {
        text += in_quotes(written_);
        return;
    }
    if (is_boolean()) {
        text += boolean() ? "true" : "false";
    } else if (is_integer()) {
        text += std::to_string(integer());
    } else if (is_number()) {
        text += plain_number(number());
    } else if (is_text()) {
        text += in_quotes(std::string_view(this->text()).substr(0, 4 * limit));
    } else if (is_list()) {
        text += "[";
        for (std::size_t i = 0; i < list().size() && text.size() <= limit; ++i) {
            if (i > 0) text += ", ";
            list()[i].show(text, limit);
        }
        text += "]";
    } else {
        text += "{";
        for (std::size_t i = 0; i < entries().size() && text.size() <= limit; ++i) {
            text += (i > 0 ? ", " : " ") + entries()[i].first + " = ";
            entries()[i].second.show(text, limit);
        }
        text += entries().empty() ? "}" : " }";
    }
}

Mistake mistake(const Value& at, std::string message)
{
    // a whole section as "value" would bury the message
    return {at.where, at.path, at.is_table() ? std::string() : at.shown(), std::move(message)};
}

Mistake mistake_of_key(const Value& at, std::string message)
{
    Location where = at.where;
    if (at.key_line > 0) {
        where.line = at.key_line;
        where.column = at.key_column;
    }
    return {where, at.path, {}, std::move(message)};
}

Mistake mistake_of_missing(const Value& table, std::string_view key, std::string message)
{
    return {table.where, child_path(table.path, key), {}, std::move(message)};
}

void sort_by_place(std::vector<Mistake>& mistakes)
{
    std::ranges::stable_sort(mistakes, [](const Mistake& a, const Mistake& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
    });
}

std::string in_quotes(std::string_view text)
{
    static const char* const hexadecimal = "0123456789ABCDEF";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            (result += '\\') += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c == '\r') {
            result += "\\r";
        } else if (byte < 0x20 || byte == 0x7F) {
            result += "\\u00";
            (result += hexadecimal[byte >> 4]) += hexadecimal[byte & 15];
        } else {
            result += c;
        }
    }
    return result += '"';
}

std::string number_text(double number)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
    std::string text(buffer, error == std::errc() ? end : buffer);
    // TOML tells an integer from a number by the point or the exponent
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string plain_number(double number)
{
    std::string text = number_text(number);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    for (const std::string_view padded : {"e+0", "e+"}) {
        if (const std::size_t at = text.find(padded); at != std::string::npos) text.erase(at + 1, padded.size() - 1);
    }
    return text;
}

std::string child_path(std::string_view path, std::string_view key)
{
    const std::string name = is_bare_key(key) ? std::string(key) : in_quotes(key);
    return path.empty() ? name : std::string(path) + "." + name;
}

std::string child_path(std::string_view path, std::size_t index)
{
    return std::string(path) + "[" + std::to_string(index) + "]";
}

} // namespace talus::scene
