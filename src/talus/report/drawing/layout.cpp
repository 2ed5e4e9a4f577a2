#include "talus/report/drawing/layout.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {

Layout lay_out(const Sketch& sketch, Sheet& sheet)
{
    const double u = sheet.width / 1200.0, margin = 36 * u, legend = 150 * u, heading = 78 * u, footer = 40 * u;
    const double foot_gap = 22 * u + (sketch.axes.empty() ? 0 : 38 * u);
    const Vec<2> size = sketch.upper - sketch.lower;
    const double width = sheet.width - 3 * margin - legend;
    const double height = std::clamp(width * size[1] / size[0], 0.36 * width, 1.15 * width);
    const Area drawing{margin, margin + heading, width, height};
    const double foot = drawing.top + height + foot_gap;
    sheet.height = int(std::ceil(foot + footer + 0.6 * margin));
    sheet.pixels_per_metre = std::min(width / size[0], height / size[1]);
    const Vec<2> middle = 0.5 * (sketch.lower + sketch.upper);
    sheet.origin = {margin + 0.5 * width - sheet.pixels_per_metre * middle[0],
                    drawing.top + 0.5 * height + sheet.pixels_per_metre * middle[1]};
    return {{margin, margin, sheet.width - 2 * margin, heading},
            drawing,
            {drawing.left + width + margin, drawing.top, legend, height},
            {margin, foot, width, footer},
            {drawing.left + width - 60 * u, foot - 30 * u, 60 * u, 60 * u}};
}

} // namespace talus::report
