// One picture of one frame, without a display: grains from back to front, walls, colour bar, time and scale bar.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/report/drawing/sketch.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace talus::report {

struct PictureOptions : Subject {
    int width = 1200;    // [pixels]; the height follows from what is shown
    bool chains = false; // lines along the contacts, as wide as the normal force is strong
    std::string title;
};
inline constexpr int least_width = 320, largest_width = 16000; // [pixels]

// The page that is drawn on, and where a point of the picture's plane [m] is on it.
struct Sheet {
    int width = 0, height = 0; // [pixels]
    double pixels_per_metre = 1;
    Vec<2> origin = Vec<2>::Zero(); // in pixels from the upper left corner
    Vec<2> pixel_of(const Vec<2>& point) const
    {
        return {origin[0] + pixels_per_metre * point[0], origin[1] - pixels_per_metre * point[1]};
    }
};

struct Picture : Sheet {
    std::vector<std::uint32_t> pixels; // 0xffRRGGBB, row by row from the top
};

struct Area {                        // a part of a sheet
    double left, top, width, height; // [pixels]
};

// Pictures are drawn with cairo, an optional part of the build; without it what draws throws this InputError.
bool can_paint();
[[noreturn]] void refuse_without_cairo();

// The same drawing as pixels and as the text of an SVG, in true vectors.
template <int D>
Picture paint(const io::Frame<D>& frame, const PictureOptions& options);
template <int D>
std::string draw_svg(const io::Frame<D>& frame, const PictureOptions& options);

std::string png_bytes(const Picture& picture);
// The file appears only when it is complete; RunError where it cannot be written.
void write_png(const Picture& picture, const std::filesystem::path& file);

} // namespace talus::report
