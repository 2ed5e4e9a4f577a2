// talus run: from a scene to a run folder.
#include "base/error.hpp"
#include "commands.hpp"
#include "exec/parallel.hpp"
#include "io/durable_file.hpp"
#include "io/frames.hpp"
#include "io/scene_file.hpp"
#include "load.hpp"
#include "new_run.hpp"
#include "sample.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace talus;

namespace {

struct RunOptions {
    std::filesystem::path scene, out;
    std::vector<std::string> sets;
    std::optional<std::string> until;
    std::optional<std::int64_t> steps;
    int threads = 0;
    bool force = false, resume = false, vtk = false, quiet = false;
    std::string command_line;
};

RunPlan plan_run(const RunOptions& options, const scene::Value& scene)
{
    RunPlan plan = plan_of(scene);
    plan.steps = options.steps ? *options.steps : step_count(scene);
    plan.quiet = options.quiet;
    return plan;
}

void announce(const RunOptions& options, const std::filesystem::path& scene)
{
    if (!options.quiet) fmt::print(stderr, "{} → {}\n", scene.string(), options.out.string());
}

// Not where a file is in the way.
void check_out(const std::filesystem::path& out)
{
    for (std::filesystem::path place = std::filesystem::absolute(out); place.has_relative_path();
         place = place.parent_path()) {
        std::error_code error;
        if (!std::filesystem::exists(place, error)) continue;
        if (!std::filesystem::is_directory(place)) {
            throw InputError(fmt::format("--out {}: {} is a file, not a folder", out.string(), place.string()));
        }
        return;
    }
}

void refuse_occupied(const RunOptions& options)
{
    check_out(options.out);
    if (io::is_occupied(options.out) && !options.force) {
        throw InputError(options.out.string() +
                         " is not empty: --force replaces the run in it, --resume goes on with it");
    }
}

template <int D>
int start_run(const RunOptions& options, const scene::Value& scene)
{
    Simulation<D> simulation = load_simulation<D>(scene);
    // nothing is written before all of the above has passed
    announce(options, options.scene);
    if (io::is_occupied(options.out)) io::clear_run_folder(options.out);
    const bool vtk = options.vtk || scene.at("output").at("vtk").boolean();
    return begin_run(simulation, scene, {options.out, plan_run(options, scene), options.command_line, vtk});
}

// The track's sample, which is made first where it is missing.
int start_on_track(const RunOptions& options, scene::Value scene)
{
    if (!scene.find("start")) {
        const int status = prepare_sample(scene, {options.quiet, options.command_line});
        if (status != 0) return status;
        begin_with_sample(scene);
    }
    return start_run<3>(options, scene);
}

template <int D>
int resume_run(const RunOptions& options, const scene::Value& scene)
{
    // names and shapes come from the run's first frame, the state from the checkpoint
    Simulation<D> simulation = recorded_simulation<D>(options.out, scene);
    const io::Restored restored = io::read_checkpoint(options.out, simulation);
    const RunPlan plan = plan_run(options, scene);
    announce(options, options.out / "scene.toml");
    const bool vtk = options.vtk || scene.at("output").at("vtk").boolean();
    auto writer =
        io::RunWriter<D>::resume(options.out, simulation, restored, provenance_of(options.command_line, scene), vtk);
    io::Log log(options.out);
    log.info(fmt::format("{} (from step {})", options.command_line, simulation.clock.step));
    if (options.until) io::write_durably(options.out / "scene.toml", io::to_toml(scene)); // its end is another now
    if (!restored.remark.empty()) {
        fmt::print(stderr, "{}\n", restored.remark);
        log.warning(restored.remark);
    }
    return RunLoop<D>(simulation, writer, log, plan, restored.tally).run();
}

int run(RunOptions options)
{
    if (options.threads > 0) set_thread_count(options.threads);
    if (options.out.empty()) options.out = std::filesystem::path("out") / options.scene.stem();
    // a resumed run goes on with its own scene, defaults and all, so that it gives the same numbers
    if (options.resume && !io::is_run_folder(options.out)) {
        throw InputError(options.out.string() + " holds no run to resume");
    }
    if (options.resume && !options.sets.empty()) {
        throw InputError("--resume goes on with the run's own scene: --set is for a new run, which may begin with a "
                         "frame of this one ([start])");
    }
    if (options.until) options.sets.push_back("scene.duration=" + *options.until);
    const scene::Value scene = load_scene(options.resume ? options.out / "scene.toml" : options.scene, options.sets);
    if (!options.resume) refuse_occupied(options);
    catch_signals();
    const bool flat = scene.at("scene").at("dimension").integer() == 2;
    if (options.resume) return flat ? resume_run<2>(options, scene) : resume_run<3>(options, scene);
    if (scene.find("track")) return start_on_track(options, scene);
    return flat ? start_run<2>(options, scene) : start_run<3>(options, scene);
}

} // namespace

void add_run_command(CLI::App& app, Action& action, const std::string& command_line)
{
    auto options = std::make_shared<RunOptions>();
    options->command_line = command_line;
    CLI::App* command = app.add_subcommand("run", "run a scene; the results go to a folder");
    command->add_option("scene", options->scene, "scene file (TOML)")->required();
    command->add_option("--out", options->out, "folder of the run (default: out/ and the scene's name)");
    command->add_flag("--force", options->force, "replace a run that is there");
    command->add_option("--set", options->sets, "key.path=value, replaces or adds a key of the scene; repeatable")
        ->allow_extra_args(false);
    command->add_option("--threads", options->threads, "threads to use (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_option("--until", options->until, "end at this time, e.g. \"0.5 s\", instead of scene.duration");
    command->add_option("--steps", options->steps, "end after this many steps")->check(CLI::Range(0L, 1L << 60));
    command->add_flag("--resume", options->resume, "go on from the last checkpoint of the run");
    command->add_flag("--vtk", options->vtk, "write files for ParaView as well");
    command->add_flag("--quiet", options->quiet, "no progress, no warnings on the terminal");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}
