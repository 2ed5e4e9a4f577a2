// Balls pixel by pixel: a lit sphere or a flat disk with a darker rim, smooth at the edge. A gradient per grain in a
// drawing library costs a hundred times as much.
#pragma once

#include "talus/report/picture.hpp"

namespace talus::report {

// Over what is there already; parts beyond the picture are left out.
void paint_sphere(Picture& picture, const Vec<2>& centre, double radius, const Rgb& colour); // [pixels]
void paint_disk(Picture& picture, const Vec<2>& centre, double radius, const Rgb& colour);   // [pixels]

double rim_of_disk(double radius); // [pixels] of constant width, but never most of a small disk

// A face of a solid that gets so much light; brightness of a sphere at a point that faces the same way.
Rgb lit(const Rgb& colour, double light);

} // namespace talus::report
