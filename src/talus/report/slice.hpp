// A plane cut across a 3D run, seen along its axis: the cut is a 2D frame (disks, polygons, walls), laid out like any
// other.
#pragma once

#include "talus/report/drawing/sketch.hpp"

#include <string>

namespace talus::report {

// "x=0.1", "y = 5 cm"; InputError says what is allowed.
Slice parse_slice(const std::string& text);
std::string slice_text(const Slice& slice); // "y = 50 mm"

// In the colours of the whole frame; chains of the contacts within half a mean diameter of the plane. InputError where
// the plane lies beside all bodies, and for a 2D run.
Sketch sketch_of_slice(const io::Frame<2>& frame, const Colouring& colouring, const Slice& slice,
                       const std::optional<Window>& window = {});
Sketch sketch_of_slice(const io::Frame<3>& frame, const Colouring& colouring, const Slice& slice,
                       const std::optional<Window>& window = {});

} // namespace talus::report
