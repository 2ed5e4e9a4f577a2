// Quantities written with their unit: "25 mm", "35 Hz", "2700 kg/m^3", "45 deg", "2 %". Any product, quotient and power
// of SI units with prefixes is understood. Angles count as a dimension of their own here, so that "35 rad/s" is not
// taken for a frequency of 35 Hz.
#pragma once

#include <string>
#include <string_view>

namespace talus::scene {

// Exponents of metre, kilogram, second, radian and ampere.
struct Dimension {
    int metre = 0;
    int kilogram = 0;
    int second = 0;
    int radian = 0;
    int ampere = 0;
    bool operator==(const Dimension&) const = default;
};

struct Unit {
    double scale = 1; // one of it, in SI units
    Dimension dimension;
};

struct Quantity {
    double value = 0; // in SI units
    Dimension dimension;
    bool has_unit = false;
};

// Both return an empty text, or what is wrong.
std::string parse_unit(std::string_view text, Unit& unit);
std::string parse_quantity(std::string_view text, Quantity& quantity);

// The unit of the schema itself; a mistake there is a bug (std::logic_error).
Unit unit_of(std::string_view text);

// "a length such as \"25 mm\""
std::string described(const Dimension& dimension);
// "m/s^2"; "" for a pure number
std::string si_unit(const Dimension& dimension);

} // namespace talus::scene
