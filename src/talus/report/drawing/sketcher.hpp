// Bodies and walls of a frame laid out in the plane of the picture: a view of a 2D or 3D run, or the 2D frame that a
// slice is.
#pragma once

#include "talus/report/drawing/projection.hpp"

namespace talus::report {

using Outlines = std::vector<std::vector<Vec<2>>>; // closed curves in the picture's plane [m]

// Without chains; the outlines are shown beside those of the frame's own bowls and drums. A window is chosen around the
// grains where none is given.
template <int D>
Sketch laid_out(const io::Frame<D>& frame, const Projection<D>& projection, const Colouring& colouring,
                Outlines outlines = {}, const std::optional<Window>& window = {}, const CrowdLook* crowd = nullptr);

} // namespace talus::report
