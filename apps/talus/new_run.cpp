#include "new_run.hpp"

#include "base/version.hpp"
#include "exec/parallel.hpp"
#include "io/mesh_file.hpp"
#include "load.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// The scene that goes into the run's folder: with the spacing of its output resolved, so that a resumed run with a
// later end keeps it, and the places of the run it starts from and of shape files written out, so that the copy can be
// run too.
scene::Value as_run(scene::Value scene, const RunPlan& plan)
{
    const double dt = scene.at("scene").at("dt").number();
    scene.at("output").set("frames_every", scene::Value(dt * double(plan.frame_steps)));
    scene.at("output").set("series_every", scene::Value(dt * double(plan.series_steps)));
    scene.at("output").set("gauges_every", scene::Value(dt * double(plan.gauge_steps)));
    if (scene::Value* start = scene.find("start")) {
        const auto folder = std::filesystem::absolute(start_folder(start->at("run"))).lexically_normal();
        start->set("run", scene::Value(folder.string()));
    }
    const auto write_out = [](scene::Value& entry, const char* key) {
        if (const scene::Value* path = entry.find(key)) {
            const auto file = std::filesystem::absolute(io::path_in_scene(*path)).lexically_normal();
            entry.set(key, scene::Value(file.string()));
        }
    };
    for (scene::Value& body : scene.at("bodies").list()) write_out(body, "file");
    for (scene::Value& generator : scene.at("generators").list()) write_out(generator, "library");
    if (scene::Value* track = scene.find("track")) write_out(*track, "library");
    return scene;
}

} // namespace

io::Provenance provenance_of(const std::string& command_line, const scene::Value& scene)
{
    io::Provenance provenance = io::provenance_here();
    provenance.version = version();
    provenance.build = build_description();
    provenance.seed = std::uint64_t(scene.at("scene").at("seed").integer());
    provenance.command = command_line;
    provenance.threads = thread_count();
    return provenance;
}

template <int D>
int begin_run(Simulation<D>& simulation, const scene::Value& scene, const NewRun& run)
{
    io::Tally tally;
    tally.warnings = warnings(simulation, scene);
    io::RunWriter<D> writer(run.out, as_run(scene, run.plan), simulation, provenance_of(run.command_line, scene),
                            run.vtk);
    io::Log log(run.out);
    log.info(run.command_line);
    for (const std::string& line : tally.warnings) {
        if (!run.plan.quiet) fmt::print(stderr, "warning: {}\n", line);
        log.warning(line);
    }
    return RunLoop<D>(simulation, writer, log, run.plan, std::move(tally)).run();
}

template int begin_run(Simulation<2>&, const scene::Value&, const NewRun&);
template int begin_run(Simulation<3>&, const scene::Value&, const NewRun&);
