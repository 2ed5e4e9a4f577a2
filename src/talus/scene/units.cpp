#include "talus/scene/units.hpp"

#include "talus/scene/suggestion.hpp"
#include "talus/scene/value.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace talus::scene {

namespace {

constexpr std::size_t longest_text = 200; // bounds the nesting of parentheses as well
constexpr int largest_power = 9;

struct Symbol {
    const char* name;
    Unit unit;
    bool takes_prefix;
};

constexpr double pi = std::numbers::pi;

// metre, kilogram, second, radian, ampere
const Symbol symbols[] = {
    {"m", {1, {1, 0, 0, 0}}, true},
    {"g", {1e-3, {0, 1, 0, 0}}, true},
    {"t", {1e3, {0, 1, 0, 0}}, false},
    {"s", {1, {0, 0, 1, 0}}, true},
    {"min", {60, {0, 0, 1, 0}}, false},
    {"h", {3600, {0, 0, 1, 0}}, false},
    {"Hz", {1, {0, 0, -1, 0}}, true},
    {"N", {1, {1, 1, -2, 0}}, true},
    {"Pa", {1, {-1, 1, -2, 0}}, true},
    {"bar", {1e5, {-1, 1, -2, 0}}, true},
    {"J", {1, {2, 1, -2, 0}}, true},
    {"W", {1, {2, 1, -3, 0}}, true},
    {"rad", {1, {0, 0, 0, 1}}, true},
    {"deg", {pi / 180, {0, 0, 0, 1}}, false},
    {"°", {pi / 180, {0, 0, 0, 1}}, false},
    {"rev", {2 * pi, {0, 0, 0, 1}}, false},
    {"rpm", {2 * pi / 60, {0, 0, -1, 1}}, false},
    {"%", {0.01, {}}, false},
    {"A", {1, {0, 0, 0, 0, 1}}, true},
    {"C", {1, {0, 0, 1, 0, 1}}, true},
    {"T", {1, {0, 1, -2, 0, -1}}, true},
};

struct Prefix {
    const char* name;
    double scale;
};

// both ways to write the micro sign
const Prefix prefixes[] = {{"p", 1e-12}, {"n", 1e-9}, {"µ", 1e-6}, {"μ", 1e-6}, {"u", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                           {"d", 1e-1},  {"h", 1e2},  {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12}};

struct Named {
    Dimension dimension;
    const char* description;
};

const Named named_dimensions[] = {
    {{0, 0, 0, 0}, "a pure number such as 0.5 or \"2 %\""},
    {{1, 0, 0, 0}, "a length such as \"25 mm\""},
    {{0, 0, 1, 0}, "a time such as \"5 ms\""},
    {{0, 1, 0, 0}, "a mass such as \"3 kg\""},
    {{0, 0, 0, 1}, "an angle such as \"45 deg\""},
    {{0, 0, -1, 0}, "a frequency or rate such as \"35 Hz\" or \"20 1/s\""},
    {{0, 0, -1, 1}, "an angular velocity such as \"3 rad/s\""},
    {{1, 0, -1, 0}, "a velocity such as \"1.6 m/s\""},
    {{1, 0, -2, 0}, "an acceleration such as \"9.81 m/s^2\""},
    {{1, 1, -2, 0}, "a force such as \"16 kN\""},
    {{2, 1, -2, 0}, "a torque such as \"5 N m\""},
    {{-1, 1, -2, 0}, "a pressure such as \"25 kPa\""},
    {{-3, 1, 0, 0}, "a density such as \"2700 kg/m^3\""},
    {{-2, 1, 0, 0}, "a surface density such as \"2700 kg/m^2\""},
    {{0, 1, -1, 0}, "a drag coefficient such as \"0.1 kg/s\""},
    {{2, 1, -1, 0}, "a rotational drag coefficient such as \"0.1 kg m^2/s\""},
    {{0, 1, -2, 0}, "a stiffness such as \"10 kN/m\""},
    {{2, 0, 0, 0}, "an area such as \"4 cm^2\""},
    {{3, 0, 0, 0}, "a volume such as \"4 cm^3\""},
    {{0, 0, 1, 0, 1}, "a charge such as \"2 nC\""},
    {{2, 0, 0, 0, 1}, "a magnetic moment such as \"0.1 A m^2\""},
    {{0, 1, -2, 0, -1}, "a magnetic field such as \"50 mT\""},
};

Dimension multiplied(const Dimension& a, const Dimension& b, int power)
{
    return {a.metre + power * b.metre, a.kilogram + power * b.kilogram, a.second + power * b.second,
            a.radian + power * b.radian, a.ampere + power * b.ampere};
}

bool take(std::string_view& text, std::string_view what)
{
    if (!text.starts_with(what)) return false;
    text.remove_prefix(what.size());
    return true;
}

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// letters, the degree and micro signs; everything that is not an operator, a digit or a space
bool belongs_to_symbol(std::string_view text)
{
    if (text.empty()) return false;
    const std::string_view operators = "*/^()+-.,";
    for (const char* sign : {"·", "⋅", "¹", "²", "³", "⁻"}) {
        if (text.starts_with(sign)) return false;
    }
    return !is_space(text[0]) && !is_digit(text[0]) && operators.find(text[0]) == std::string_view::npos;
}

class UnitParser {
  public:
    explicit UnitParser(std::string_view text) : rest_(text) {}

    std::string parse(Unit& unit)
    {
        unit = product();
        if (wrong_.empty() && !rest_.empty()) wrong_ = "cannot read the unit from " + in_quotes(rest_) + " on";
        if (wrong_.empty() && !(std::isfinite(unit.scale) && unit.scale > 0)) wrong_ = "the unit is out of range";
        return wrong_;
    }

  private:
    // left to right: "N m/s" is (N m)/s
    Unit product()
    {
        Unit result = power();
        while (wrong_.empty()) {
            skip_space();
            if (rest_.empty() || rest_[0] == ')') break;
            int sign = 1;
            if (take(rest_, "/")) {
                sign = -1;
            } else if (!take(rest_, "*") && !take(rest_, "·")) {
                take(rest_, "⋅");
            }
            skip_space();
            const Unit factor = power();
            result.scale = sign > 0 ? result.scale * factor.scale : result.scale / factor.scale;
            result.dimension = multiplied(result.dimension, factor.dimension, sign);
        }
        return result;
    }

    Unit power()
    {
        Unit unit;
        skip_space();
        if (take(rest_, "(")) {
            unit = product();
            if (wrong_.empty() && !take(rest_, ")")) wrong_ = "a parenthesis of the unit is not closed";
        } else if (!rest_.empty() && rest_[0] == '1' && !(rest_.size() > 1 && is_digit(rest_[1]))) {
            rest_.remove_prefix(1); // as in "1/s"
        } else {
            unit = symbol();
        }
        const int exponent = read_exponent();
        return {std::pow(unit.scale, exponent), multiplied({}, unit.dimension, exponent)};
    }

    Unit symbol()
    {
        std::size_t length = 0;
        while (belongs_to_symbol(rest_.substr(length))) ++length;
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        for (const Symbol& known : symbols) {
            if (name == known.name) return known.unit;
        }
        for (const Prefix& prefix : prefixes) {
            std::string_view stem = name;
            if (!take(stem, prefix.name)) continue;
            for (const Symbol& known : symbols) {
                if (known.takes_prefix && stem == known.name) {
                    return {prefix.scale * known.unit.scale, known.unit.dimension};
                }
            }
        }
        if (wrong_.empty()) wrong_ = name.empty() ? "the unit is incomplete" : unknown(name);
        return {};
    }

    static std::string unknown(std::string_view name)
    {
        static const std::vector<std::string> usual = {"m",   "mm",  "cm",  "km", "g",  "kg",  "t",   "s",   "ms",
                                                       "min", "h",   "Hz",  "N",  "kN", "Pa",  "kPa", "MPa", "J",
                                                       "W",   "rad", "deg", "%",  "µm", "rpm", "bar"};
        const std::string near = nearest(name, usual);
        return "unknown unit " + in_quotes(name) + (near.empty() ? "" : ", did you mean " + in_quotes(near) + "?");
    }

    // "^2", "^-1", "2", "-1", "²", "⁻¹"; 1 where none is written
    int read_exponent()
    {
        const bool negative_raised = take(rest_, "⁻");
        int raised = 0;
        if (take(rest_, "¹")) raised = 1;
        if (take(rest_, "²")) raised = 2;
        if (take(rest_, "³")) raised = 3;
        if (raised > 0) return negative_raised ? -raised : raised;
        const bool caret = take(rest_, "^");
        const bool negative = take(rest_, "-");
        const bool positive = !negative && take(rest_, "+");
        if (rest_.empty() || !is_digit(rest_[0])) {
            const bool begun = caret || negative || positive || negative_raised;
            if (begun && wrong_.empty()) wrong_ = "a power of the unit is incomplete";
            return 1;
        }
        int exponent = 0;
        while (!rest_.empty() && is_digit(rest_[0])) {
            exponent = exponent * 10 + (rest_[0] - '0');
            rest_.remove_prefix(1);
            if (exponent > largest_power) {
                if (wrong_.empty()) wrong_ = "a power of the unit is too large";
                return 1;
            }
        }
        return negative ? -exponent : exponent;
    }

    void skip_space()
    {
        while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
    }

    std::string_view rest_;
    std::string wrong_;
};

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

} // namespace

std::string parse_unit(std::string_view text, Unit& unit)
{
    unit = {};
    text = trimmed(text);
    if (text.size() > longest_text) return "the unit is too long";
    if (text.empty()) return {};
    return UnitParser(text).parse(unit);
}

std::string parse_quantity(std::string_view text, Quantity& quantity)
{
    quantity = {};
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) return "the number is out of range";
    if (error != std::errc()) return "does not begin with a number";
    text.remove_prefix(std::size_t(end - text.data()));
    Unit unit;
    if (std::string wrong = parse_unit(text, unit); !wrong.empty()) return wrong;
    quantity = {value * unit.scale, unit.dimension, !trimmed(text).empty()};
    return {};
}

Unit unit_of(std::string_view text)
{
    Unit unit;
    const std::string wrong = parse_unit(text, unit);
    if (!wrong.empty()) throw std::logic_error("schema: unit " + in_quotes(text) + ": " + wrong);
    return unit;
}

std::string described(const Dimension& dimension)
{
    for (const Named& named : named_dimensions) {
        if (named.dimension == dimension) return named.description;
    }
    return "a quantity in " + si_unit(dimension);
}

std::string si_unit(const Dimension& dimension)
{
    std::string above, below;
    int factors_below = 0;
    const auto add = [&](const char* name, int power) {
        if (power == 0) return;
        std::string& part = power > 0 ? above : below;
        if (power < 0) ++factors_below;
        if (!part.empty()) part += " ";
        part += name;
        if (std::abs(power) > 1) (part += '^') += std::to_string(std::abs(power));
    };
    add("kg", dimension.kilogram);
    add("A", dimension.ampere);
    add("m", dimension.metre);
    add("rad", dimension.radian);
    add("s", dimension.second);
    if (below.empty()) return above;
    if (factors_below > 1) below = "(" + below + ")";
    return (above.empty() ? "1" : above) + "/" + below;
}

} // namespace talus::scene
