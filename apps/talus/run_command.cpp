// talus run: from a scene to a run folder.
#include "commands.hpp"
#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/files/folder_lock.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/io/track_sample.hpp"
#include "terminal/terminal.hpp"

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
    if (options.steps) plan.steps = *options.steps;
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

// Goes on from a checkpoint, or begins: also where a run was ended before its first step, by a kill or a full disk.
enum class Entry { resume, begin };

// InputError where the folder is not to be written.
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
    const bool is_free = io::has_no_step(out) && !io::has_foreign_files(out);
    if (!is_free && !options.force) {
        throw InputError(out.string() + " is not empty: --force replaces the run in it, --resume goes on with it");
    }
    return Entry::begin;
}

io::FolderLock take_lock(const std::filesystem::path& out)
{
    io::FolderLock lock = io::FolderLock::take(out);
    if (!lock.remark().empty()) fmt::print(stderr, "warning: {}\n", lock.remark());
    return lock;
}

// A --resume that begins, and a run over what a kill left: it is said, since it is not what the command says.
void tell_of_beginning(const RunOptions& options)
{
    if (options.quiet || options.force || !(options.resume || io::is_occupied(options.out))) return;
    fmt::print(stderr, "{}: no step was made here: the run begins\n", options.out.string());
}

template <int D>
int start_run(const RunOptions& options, const scene::Value& scene, std::optional<io::FolderLock> lock)
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
    return run.advance().status;
}

// The track's sample, which is made first where it is missing.
int start_on_track(const RunOptions& options, scene::Value scene, std::optional<io::FolderLock> lock)
{
    if (!scene.find("start")) {
        const int status = io::prepare_sample(scene, sample_maker(options.command_line, options.quiet));
        if (status != 0) return status;
        io::begin_with_sample(scene);
    }
    return start_run<3>(options, scene, std::move(lock));
}

template <int D>
int resume_run(const RunOptions& options, const scene::Value& scene)
{
    // names and shapes come from the run's first frame, the state from the checkpoint
    Simulation<D> simulation = io::recorded_simulation<D>(options.out, scene);
    const io::Restored restored = io::read_checkpoint(options.out, simulation);
    const RunPlan plan = plan_run(options, scene);
    announce(options, options.out / "scene.toml");
    const bool vtk = options.vtk || scene.at("output").at("vtk").boolean();
    auto writer = io::RunWriter<D>::resume(options.out, simulation, restored,
                                           io::provenance_of(options.command_line, scene), vtk);
    io::Log log(options.out);
    log.info(fmt::format("{} (from step {})", options.command_line, simulation.clock.step));
    if (options.until) io::write_durably(options.out / "scene.toml", io::to_toml(scene)); // its end is another now
    if (!restored.remark.empty()) {
        fmt::print(stderr, "{}\n", restored.remark);
        log.warning(restored.remark);
    }
    Run<D> run(std::move(simulation), plan, Run<D>::Begin::resumed, restored.tally);
    run.observe(std::make_unique<io::RunRecorder<D>>(std::move(writer), std::move(log)));
    attach_terminal(run, options.quiet);
    return run.advance().status;
}

int run(RunOptions options)
{
    if (options.threads > 0) set_thread_count(options.threads);
    if (options.out.empty()) options.out = std::filesystem::path("out") / options.scene.stem();
    if (options.resume && !options.sets.empty()) {
        throw InputError("--resume goes on with the run's own scene: --set is for a new run, which may begin with a "
                         "frame of this one ([start])");
    }
    check_out(options.out);
    // the first thing, so that a run that goes on is not waited for, nor judged by what it has written so far
    std::optional<io::FolderLock> lock;
    if (std::filesystem::is_directory(options.out)) lock.emplace(take_lock(options.out));
    const Entry entry = entry_into(options);
    // a resumed run goes on with its own scene, defaults and all, so that it gives the same numbers
    const std::filesystem::path own = options.out / "scene.toml";
    const bool has_own = options.resume && std::filesystem::exists(own);
    if (has_own) options.scene = own;
    if (options.until) options.sets.push_back("scene.duration=" + *options.until);
    const scene::Value scene =
        io::load_scene(options.scene, options.sets, has_own ? IdleKeys::allow : IdleKeys::refuse);
    catch_signals();
    const bool flat = scene.at("scene").at("dimension").integer() == 2;
    if (entry == Entry::resume) return flat ? resume_run<2>(options, scene) : resume_run<3>(options, scene);
    if (scene.find("track")) return start_on_track(options, scene, std::move(lock));
    return flat ? start_run<2>(options, scene, std::move(lock)) : start_run<3>(options, scene, std::move(lock));
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
    command->add_flag("--resume", options->resume,
                      "go on from the last checkpoint of the run; where there is no step yet, begin");
    command->add_flag("--vtk", options->vtk, "write files for ParaView as well");
    command->add_flag("--quiet", options->quiet, "no progress, no warnings on the terminal");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}
