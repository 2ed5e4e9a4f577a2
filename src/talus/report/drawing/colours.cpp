#include "talus/report/drawing/colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace talus::report {
namespace {

Rgb of_hex(std::uint32_t hex)
{
    return {double(hex >> 16 & 0xff) / 255, double(hex >> 8 & 0xff) / 255, double(hex & 0xff) / 255};
}

constexpr std::array<std::uint32_t, 20> viridis_hex = {
    0x440154, 0x481567, 0x482677, 0x453781, 0x404788, 0x39568c, 0x33638d, 0x2d708e, 0x287d8e, 0x238a8d,
    0x1f968b, 0x20a387, 0x29af7f, 0x3cbb75, 0x55c667, 0x73d055, 0x95d840, 0xb8de29, 0xdce319, 0xfde725};

constexpr std::array<std::uint32_t, 8> qualitative_hex = {0xe69f00, 0x56b4e9, 0x009e73, 0xd55e00,
                                                          0x0072b2, 0xcc79a7, 0xf0e442, 0x8c6d4f};

constexpr std::array<std::uint32_t, 7> curve_hex = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                    0xe69f00, 0x56b4e9, 0x8c6d4f};

constexpr std::array<std::uint32_t, 6> ink_hex = {0xffffff, 0xd3e1f1, 0x9cbfe0, 0x5d93c6, 0x28619f, 0x0c2c5e};

constexpr std::array<std::uint32_t, 6> heat_hex = {0xfffbea, 0xfee39a, 0xfdb95a, 0xf57f3c, 0xd43a26, 0x800f26};

// Evenly spaced colours, and what lies between them.
Rgb along(std::span<const std::uint32_t> hex, double part)
{
    const double place = std::clamp(part, 0.0, 1.0) * double(hex.size() - 1);
    const auto below = std::min(std::size_t(place), hex.size() - 2);
    return mixed(of_hex(hex[below]), of_hex(hex[below + 1]), place - double(below));
}

} // namespace

Rgb mixed(const Rgb& from, const Rgb& to, double part)
{
    const auto mix = [part](double a, double b) { return a + part * (b - a); };
    return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

Rgb viridis(double part) { return along(viridis_hex, part); }
Rgb paper_to_ink(double part) { return along(ink_hex, part); }
Rgb heat(double part) { return along(heat_hex, part); }

Rgb qualitative(std::size_t index) { return of_hex(qualitative_hex[index % qualitative_hex.size()]); }
Rgb curve_colour(std::size_t index) { return of_hex(curve_hex[index % curve_hex.size()]); }

double ValueRange::part_of(double value) const { return std::clamp((value - lower) / (upper - lower), 0.0, 1.0); }

ValueRange joined(const std::optional<ValueRange>& one, const ValueRange& other)
{
    if (!one || one->is_made_up) return other;
    if (other.is_made_up) return *one;
    return {std::min(one->lower, other.lower), std::max(one->upper, other.upper), one->is_cut || other.is_cut,
            one->is_cut_below || other.is_cut_below};
}

ValueRange range_of(std::vector<double> values, bool from_zero)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    constexpr ValueRange made_up{0, 1, false, false, true};
    if (values.empty()) return made_up;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    ValueRange range{from_zero ? std::min(0.0, *least) : *least, *most, false};
    if (range.upper <= range.lower * (1 + 1e-12)) { // one value only: it takes the middle
        if (range.upper == 0) return made_up;
        const double half = 0.5 * std::abs(range.upper);
        return {range.upper - half, range.upper + half, false};
    }
    constexpr std::size_t enough = 100; // for quantiles to mean something
    if (values.size() < enough) return range;
    const auto nearly_all = values.begin() + std::ptrdiff_t(0.98 * double(values.size() - 1));
    std::nth_element(values.begin(), nearly_all, values.end());
    if (*nearly_all > range.lower && range.upper - range.lower > 1.25 * (*nearly_all - range.lower)) {
        range.upper = *nearly_all;
        range.is_cut = true;
    }
    return range;
}

ValueRange upper_range_of(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(values);
    const auto lowest = std::ptrdiff_t(values.size() / 10);
    values.erase(values.begin(), values.begin() + lowest);
    ValueRange range = range_of(std::move(values), false);
    range.is_cut_below = lowest > 0;
    return range;
}

std::vector<double> halving_thresholds(double largest, int classes)
{
    std::vector<double> thresholds;
    for (int k = classes - 1; k >= 1; --k) thresholds.push_back(std::ldexp(largest, -k));
    return thresholds;
}

ReadableUnit readable_unit(double largest, const std::string& si_unit)
{
    static constexpr std::array<const char*, 6> prefixes = {"n", "µ", "m", "", "k", "M"};
    if (si_unit.empty() || si_unit.starts_with("rad") || si_unit.starts_with("1/") || !(largest > 0))
        return {1, si_unit};
    int power = int(std::floor(std::log10(largest * (1 + 1e-9)) / 3));
    if (si_unit == "m") power = std::min(power, 0); // nobody measures a heap in megametres
    if (power < -3) return {1, si_unit};            // rounding errors: no prefix makes them readable
    power = std::min(power, 2);
    return {std::pow(1000.0, -power), prefixes[std::size_t(power + 3)] + si_unit};
}

double round_down(double value)
{
    const double ten = std::pow(10, std::floor(std::log10(value)));
    const double digit = value / ten * (1 + 1e-9);
    return ten * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

std::vector<double> round_values(double lower, double upper, int at_most)
{
    double step = round_down((upper - lower) / at_most);
    while (std::floor(upper / step * (1 + 1e-9)) - std::ceil(lower / step * (1 - 1e-9)) + 1 > at_most) {
        step = round_down(step * 2.5);
    }
    std::vector<double> values;
    const double slack = 1e-6 * step;
    for (double k = std::ceil((lower - slack) / step); k * step <= upper + slack; ++k) values.push_back(k * step);
    return values;
}

} // namespace talus::report
