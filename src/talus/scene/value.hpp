// The scene as data: a tree of values that remember where they were written, so that every complaint names file, line,
// column and key. io/scene_file fills it from TOML; the schema validates it and fills defaults; simulation reads it.
#pragma once

#include "talus/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace talus::scene {

class Value {
  public:
    using List = std::vector<Value>;
    using Entry = std::pair<std::string, Value>;
    using Table = std::vector<Entry>; // ordered as written

    Value() = default; // null
    explicit Value(bool boolean) : data_(boolean) {}
    explicit Value(int integer) : data_(std::int64_t{integer}) {}
    explicit Value(std::int64_t integer) : data_(integer) {}
    explicit Value(double number) : data_(number) {}
    explicit Value(const char* text) : data_(std::string(text)) {}
    explicit Value(std::string text) : data_(std::move(text)) {}
    explicit Value(List list) : data_(std::move(list)) {}
    static Value table();
    static Value numbers(const std::vector<double>& numbers); // a list

    Location where;     // of the value itself
    int key_line = 0;   // of the key it was given under; 0 in a list, for a default and on the command line
    int key_column = 0; //
    std::string path;   // dotted key, e.g. bodies[2].radius

    bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
    bool is_boolean() const { return std::holds_alternative<bool>(data_); }
    bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
    bool is_number() const { return is_integer() || std::holds_alternative<double>(data_); }
    bool is_text() const { return std::holds_alternative<std::string>(data_); }
    bool is_text(std::string_view word) const { return is_text() && text() == word; }
    bool is_list() const { return std::holds_alternative<List>(data_); }
    bool is_table() const { return std::holds_alternative<Table>(data_); }

    // Asking for another type than the value has is a bug once the scene is validated: std::logic_error.
    bool boolean() const;
    std::int64_t integer() const;
    double number() const;
    const std::string& text() const;
    const List& list() const;
    List& list();
    const Table& entries() const;
    Table& entries();
    std::vector<double> numbers() const; // a list of numbers

    const Value* find(std::string_view key) const; // nullptr if absent, or if this is no table
    Value* find(std::string_view key);
    const Value& at(std::string_view key) const; // std::logic_error if absent
    Value& at(std::string_view key);
    Value& set(std::string key, Value value); // insert or replace; keeps the place of a key that is there

    // Changes what is held, not where it was written.
    void become(std::int64_t integer) { data_ = integer; }
    void become(double number)
    {
        if (is_text()) written_ = std::move(std::get<std::string>(data_)); // "25 mm" stays "25 mm" in messages
        data_ = number;
    }

    std::string shown() const;     // as the user would write it, shortened, for error messages
    const char* type_name() const; // "a number", "a text", ...

    // The same data, wherever written; the order of a table's keys does not count.
    bool operator==(const Value& other) const;

  private:
    void show(std::string& text, std::size_t limit) const;

    std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Table> data_;
    std::string written_; // with its unit, where that differs from what is held
};

// At the value; fills where, key and value.
Mistake mistake(const Value& at, std::string message);
// At the key the value was given under, without the value: for a key that should not be there at all.
Mistake mistake_of_key(const Value& at, std::string message);
// In a table that misses a key: at the table, for the key.
Mistake mistake_of_missing(const Value& table, std::string_view key, std::string message);

// For people: 0 and 1e9 where TOML has 0.0 and 1e+09.
std::string plain_number(double number);
// In the order of the file; what has no line comes first.
void sort_by_place(std::vector<Mistake>& mistakes);

std::string in_quotes(std::string_view text); // as a TOML string, with what is not printable escaped
std::string number_text(double number);       // the shortest text that reads back as the same double
std::string child_path(std::string_view path, std::string_view key);
std::string child_path(std::string_view path, std::size_t index);

} // namespace talus::scene
