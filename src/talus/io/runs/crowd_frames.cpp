#include "talus/io/runs/crowd_frames.hpp"

#include "talus/base/error.hpp"
#include "talus/crowd/ground.hpp"
#include "talus/crowd/voronoi.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/scenes/scene_file.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

std::string method_of_run(const fs::path& folder)
{
    const scene::Value root = read_scene(folder / "scene.toml");
    const scene::Value* scene = root.find("scene");
    const scene::Value* method = scene ? scene->find("method") : nullptr;
    return method && method->is_text() ? method->text() : std::string();
}
bool is_of_crowds(const std::string& method) { return method == "nsm1" || method == "nsm2" || method == "crowd-dem"; }

std::string rate_text(double rate)
{
    const double in_hundredths = std::round(100 * rate) / 100;
    return std::abs(rate - in_hundredths) < 1e-9 * rate ? fmt::format("{:.2f}", rate) : fmt::format("{:.10g}", rate);
}

} // namespace

bool is_crowd(const fs::path& folder)
{
    try {
        return is_of_crowds(method_of_run(folder));
    } catch (const InputError&) {
        return false;
    }
}

CrowdFrames::CrowdFrames(fs::path folder) : folder_(std::move(folder))
{
    const RunInfo info = read_run_info(folder_);
    const std::string method = method_of_run(folder_);
    if (info.dimension != 2 || !is_of_crowds(method)) {
        throw InputError(fmt::format("{}: is no crowd: scene.method is \"{}\", not crowd-dem, nsm1 or nsm2",
                                     folder_.string(), method));
    }
    if (info.frames == 0) throw InputError(folder_.string() + ": has no frames");
    times_ = info.times;
    constants_ = read_constants<2>(folder_);
}

Frame<2> CrowdFrames::frame(std::size_t index) const
{
    Frame<2> frame = read_moving<2>(folder_, std::int64_t(index), SealCheck::length);
    add_constants(frame.bodies, constants_.bodies);
    frame.shapes = constants_.shapes;
    frame.materials = constants_.materials;
    frame.groups = constants_.groups;
    return frame;
}

void CrowdFrames::each(const TimeInterval& during, const std::function<void(const Frame<2>&)>& visit) const
{
    for (std::size_t f = 0; f < times_.size(); ++f) {
        if (during.has(times_[f])) visit(frame(f));
    }
}

Bounds<2> CrowdFrames::extent_of_persons() const
{
    constexpr double far = std::numeric_limits<double>::infinity();
    Bounds<2> extent{Vec<2>::Constant(far), Vec<2>::Constant(-far)};
    each({}, [&](const Frame<2>& frame) {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (!is_person(frame.bodies, frame.shapes, i)) continue;
            extent.lower = extent.lower.cwiseMin(frame.bodies.position[i]);
            extent.upper = extent.upper.cwiseMax(frame.bodies.position[i]);
        }
    });
    if (!extent.lower.allFinite()) return {Vec<2>::Zero(), Vec<2>::Zero()};
    return extent;
}

Bounds<2> CrowdFrames::extent() const
{
    Bounds<2> extent = extent_of_persons();
    const Frame<2> first = frame(0);
    const Bounds<2> obstacles = extent_of(first.bodies, first.shapes, 0);
    if (!obstacles.lower.allFinite()) return extent;
    extent.lower = extent.lower.cwiseMin(obstacles.lower);
    extent.upper = extent.upper.cwiseMax(obstacles.upper);
    return extent;
}

double CrowdFrames::rate() const
{
    if (times_.size() < 2) throw InputError(folder_.string() + ": has one frame, trajectories need two");
    const double spacing = (times_.back() - times_.front()) / double(times_.size() - 1);
    for (std::size_t f = 1; f < times_.size(); ++f) {
        if (std::abs(times_[f] - times_[f - 1] - spacing) <= 1e-6 * spacing) continue;
        throw InputError(fmt::format("{}: frames are not evenly spaced: frame {} is at {:g} s, frame {} at {:g} s, the "
                                     "mean spacing is {:g} s; a duration of whole output.frames_every makes them so",
                                     folder_.string(), f - 1, times_[f - 1], f, times_[f], spacing));
    }
    return 1 / spacing;
}

std::size_t write_trajectories(const CrowdFrames& frames, const fs::path& file)
{
    DurableFile out(file);
    out.write(fmt::format("# framerate: {}\n# id frame x/m y/m\n", rate_text(frames.rate())));
    std::size_t lines = 0;
    frames.each({}, [&](const Frame<2>& frame) {
        std::string text;
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (!is_person(frame.bodies, frame.shapes, i)) continue;
            const Vec<2>& place = frame.bodies.position[i];
            text += fmt::format("{} {} {:.4f} {:.4f}\n", std::int32_t(frame.bodies.id(i)), frame.index, place.x(),
                                place.y());
            ++lines;
        }
        out.write(text);
    });
    out.commit();
    return lines;
}

} // namespace talus::io
