// Charts for documents, as pixels or as SVG: curves and points over axes, and roses of directions.
#pragma once

#include "talus/report/drawing/axes.hpp"

namespace talus::report {

// A value that is not finite, or not positive on a log axis, makes no mark and breaks the line.
struct Curve {
    std::string name; // in the legend; empty: not there
    std::vector<double> x, y;
    bool points = false; // marks, else a line
    int colour = -1;     // its place in the palette; −1: that of the curve in the list
};

struct Chart {
    std::string title, x_label, y_label; // with units: "height [m]"
    bool log_x = false, log_y = false;
    std::vector<Curve> curves;
};

// Sectors counter-clockwise from the right, their radius linear in the share. A dashed circle is where all would reach
// if the directions were all alike.
struct Rose {
    std::string title, label;  // what the share is of, e.g. "share of contacts"
    std::vector<double> share; // of equal sectors
    bool half = true;          // they cover 180° and are mirrored, as directions without a sense are; else 360°
};

Picture paint_chart(const Chart& chart, int width = 800, int height = 560); // [pixels]
std::string draw_chart_svg(const Chart& chart, int width = 800, int height = 560);
Picture paint_rose(const Rose& rose, int width = 560);
std::string draw_rose_svg(const Rose& rose, int width = 560);

// Where the values are on that page.
Axes chart_axes(const Chart& chart, int width, int height);
struct RosePlace {
    Vec<2> centre;           // [pixels]
    double pixels_per_share; // along a radius
    int height;              // [pixels] of the page
};
RosePlace rose_place(const Rose& rose, int width);

} // namespace talus::report
