// One picture of one frame, without a display: grains from back to front, walls, colour bar, time and scale bar.
#pragma once

#include "io/frames.hpp"
#include "report/sketch.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace talus::report {

struct PictureOptions {
    View view = View::iso; // of a 3D run
    Quantity colour = Quantity::speed;
    int width = 1200;    // [pixels]; the height follows from what is shown
    bool chains = false; // 2D: lines along the contacts, as wide as the normal force is strong
    std::string title;
};
inline constexpr int least_width = 320, largest_width = 16000; // [pixels]

struct Picture {
    int width = 0, height = 0;         // [pixels]
    std::vector<std::uint32_t> pixels; // 0xffRRGGBB, row by row from the top
    // where a point of the picture's plane [m] is, in pixels from the upper left corner
    double pixels_per_metre = 1;
    Vec<2> origin = Vec<2>::Zero();
    Vec<2> pixel_of(const Vec<2>& point) const
    {
        return {origin[0] + pixels_per_metre * point[0], origin[1] - pixels_per_metre * point[1]};
    }
};

// Pictures are painted with cairo, an optional part of the build; without it the two below throw an InputError.
bool can_paint();

template <int D>
Picture paint(const io::Frame<D>& frame, const PictureOptions& options);

// The file appears only when it is complete; RunError where it cannot be written.
void write_png(const Picture& picture, const std::filesystem::path& file);

} // namespace talus::report
