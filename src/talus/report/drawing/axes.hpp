// Axes of a plot: where a value is on the page, round ticks, and how they read.
#pragma once

#include "talus/report/picture.hpp"

#include <span>
#include <string>
#include <vector>

namespace talus::report {

struct Scale {
    double lower = 0, upper = 1;
    bool is_log = false;
    std::vector<double> ticks, minor; // with and without a label
    int power = 0;                    // of ten: linear ticks read in units of it

    double part_of(double value) const; // 0 at the lower end to 1; NaN for what has no place, as zero on a log scale
    std::string label_of(double tick) const;
    std::string unit_text() const; // " (×10⁻⁶)" behind the name of the axis; empty for plain ticks
};

// Around the values that have a place, a little beyond; from zero where they come near it.
Scale scale_around(std::span<const double> values, bool is_log, int most_ticks);
// Exactly from one end to the other.
Scale scale_between(double lower, double upper, bool is_log, int most_ticks);

struct Axes {
    Area area;
    Scale x, y;
    Vec<2> at(double x_value, double y_value) const // [pixels]; NaN for what has no place
    {
        return {area.left + x.part_of(x_value) * area.width, area.top + (1 - y.part_of(y_value)) * area.height};
    }
};

// Grid, ticks and names; the name of y stands above its axis, where it reads without turning the page.
class Canvas;
struct AxisNames {
    std::string x, y;
    double text_size; // [pixels]
};
void draw_plot_axes(Canvas& canvas, const Axes& axes, const AxisNames& names);

} // namespace talus::report
