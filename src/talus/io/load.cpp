#include "talus/io/load.hpp"

#include "talus/io/meshes/mesh_file.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/railway/carving.hpp"
#include "talus/railway/operations.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::io {

scene::Value load_scene(const std::filesystem::path& file, const std::vector<std::string>& sets, IdleKeys idle)
{
    scene::Value root = read_scene(file);
    apply_overrides(root, sets);
    std::vector<Mistake> mistakes = check_scene(root, idle);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return root;
}

// a path in a scene is meant from where the scene lies
std::filesystem::path start_folder(const scene::Value& run)
{
    return std::filesystem::path(run.where.file).parent_path() / run.text();
}

namespace {

// The frame to start from; what is wrong with it is told at the key that asked for it.
template <int D>
Frame<D> start_frame(const scene::Value& start)
{
    const scene::Value& run = start.at("run");
    const scene::Value& frame = start.at("frame");
    const scene::Value* asked = &run;
    const std::filesystem::path folder = start_folder(run);
    try {
        if (const int dimension = read_dimension(folder); dimension != D) {
            throw InputError(fmt::format("is a run in {}D, the scene is in {}D", dimension, D));
        }
        if (!frame.is_text()) asked = &frame;
        return read_frame<D>(folder, frame.is_text() ? last_frame : frame.integer());
    } catch (const InputError& error) {
        throw InputError({mistake(*asked, error.what())});
    }
}

// Tools stand above the bed at the first sleeper that is tamped; they must not reach the sub-layer from there.
void ready_tools(Frame<3>& frame, const scene::Value& root)
{
    const std::optional<Track> track = read_track(root);
    const auto body = [&](const std::string& name) -> std::int32_t {
        const auto group = std::ranges::find(frame.groups, name, &BodyGroup::name);
        return group == frame.groups.end() ? -1 : frame.bodies.find(BodyId(group->first));
    };
    bool placed = false;
    for (const scene::Value& operation : root.at("operations").list()) {
        if (!track || !operation.at("type").is_text("tamping")) continue;
        std::vector<std::size_t> sleepers;
        for (const double number : operation.at("sleepers").numbers()) sleepers.push_back(std::size_t(number) - 1);
        const double level = tool_level(frame.bodies, frame.shapes, *track, sleepers);
        const double depth = dive_depth(operation);
        if (depth >= level) {
            throw InputError({mistake(
                operation.at(has_dive_time(operation) ? "penetration_time" : "penetration_depth"),
                fmt::format("the tools start {:.3g} m above the sub-layer and would dive {:.3g} m", level, depth))});
        }
        std::vector<std::int32_t> tools;
        for (std::size_t k = 0; k < track->tool_places(0).size(); ++k) {
            if (const std::int32_t tool = body(tool_name(k)); tool >= 0) tools.push_back(tool);
        }
        if (!placed) place_tools(frame.bodies, frame.shapes, tools, *track, sleepers.front(), level);
        placed = true; // later operations let them come
    }
}
void ready_tools(Frame<2>&, const scene::Value&) {} // a track is 3D

} // namespace

template <int D>
Simulation<D> load_simulation(const scene::Value& root)
{
    const scene::Value* start = root.find("start");
    if (!start) return assemble<D>(root, SceneShapeFiles());
    Frame<D> from = start_frame<D>(*start);
    ready_tools(from, root);
    return assemble_from<D>(root, std::move(from), SceneBodies::add, SceneShapeFiles());
}

template <int D>
Simulation<D> recorded_simulation(const std::filesystem::path& folder, const scene::Value& root)
{
    return assemble_from<D>(root, read_frame<D>(folder, 0), SceneBodies::present, SceneShapeFiles());
}

template <int D>
void set_to_frame(Simulation<D>& simulation, const std::filesystem::path& folder, std::int64_t index)
{
    Frame<D> frame = read_frame<D>(folder, index);
    simulation.bodies = std::move(frame.bodies);
    simulation.shapes = std::move(frame.shapes);
    simulation.contacts = std::move(frame.contacts);
    simulation.clock = frame.clock;
}

template Simulation<2> load_simulation<2>(const scene::Value&);
template Simulation<3> load_simulation<3>(const scene::Value&);
template Simulation<2> recorded_simulation<2>(const std::filesystem::path&, const scene::Value&);
template Simulation<3> recorded_simulation<3>(const std::filesystem::path&, const scene::Value&);
template void set_to_frame(Simulation<2>&, const std::filesystem::path&, std::int64_t);
template void set_to_frame(Simulation<3>&, const std::filesystem::path&, std::int64_t);

} // namespace talus::io
