#include "view_film.hpp"

#include "browser.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/crowd/crowd_look.hpp"
#include "terminal/progress.hpp"
#include "terminal/signals.hpp"
#include "view_export.hpp"
#include "web_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

using namespace talus;

namespace fs = std::filesystem;

namespace {

constexpr double longest_film = 24 * 3600;   // [s] of encoding
constexpr std::size_t frames_looked_at = 24; // of a sequence, for what its pictures share

using Painter = std::function<std::string(std::int64_t frame)>; // PNG

// What the pictures of a run are of. Those of a sequence share a window and the ranges of their colours, and all of a
// crowd those of the whole run: a person has the same colour in every picture of it.
template <int D>
class Subjects {
  public:
    Subjects(const ViewOptions& options, const std::vector<std::int64_t>& frames)
        : picture_(options.picture), has_trails_(options.trajectories),
          crowd_(report::CrowdLooks<D>::open(options.folder))
    {
        const std::size_t count = crowd_ ? std::size_t(crowd_->frames()) : frames.size();
        if (count < 2) return;
        const std::size_t looks = std::min(count, frames_looked_at);
        for (std::size_t k = 0; k < looks; ++k) {
            const std::size_t place = k * (count - 1) / (looks - 1);
            const io::Frame<D> frame = io::read_frame<D>(options.folder, crowd_ ? std::int64_t(place) : frames[place]);
            if (crowd_) picture_.crowd = crowd_->look(frame, false);
            report::reach(picture_, frame);
        }
    }

    report::PictureOptions of(const io::Frame<D>& frame) const
    {
        report::PictureOptions picture = picture_;
        if (crowd_) picture.crowd = crowd_->look(frame, has_trails_);
        return picture;
    }

  private:
    report::PictureOptions picture_;
    bool has_trails_;
    std::shared_ptr<const report::CrowdLooks<D>> crowd_; // none where there are no people
};

template <int D>
Painter own_painter(const ViewOptions& options, const std::vector<std::int64_t>& frames)
{
    const Subjects<D> subjects(options, frames);
    return [=](std::int64_t frame) {
        const io::Frame<D> found = io::read_frame<D>(options.folder, frame);
        return report::png_bytes(report::paint(found, subjects.of(found)));
    };
}

void refuse_what_the_page_cannot(const ViewOptions& options)
{
    const auto refuse = [](const char* option) {
        throw InputError(fmt::format("{} belongs to --renderer own; the page has no such picture", option));
    };
    if (options.slice && io::read_dimension(options.folder) == 2) {
        throw InputError("this is a 2D run: only a 3D one can be sliced");
    }
    if (options.picture.bands) refuse("--bands");
    if (options.picture.colour == report::Quantity::compacity) refuse("--colour compacity");
    if (options.image.extension() == ".svg") refuse("--image FILE.svg");
}

// From where the page looks: at a slab as thick as a grain, or at the whole.
std::string direction(const ViewOptions& options)
{
    const std::optional<report::Slice>& slice = options.picture.slice;
    return slice ? fmt::format("slice={}:{}:0", "xyz"[slice->axis], slice -> position) : "view=" + options.view;
}

Painter page_painter(const ViewOptions& options)
{
    refuse_what_the_page_cannot(options);
    if (view_page().script.empty()) refuse_without_page("--renderer page");
    const fs::path chromium = find_chromium();
    const auto run = std::shared_ptr<report::ViewedRun>(report::ViewedRun::open(options.folder));
    const auto folder = std::make_shared<TemporaryFolder>();
    const int width = options.picture.width, height = int(std::lround(width * 0.3125)) * 2; // 16 to 10, even
    const std::string look = fmt::format(
        "{}&colour={}&ui=0{}{}{}", direction(options), options.colour, options.picture.chains ? "&chains=1" : "",
        options.trajectories ? "&trajectories=1" : "", options.map.empty() ? "" : "&map=" + options.map);
    return [=, with_contacts = options.picture.chains](std::int64_t frame) {
        const fs::path page = *folder / "page.html";
        write_view_page(*run, {{{frame}, {}, {}}, with_contacts, mark_when_drawn}, page);
        return screenshot(chromium, page, fmt::format("time={}&{}", run->frames().time[std::size_t(frame)], look),
                          width, height);
    };
}

Painter painter_of(const ViewOptions& options, const std::vector<std::int64_t>& frames)
{
    if (options.renderer == "page") return page_painter(options);
    if (!report::can_paint()) report::refuse_without_cairo();
    return io::read_dimension(options.folder) == 2 ? own_painter<2>(options, frames) : own_painter<3>(options, frames);
}

std::string numbered(std::size_t number) { return fmt::format("frame-{:06}.png", number); }

std::vector<std::int64_t> frames_of(const ViewOptions& options)
{
    io::read_dimension(options.folder); // is it a run at all
    report::FrameIndex index(options.folder);
    index.refresh();
    return chosen_frames(options, index.time);
}

// Each picture as it is made; 130 or 143 where a signal came before the last one.
int paint_all(const ViewOptions& options, const std::vector<std::int64_t>& frames, const fs::path& folder)
{
    const Painter paint = painter_of(options, frames);
    catch_signals();
    JobProgress progress("picture", std::int64_t(frames.size()));
    for (std::size_t k = 0; k < frames.size(); ++k) {
        try {
            const std::string png = paint(frames[k]);
            if (!signal_caught()) io::write_durably(folder / numbered(k), png);
        } catch (const RunError&) {
            if (!signal_caught()) throw;
        }
        if (signal_caught()) return 128 + signal_caught();
        progress.one_more();
    }
    return 0;
}

template <int D>
void save_svg(const ViewOptions& options, std::int64_t frame)
{
    const io::Frame<D> found = io::read_frame<D>(options.folder, frame);
    io::write_durably(options.image, report::draw_svg(found, Subjects<D>(options, {frame}).of(found)));
}

fs::path find_ffmpeg()
{
    const fs::path found = find_program({"ffmpeg"});
    if (!found.empty()) return found;
    throw InputError("--film needs ffmpeg, and there is none in PATH (Debian: apt install ffmpeg); --images FOLDER "
                     "writes the same pictures one by one");
}

} // namespace

int save_image(const ViewOptions& options)
{
    const int dimension = io::read_dimension(options.folder);
    const std::string end = options.image.extension().string();
    if (end != ".png" && end != ".svg") {
        throw InputError(fmt::format("--image {}: pictures are written as .png or .svg", options.image.string()));
    }
    report::FrameIndex index(options.folder);
    index.refresh();
    if (index.size() == 0) throw InputError(fmt::format("{}: has no frames", options.folder.string()));
    const std::int64_t frame =
        options.time ? io::frame_at(options.folder, *options.time) : std::int64_t(index.size()) - 1;
    if (end == ".svg" && options.renderer == "own") {
        dimension == 2 ? save_svg<2>(options, frame) : save_svg<3>(options, frame);
    } else {
        io::write_durably(options.image, painter_of(options, {frame})(frame));
    }
    fmt::print("{}: frame {}, t = {:g} s, {} pixels wide\n", options.image.string(), frame,
               index.time[std::size_t(frame)], options.picture.width);
    return 0;
}

int save_images(const ViewOptions& options)
{
    const std::vector<std::int64_t> frames = frames_of(options);
    if (fs::exists(options.images) && !fs::is_directory(options.images)) {
        throw InputError(fmt::format("--images {}: is a file, not a folder", options.images.string()));
    }
    if (fs::exists(options.images / numbered(0))) {
        throw InputError(
            fmt::format("--images {}: holds pictures already; name another folder", options.images.string()));
    }
    io::make_directory(options.images);
    const int status = paint_all(options, frames, options.images);
    if (status == 0) {
        fmt::print("{}: {} pictures, {} to {}\n", options.images.string(), frames.size(), numbered(0),
                   numbered(frames.size() - 1));
    }
    return status;
}

int save_film(const ViewOptions& options)
{
    const std::vector<std::int64_t> frames = frames_of(options);
    if (options.film.extension() != ".mp4") {
        throw InputError(fmt::format("--film {}: films are written as .mp4", options.film.string()));
    }
    refuse_bad_place(options.film);
    const fs::path ffmpeg = find_ffmpeg();
    const TemporaryFolder folder;
    if (const int status = paint_all(options, frames, folder / ""); status != 0) return status;
    const fs::path film = folder / "film.mp4";
    // H.264 in the colours that every player knows; it wants even sides
    const ProgramEnd end =
        run_program({ffmpeg.string(), "-v", "error", "-y", "-framerate", fmt::format("{:g}", options.fps), "-i",
                     (folder / "frame-%06d.png").string(), "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v",
                     "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", film.string()},
                    longest_film);
    if (signal_caught()) return 128 + signal_caught();
    if (end.status != 0 || !fs::exists(film)) throw RunError(fmt::format("{}: {}", ffmpeg.string(), end.output));
    io::write_durably(options.film, io::read_text(film));
    fmt::print("{}: {} frames, {:.3g} s, {:.1f} MB\n", options.film.string(), frames.size(),
               double(frames.size()) / options.fps, double(fs::file_size(options.film)) / 1e6);
    return 0;
}
