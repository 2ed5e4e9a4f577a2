// What a scene written in C++ says, and what it leaves to the schema: a Given<T> holds a value only where one was
// given, so that defaults are stated once.
#pragma once

#include "talus/math/space.hpp"

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace talus {

template <class T>
class Given {
  public:
    Given() = default;
    template <std::convertible_to<T> Value> // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): a Given is no T
    Given(Value&& value) : value_(std::forward<Value>(value))
    {
    }
    // parts in braces, such as .position = {0, 1}
    template <class First, class Second, class... Rest>
    requires std::constructible_from<T, First, Second, Rest...> Given(First&& first, Second&& second, Rest&&... rest)
        : value_(std::in_place, std::forward<First>(first), std::forward<Second>(second), std::forward<Rest>(rest)...)
    {
    }
    // entries in braces, such as .open = {"left", "top"}
    template <class List = T>
    Given(std::initializer_list<typename List::value_type> entries) : value_(std::in_place, entries)
    {
    }

    bool is_given() const { return value_.has_value(); }
    const T& operator*() const { return *value_; }

  private:
    std::optional<T> value_;
};

// What the three below hold.
class Numbers {
  public:
    const std::vector<double>& numbers() const { return numbers_; }

  protected:
    explicit Numbers(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  private:
    std::vector<double> numbers_;
};

// As many components as the scene has dimensions, which is checked with all the rest.
class Vector : public Numbers {
  public:
    Vector(double x, double y) : Numbers({x, y}) {}
    Vector(double x, double y, double z) : Numbers({x, y, z}) {}
    template <int D>
    Vector(const Vec<D>& vector) : Numbers({vector.data(), vector.data() + D})
    {
    }
};

// About an axis: an angle or a rate in 2D, a vector in 3D.
class Turn : public Numbers {
  public:
    Turn(double about_z) : Numbers({about_z}) {}
    Turn(double x, double y, double z) : Numbers({x, y, z}) {}
};

// One number for all, or the smallest and the largest.
class Between : public Numbers {
  public:
    Between(double all) : Numbers({all}) {}
    Between(double smallest, double largest) : Numbers({smallest, largest}) {}
};

// A word that stands for a whole list, such as "fixed" or "all", or the list.
class Words {
  public:
    using value_type = std::string;
    Words(std::string word) : words_{std::move(word)}, is_one_word_(true) {}
    Words(const char* word) : Words(std::string(word)) {}
    Words(std::initializer_list<std::string> words) : words_(words) {}
    Words(std::vector<std::string> words) : words_(std::move(words)) {}
    const std::vector<std::string>& words() const { return words_; }
    bool is_one_word() const { return is_one_word_; }

  private:
    std::vector<std::string> words_;
    bool is_one_word_ = false;
};

} // namespace talus
