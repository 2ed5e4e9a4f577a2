// The shapes of a run and what is constant of its bodies, as a packet for the viewer's page.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/report/view/view_bodies.hpp"

#include <string>

namespace talus::report {

// Of what io::read_constants() gives. Where only some bodies are shown, shapes that none of them has are left out, and
// the array `body_index` holds the number of each in the run.
template <int D>
std::string shapes_packet(const io::Frame<D>& constants, const ShownBodies& shown);

} // namespace talus::report
