#include "run_scene.hpp"

#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/io/track_sample.hpp"
#include "terminal/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace talus;

void add_run_options(CLI::App& command, RunOptions& options)
{
    command.add_option("scene", options.scene, "scene file (TOML)")->required();
    command.add_option("--set", options.sets, "key.path=value, replaces or adds a key of the scene; repeatable")
        ->allow_extra_args(false);
    command.add_option("--threads", options.threads, "threads to use (default: all cores)")->check(CLI::Range(1, 4096));
    command.add_option("--until", options.until, "end at this time, e.g. \"0.5 s\", instead of scene.duration");
    command.add_option("--steps", options.steps, "end after this many steps")->check(CLI::Range(0L, 1L << 60));
    command.add_flag("--quiet", options.quiet, "no progress, no warnings on the terminal");
}

void apply_run_options(RunOptions& options)
{
    if (options.threads > 0) set_thread_count(options.threads);
    if (options.until) options.sets.push_back("scene.duration=" + *options.until);
}

RunPlan plan_run(const RunOptions& options, const scene::Value& scene)
{
    RunPlan plan = plan_of(scene);
    if (options.steps) plan.steps = *options.steps;
    return plan;
}

void announce(const RunOptions& options, const std::filesystem::path& scene)
{
    if (!options.quiet) fmt::print(stderr, "{} → {}\n", scene.string(), options.out.string());
}

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

Entry entry_into(const RunOptions& options)
{
    const std::filesystem::path& out = options.out;
    if (options.resume) {
        if (io::has_checkpoint(out)) return Entry::resume;
        if (io::has_no_step(out)) return Entry::begin;
        throw InputError(out.string() + (io::is_run_folder(out)
                                             ? ": has no checkpoint to resume from; --force replaces the run in it"
                                             : " is not empty, and holds no run to resume"));
    }
    if (!is_free(out) && !options.force) {
        throw InputError(out.string() + " is not empty: --force replaces the run in it, --resume goes on with it");
    }
    return Entry::begin;
}

bool is_free(const std::filesystem::path& out) { return io::has_no_step(out) && !io::has_foreign_files(out); }

io::FolderLock take_lock(const std::filesystem::path& out)
{
    io::FolderLock lock = io::FolderLock::take(out);
    if (!lock.remark().empty()) fmt::print(stderr, "warning: {}\n", lock.remark());
    return lock;
}

namespace {

// A --resume that begins, and a run over what a kill left: it is said, since it is not what the command says.
void tell_of_beginning(const RunOptions& options)
{
    if (options.quiet || options.force || !(options.resume || io::is_occupied(options.out))) return;
    fmt::print(stderr, "{}: no step was made here: the run begins\n", options.out.string());
}

template <int D>
int start_run(const RunOptions& options, const scene::Value& scene, std::optional<io::FolderLock> lock,
              io::RunFigures* figures)
{
    Simulation<D> simulation = io::load_simulation<D>(scene);
    // nothing is written before all of the above has passed
    if (!lock) {
        io::make_directory(options.out);
        lock.emplace(take_lock(options.out));
        if (entry_into(options) != Entry::begin) { // another run was here in the meantime
            throw InputError(options.out.string() + " holds a run by now: --resume goes on with it");
        }
    }
    tell_of_beginning(options);
    announce(options, options.scene);
    io::clear_run_folder(options.out, options.resume ? io::SceneFile::keep : io::SceneFile::remove);
    const bool vtk = options.vtk || scene.at("output").at("vtk").boolean();
    Run<D> run(RunSetup<D>{std::move(simulation), plan_run(options, scene), scene});
    run.observe(io::new_recorder(run, scene, {options.out, options.command_line, vtk}));
    attach_terminal(run, options.quiet);
    if (figures) run.observe(std::make_unique<io::FigureKeeper<D>>(*figures));
    return run.advance().status;
}

// The track's sample, which is made first where it is missing.
int start_on_track(const RunOptions& options, scene::Value scene, std::optional<io::FolderLock> lock,
                   io::RunFigures* figures)
{
    if (!scene.find("start")) {
        const int status = io::prepare_sample(scene, sample_maker(options.command_line, options.quiet));
        if (status != 0) return status;
        io::begin_with_sample(scene);
    }
    return start_run<3>(options, scene, std::move(lock), figures);
}

} // namespace

int run_from_start(const RunOptions& options, const scene::Value& scene, std::optional<io::FolderLock> lock,
                   io::RunFigures* figures)
{
    if (scene.find("track")) return start_on_track(options, scene, std::move(lock), figures);
    return scene.at("scene").at("dimension").integer() == 2 ? start_run<2>(options, scene, std::move(lock), figures)
                                                            : start_run<3>(options, scene, std::move(lock), figures);
}
