// What all frames of a run share in the viewer's page: the ranges of colours and the force of the widest chain.
#pragma once

#include "talus/report/crowd/crowd_look.hpp"
#include "talus/report/drawing/colours.hpp"

#include <map>
#include <optional>
#include <string>

namespace talus::report {

struct ViewRanges {
    std::map<std::string, std::optional<ValueRange>> of; // by quantity, as the page names them
    double strong = 0;                                   // [N] what nearly all pairs of bodies stay below
};

// How many of so many frames are looked at, evenly spread: each is read whole.
std::int64_t looks_at(std::int64_t frames, std::size_t bodies);

// Widens the ranges to what a picture of this frame alone would have. `gone` flags bodies that are not in it, where
// some have left; a crowd is told where it is one.
template <int D>
void reach(ViewRanges& ranges, const io::Frame<D>& frame, const std::vector<std::uint8_t>& gone,
           const CrowdLook* crowd);

std::string ranges_json(const ViewRanges& ranges, std::int64_t frames);

} // namespace talus::report
