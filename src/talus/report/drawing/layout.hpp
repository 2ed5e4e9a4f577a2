// Where the parts of a picture stand on its sheet: heading, drawing, legend, scale bar, axes.
#pragma once

#include "talus/report/picture.hpp"

namespace talus::report {

struct Layout {
    Area heading, drawing, legend, scale_bar, axes;
};

// The drawing is as high as what it shows asks for, within reason; the height of the sheet follows.
Layout lay_out(const Sketch& sketch, Sheet& sheet);

} // namespace talus::report
