#include "talus/report/pages/html_pictures.hpp"

#include "talus/base/error.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/report/pages/page_text.hpp"
#include "talus/report/picture.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace talus::report {

namespace {

// The number of `"key": number` in an object without objects inside; nothing where it is absent or null.
std::optional<double> number_of(const std::string& object, const std::string& key)
{
    auto at = object.find('"' + key + '"');
    if (at == std::string::npos) return {};
    at = object.find_first_not_of(" \t\r\n:", at + key.size() + 2);
    double value = 0;
    if (at == std::string::npos) return {};
    const auto [end, error] = std::from_chars(object.data() + at, object.data() + object.size(), value);
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

// [s] of the first squeeze among the phases that summary.json tells; tools have phases too, but without times.
std::optional<double> middle_of_squeeze(const std::string& summary)
{
    const std::string name = "\"squeeze\"";
    for (auto at = summary.find(name); at != std::string::npos; at = summary.find(name, at + 1)) {
        const auto begin = summary.rfind('{', at), end = summary.find('}', at);
        if (begin == std::string::npos || end == std::string::npos) return {};
        const std::string phase = summary.substr(begin, end - begin);
        const auto from = number_of(phase, "from_s"), until = number_of(phase, "until_s");
        if (from && until) return 0.5 * (*from + *until);
    }
    return {};
}

// Start, middle and end of a run; in the middle of a tamping its tools squeeze.
std::vector<std::int64_t> shown_frames(const std::filesystem::path& folder, Moments moments)
{
    const io::RunInfo info = io::read_run_info(folder);
    const std::int64_t last = info.frames - 1;
    if (moments == Moments::last) return {last};
    std::int64_t middle = info.frames / 2;
    if (const auto time = middle_of_squeeze(io::read_summary(folder / "summary.json"))) {
        const auto is_nearer = [&](double a, double b) { return std::abs(a - *time) < std::abs(b - *time); };
        middle = std::ranges::min_element(info.times, is_nearer) - info.times.begin();
    }
    std::vector<std::int64_t> frames{0, std::min(middle, last), last};
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

bool is_track(const std::filesystem::path& folder)
{
    try {
        return io::read_scene(folder / "scene.toml").find("track") != nullptr;
    } catch (const InputError&) { // a report can do without its scene
        return false;
    }
}

// A track is cut along itself, through the tool nearest to the middle of its sleepers.
std::optional<Slice> slice_along(const io::Frame<3>& frame)
{
    double x = std::numeric_limits<double>::infinity(); // [m]
    for (const BodyGroup& group : frame.groups) {
        if (!group.name.starts_with("tool ")) continue;
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const double here = frame.bodies.position[i][0];
            if (group.has(frame.bodies.id(i)) && std::abs(here) < std::abs(x)) x = here;
        }
    }
    return Slice{0, std::isfinite(x) ? x : 0};
}
std::optional<Slice> slice_along(const io::Frame<2>&) { return {}; }

template <int D>
bool has_loads(const io::Frame<D>& frame)
{
    return std::ranges::any_of(body_values(frame, Quantity::load), [](double load) { return load > 0; });
}

// A run as a report shows it: the same window, colours and widths of chains at all moments.
template <int D>
class Album {
  public:
    Album(const std::filesystem::path& folder, const std::string& title, const std::vector<std::int64_t>& frames)
        : folder_(folder), crowd_(CrowdLooks<D>::open(folder))
    {
        by_state_.title = by_load_.title = title;
        by_load_.colour = Quantity::load;
        if (D == 3 && is_track(folder)) {
            by_state_.colour = Quantity::compacity;
            by_state_.slice = by_load_.slice = slice_along(read(frames.front()));
        }
        by_state_.chains = D == 2;
        by_load_.chains = D == 2 || shows_track();
        if (frames.size() == 1) return;
        for (const std::int64_t index : frames) {
            const io::Frame<D> frame = read(index);
            for (PictureOptions* picture : {&by_state_, &by_load_}) {
                if (crowd_) picture->crowd = crowd_->look(frame, false);
                reach(*picture, frame);
            }
        }
    }

    bool shows_track() const { return by_load_.slice.has_value(); }
    io::Frame<D> read(std::int64_t index) const { return io::read_frame<D>(folder_, index); }

    // How fast the grains are, or how dense they lie.
    PagePicture of_state(const io::Frame<D>& frame, std::size_t room) const
    {
        return picture(frame, by_state_, shows_track() ? "compacity" : "speed", room);
    }
    PagePicture of_load(const io::Frame<D>& frame, std::size_t room) const
    {
        return picture(frame, by_load_, "load", room);
    }

  private:
    PagePicture picture(const io::Frame<D>& frame, PictureOptions options, const char* colour, std::size_t room) const
    {
        if (crowd_) options.crowd = crowd_->look(frame, false);
        const auto paint_at = [&](int width) {
            options.width = width;
            return paint(frame, options);
        };
        return {embedded_picture(paint_at, room), colour, frame.index, frame.clock.time()};
    }

    std::filesystem::path folder_;
    std::shared_ptr<const CrowdLooks<D>> crowd_; // none where there are no people
    PictureOptions by_state_, by_load_;
};

template <int D>
std::vector<PagePicture> paint_all(const std::filesystem::path& folder, const std::string& title, Moments moments,
                                   std::size_t room)
{
    const std::vector<std::int64_t> frames = shown_frames(folder, moments);
    const Album<D> album(folder, title, frames);
    const std::size_t room_each = room / (2 * frames.size());
    std::vector<PagePicture> pictures;
    for (const std::int64_t index : frames) {
        const io::Frame<D> frame = album.read(index);
        pictures.push_back(album.of_state(frame, room_each));
        // grains at rest before the first step have no load to show; the ballast of a track was prepared
        if (index > 0 || (album.shows_track() && has_loads(frame))) pictures.push_back(album.of_load(frame, room_each));
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
