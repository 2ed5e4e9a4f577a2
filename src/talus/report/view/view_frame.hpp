// One frame of a run as packets for the viewer's page: bodies and contacts apart. Positions are quantised to 16 bits
// each way where that is fine enough for the smallest grain.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/partition/partition.hpp"
#include "talus/report/crowd/crowd_look.hpp"
#include "talus/report/view/view_bodies.hpp"

#include <string>

namespace talus::report {

// InputError where a contact is of a body that is not there.
template <int D>
void check_contacts(const io::Frame<D>& frame);

// The bodies of a frame at their places among all that run.h5 knows. Flags those that are not there, in the order of
// the latter; nothing where nobody has left.
template <int D>
std::vector<std::uint8_t> spread(io::Frame<D>& frame, const BodyTable<D>& known);

// Of a checked frame. A partition is told where there is one; a body that no part owns has number 65535. `gone` flags
// bodies that are not there, where there are such; a crowd is told where it is one.
template <int D>
std::string frame_packet(const io::Frame<D>& frame, const ShownBodies& shown, const Partition* partition,
                         const std::vector<std::uint8_t>& gone = {}, const CrowdLook* crowd = nullptr);

// Contacts of two shown bodies.
template <int D>
std::string contacts_packet(const io::Frame<D>& frame, const ShownBodies& shown);

} // namespace talus::report
