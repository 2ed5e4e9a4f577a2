// The pictures of a report: start, middle and end of a run, by speed and by load on one scale, as PNG in data
// addresses. The middle of a tamping is that of its first squeeze, and a track in space is shown by a cut along it.
#pragma once

#include "talus/report/picture.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace talus::report {

// A picture in a data address, painted again smaller where it takes more than `room` bytes.
struct EmbeddedPicture {
    int width = 0, height = 0; // [pixels]
    std::string source;        // data:image/png;base64,...
};
EmbeddedPicture embedded_picture(const std::function<Picture(int width)>& paint, std::size_t room);

struct PagePicture : EmbeddedPicture {
    std::string colour; // "speed" or "load"
    std::int64_t frame = 0;
    double time = 0; // [s]
};

enum class Moments { first_middle_last, last };

// None where the run has no frame or the build no cairo. All together take at most about `room` bytes: pictures that
// would take more are painted smaller.
std::vector<PagePicture> page_pictures(const std::filesystem::path& folder, const std::string& title, Moments moments,
                                       std::size_t room);

} // namespace talus::report
