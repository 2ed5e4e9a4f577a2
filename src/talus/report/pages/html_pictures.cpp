#include "talus/report/pages/html_pictures.hpp"

#include "talus/base/error.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/report/pages/page_text.hpp"
#include "talus/report/picture.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {

namespace {

struct Shot {
    std::int64_t frame;
    Quantity colour;
};

// Grains at rest before the first step have neither speed nor load to show twice.
std::vector<Shot> shots_of(std::int64_t frames, Moments moments)
{
    if (moments == Moments::last) return {{frames - 1, Quantity::speed}, {frames - 1, Quantity::load}};
    std::vector<Shot> shots{{0, Quantity::speed}};
    for (const std::int64_t frame : {frames / 2, frames - 1}) {
        if (frame == shots.back().frame) continue;
        shots.push_back({frame, Quantity::speed});
        shots.push_back({frame, Quantity::load});
    }
    return shots;
}

template <int D>
std::vector<PagePicture> paint_all(const std::filesystem::path& folder, const std::string& title, Moments moments,
                                   std::size_t room)
{
    const std::vector<Shot> shots = shots_of(io::read_run_info(folder).frames, moments);
    const std::size_t room_each = room / shots.size();
    std::vector<PagePicture> pictures;
    PictureOptions options;
    options.title = title;
    options.chains = D == 2;
    const auto crowd = CrowdLooks<D>::open(folder);
    io::Frame<D> frame;
    frame.index = -1;
    for (const Shot& shot : shots) {
        if (frame.index != shot.frame) {
            frame = io::read_frame<D>(folder, shot.frame);
            if (crowd) options.crowd = crowd->look(frame, false);
        }
        options.colour = shot.colour;
        const auto paint_at = [&](int width) {
            options.width = width;
            return paint(frame, options);
        };
        pictures.push_back({embedded_picture(paint_at, room_each), shot.colour == Quantity::speed ? "speed" : "load",
                            shot.frame, frame.clock.time()});
    }
    return pictures;
}

} // namespace

EmbeddedPicture embedded_picture(const std::function<Picture(int width)>& paint, std::size_t room)
{
    for (int width = 960;;) {
        const Picture picture = paint(width);
        EmbeddedPicture made{picture.width, picture.height, "data:image/png;base64," + base64(png_bytes(picture))};
        if (made.source.size() <= room || width == least_width) return made;
        const double shrink = std::sqrt(double(room) / double(made.source.size()));
        width = std::max(least_width, int(0.95 * shrink * width));
    }
}

std::vector<PagePicture> page_pictures(const std::filesystem::path& folder, const std::string& title, Moments moments,
                                       std::size_t room)
{
    if (!can_paint() || io::list_blocks(folder).empty()) return {};
    return io::read_dimension(folder) == 2 ? paint_all<2>(folder, title, moments, room)
                                           : paint_all<3>(folder, title, moments, room);
}

} // namespace talus::report
