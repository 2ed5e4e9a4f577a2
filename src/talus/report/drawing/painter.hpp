// The drawing itself: a sketch on a canvas, from back to front, and the force chains over it. Only in builds with
// cairo.
#pragma once

#include "talus/report/drawing/canvas.hpp"

namespace talus::report {

// Within the area.
void draw_sketch(Canvas& canvas, const Area& area, const Sheet& sheet, const Sketch& sketch, bool chains);

} // namespace talus::report
