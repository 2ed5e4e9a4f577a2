// A crowd as packets for the viewer's page: what one frame adds to its bodies, and what is known of the whole run. The
// format is told in docs/viewer.md.
#pragma once

#include "talus/report/crowd/crowd_look.hpp"
#include "talus/report/view/view_bodies.hpp"
#include "talus/report/view/view_packet.hpp"

namespace talus::report {

// JSON: the exits.
std::string crowd_json(const CrowdScene& scene);

// Headings, densities and maps of a frame.
void add_crowd(Packet& packet, const CrowdLook& look, const ShownBodies& shown);

// Ways and exits over the whole run. `numbers` of the bodies that the page counts.
template <int D>
std::string crowd_packet(const CrowdHistory<D>& history, const std::vector<std::int32_t>& numbers,
                         const ShownBodies& shown);

} // namespace talus::report
