#include "talus/io/runs/run_recorder.hpp"

#include "talus/base/version.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/io/problems/problem_file.hpp"

#include <fmt/format.h>

namespace talus::io {

template <int D>
void RunRecorder<D>::on_start(Run<D>& run)
{
    keep_problems(run);
    if (run.is_fresh()) writer_.frame(run.simulation());
}

template <int D>
void RunRecorder<D>::keep_problems(Run<D>& run)
{
    const std::set<std::int64_t>& wanted = run.plan().problem_steps;
    if (wanted.empty()) return;
    const std::filesystem::path folder = writer_.folder() / "problems";
    make_directory(folder);
    run.simulation().contact_dynamics().on_problem = [&run, wanted, folder](const ContactProblem<D>& problem,
                                                                            const Partition& partition) {
        const std::int64_t step = run.simulation().clock.step + 1; // the one that is being made
        if (wanted.contains(step)) write_problem(folder / fmt::format("{:06}.h5", step), problem, partition);
    };
}

template <int D>
void RunRecorder<D>::on_line(const Run<D>& run, const StepReport& report, std::span<const GaugeLine> gauges)
{
    writer_.series(run.simulation(), report, gauges);
    if (run.tally().steps == 0) { // a run that is killed early can be resumed too
        writer_.checkpoint(run.simulation(), run.tally());
    }
}

template <int D>
void RunRecorder<D>::on_step(const Run<D>& run, const StepReport&)
{
    if (run.simulation().clock.step % run.plan().frame_steps == 0 || run.is_last_step()) {
        writer_.frame(run.simulation());
    }
    if (since_checkpoint_.seconds() > run.plan().checkpoint_seconds) {
        writer_.checkpoint(run.simulation(), run.tally());
        since_checkpoint_.lap();
    }
}

template <int D>
void RunRecorder<D>::on_stop(const Run<D>& run)
{
    writer_.checkpoint(run.simulation(), run.tally());
}

template <int D>
void RunRecorder<D>::on_end(const Run<D>& run, const RunEnd& end)
{
    Summary summary;
    summary.end = end;
    summary.tally = run.tally();
    summary.quality = run.quality();
    summary.simulated_time = run.simulation().clock.time();
    summary.bodies = run.simulation().bodies.size();
    summary.grains = Sample<D>{run.simulation().bodies, run.simulation().shapes}.grains();
    summary.left = run.simulation().left.size();
    summary.parts = run.simulation().engine->parts_of(run.simulation().clock.dt);
    summary.state_hash = run.simulation().state_hash();
    summary.threads = thread_count();
    summary.version = version();
    summary.gauges = measure_gauges(run.simulation());
    for (const auto& meter : run.simulation().meters) summary.meters.emplace_back(meter->name(), meter->results());
    log_.info(fmt::format("{}: {}", end.outcome, end.reason));
    if (end.status != 1) writer_.tables(run.simulation());
    end.status == 1 ? writer_.give_up(summary) : writer_.finish(summary);
}

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
            const auto file = std::filesystem::absolute(path_in_scene(*path)).lexically_normal();
            entry.set(key, scene::Value(file.string()));
        }
    };
    for (scene::Value& body : scene.at("bodies").list()) write_out(body, "file");
    for (scene::Value& generator : scene.at("generators").list()) {
        write_out(generator, "library");
        write_out(generator, "file");
    }
    if (scene::Value* track = scene.find("track")) write_out(*track, "library");
    return scene;
}

} // namespace

Provenance provenance_of(const std::string& command_line, const scene::Value& scene)
{
    Provenance provenance = provenance_here();
    provenance.version = version();
    provenance.build = build_description();
    provenance.seed = std::uint64_t(scene.at("scene").at("seed").integer());
    provenance.command = command_line;
    provenance.threads = thread_count();
    return provenance;
}

template <int D>
std::unique_ptr<RunRecorder<D>> new_recorder(const Run<D>& run, const scene::Value& scene, const RunFolder& folder)
{
    RunWriter<D> writer(folder.path, as_run(scene, run.plan()), run.simulation(),
                        provenance_of(folder.command_line, scene), folder.vtk);
    Log log(folder.path);
    log.info(folder.command_line);
    return std::make_unique<RunRecorder<D>>(std::move(writer), std::move(log));
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template class RunRecorder<D>;                                                                                     \
    template std::unique_ptr<RunRecorder<D>> new_recorder(const Run<D>&, const scene::Value&, const RunFolder&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
