// People from above, the ways they have gone, exits with their names, and a map of the ground below them. Only in
// builds with cairo.
#pragma once

#include "talus/report/drawing/canvas.hpp"

namespace talus::report {

void draw_below_people(Canvas& canvas, const Sheet& sheet, const Sketch& sketch); // map, exits, ways
void draw_people(Canvas& canvas, const Sheet& sheet, const Sketch& sketch);       // and the names of exits

} // namespace talus::report
