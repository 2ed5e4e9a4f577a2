// Colours of pictures: a perceptually uniform map for numbers, a colour-blind safe list for names, and the round
// numbers and units of a legend.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace talus::report {

struct Rgb {
    double red, green, blue; // sRGB, 0 to 1
    bool operator==(const Rgb&) const = default;
};
Rgb mixed(const Rgb& from, const Rgb& to, double part);

inline constexpr Rgb white{1, 1, 1}, ink{0.13, 0.14, 0.17}, faint_ink{0.45, 0.47, 0.5}, neutral{0.72, 0.73, 0.75};

Rgb viridis(double part);            // 0 dark blue to 1 yellow; after matplotlib's map
Rgb qualitative(std::size_t index);  // Okabe and Ito; repeats
Rgb curve_colour(std::size_t index); // the same, those first that read well as thin lines on white
Rgb paper_to_ink(double part);       // 0 white to 1 dark blue
Rgb heat(double part);               // 0 pale yellow to 1 dark red

// The numbers that a colour map covers.
struct ValueRange {
    double lower = 0, upper = 1;
    bool is_cut = false;                // some values are larger: a few extreme ones must not hide all the others
    bool is_cut_below = false;          // some are smaller
    bool is_made_up = false;            // there was nothing but zeros to choose it from
    double part_of(double value) const; // 0 to 1
};
ValueRange joined(const std::optional<ValueRange>& one, const ValueRange& other); // what holds both
// From 0 on where `from_zero`, else from the smallest; what is not finite is left out.
ValueRange range_of(std::vector<double> values, bool from_zero);
// The same without the lowest tenth.
ValueRange upper_range_of(std::vector<double> values);

// Bounds between classes below the largest value, each half of the next (MOREAU's shading by load); ascending.
std::vector<double> halving_thresholds(double largest, int classes);

// A unit in which `largest` reads well: 0.003 m/s is 3 mm/s.
struct ReadableUnit {
    double factor; // one SI unit, in this one
    std::string name;
};
ReadableUnit readable_unit(double largest, const std::string& si_unit);

double round_down(double value);                                           // to 1, 2 or 5 times a power of ten
std::vector<double> round_values(double lower, double upper, int at_most); // within the range, evenly spaced

} // namespace talus::report
