// Draws of the scene generator, and the TOML they are written in.
#pragma once

#include "talus/base/random.hpp"
#include "talus/scene/value.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace talus::fuzz {

using Point = std::vector<double>; // one entry per axis

class Dice {
  public:
    Dice(std::uint64_t seed, int attempt) : random_(seed * 1000 + std::uint64_t(attempt)) {}

    double between(double low, double high) { return random_.uniform(low, high); }
    double log_between(double low, double high) { return low * std::pow(high / low, random_.uniform()); }
    bool chance(double probability) { return random_.uniform() < probability; }
    int whole(int low, int high) { return low + int(random_.uniform() * (high - low + 1)); } // both included
    template <class T>
    const T& pick(const std::vector<T>& choices)
    {
        return choices[std::size_t(whole(0, int(choices.size()) - 1))];
    }
    std::string pick(std::initializer_list<const char*> choices)
    {
        return choices.begin()[whole(0, int(choices.size()) - 1)];
    }

    Point within(double half, int axes)
    {
        Point point;
        for (int axis = 0; axis < axes; ++axis) point.push_back(between(-half, half));
        return point;
    }
    // evenly over all directions
    Point direction(int axes)
    {
        for (;;) {
            Point point = within(1, axes);
            double squares = 0;
            for (const double x : point) squares += x * x;
            if (squares > 1 || squares < 1e-2) continue;
            for (double& x : point) x /= std::sqrt(squares);
            return point;
        }
    }

  private:
    Random random_;
};

inline Point scaled(Point point, double factor)
{
    for (double& x : point) x *= factor;
    return point;
}
inline Point sum(Point a, const Point& b)
{
    for (std::size_t axis = 0; axis < a.size(); ++axis) a[axis] += b[axis];
    return a;
}

inline std::string text_of(double number) { return scene::number_text(number); }
inline std::string text_of(const Point& point)
{
    std::string text;
    for (const double x : point) text += (text.empty() ? "" : ", ") + text_of(x);
    return "[" + text + "]";
}
inline std::string text_of(const std::vector<Point>& points)
{
    std::string text;
    for (const Point& point : points) text += (text.empty() ? "" : ", ") + text_of(point);
    return "[" + text + "]";
}

inline std::string line(const std::string& key, const std::string& value) { return key + " = " + value + "\n"; }
inline std::string line(const std::string& key, const char* value) { return line(key, std::string(value)); }
inline std::string line(const std::string& key, double value) { return line(key, text_of(value)); }
inline std::string line(const std::string& key, int value) { return line(key, std::to_string(value)); }
inline std::string line(const std::string& key, bool value) { return line(key, std::string(value ? "true" : "false")); }
inline std::string line(const std::string& key, const Point& value) { return line(key, text_of(value)); }
inline std::string word(const std::string& key, const std::string& value) { return line(key, "\"" + value + "\""); }

// Built by <<, which draws from left to right; the order of draws in a + b is the compiler's affair.
struct Toml {
    std::string text;
    Toml& operator<<(const std::string& more)
    {
        text += more;
        return *this;
    }
};

} // namespace talus::fuzz
