// An indicator: what a gauge measures, as named numbers against time and as distributions at one moment. Each is a file
// of its own and a line in indicator_registry.cpp. Units are in the names.
#pragma once

#include "talus/probes/view.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

// Empty where it would be a division by zero: no grain in the gauge, or no volume.
using Maybe = std::optional<double>;

inline Maybe ratio(double part, double whole)
{
    if (whole == 0) return std::nullopt;
    return part / whole;
}

// How many of what lie where: one moment's histogram, curve or rose.
struct Distribution {
    enum class Kind { line, bars, rose };
    std::string name, title, x_label, y_label;
    Kind kind = Kind::line;
    std::vector<double> x, y;
};

template <int D>
struct Indicator {
    std::string name, help;
    bool by_default; // shown where a gauge does not say what it shows
    bool is_of_body; // of a gauge on a body; else of a region
    std::vector<std::string> columns;
    std::vector<Maybe> (*measure)(const View<D>&); // one per column
    std::vector<Distribution> (*distributions)(const View<D>&) = nullptr;
};

// All of them, in the order in which they are shown.
template <int D>
const std::vector<Indicator<D>>& indicators();

// The names a scene may use: of regions and of bodies.
std::vector<std::string> indicator_names(bool of_body);

// Names of components: x, y, (z); of stresses and other pressures: Pa in 3D, N/m in 2D.
inline constexpr const char* axis_names[] = {"x", "y", "z"};
template <int D>
inline constexpr const char* pressure_unit = D == 2 ? "Npm" : "Pa";
template <int D>
inline constexpr const char* volume_unit = D == 2 ? "m2" : "m3";

// NAME_xx_UNIT, NAME_xy_UNIT, ...: the upper half of a symmetric tensor, row by row.
template <int D>
std::vector<std::string> tensor_columns(const std::string& name, const std::string& unit)
{
    std::vector<std::string> columns;
    for (int i = 0; i < D; ++i) {
        for (int j = i; j < D; ++j) {
            columns.push_back(name + "_" + axis_names[i] + axis_names[j] + (unit.empty() ? "" : "_" + unit));
        }
    }
    return columns;
}

} // namespace talus
