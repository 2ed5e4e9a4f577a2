// talus run: from a scene to a run folder, or on with a run that was interrupted.
#include "commands.hpp"
#include "run_scene.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "terminal/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace talus;

namespace {

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
    apply_run_options(options);
    const scene::Value scene =
        io::load_scene(options.scene, options.sets, has_own ? IdleKeys::allow : IdleKeys::refuse);
    catch_signals();
    if (entry == Entry::begin) return run_from_start(options, scene, std::move(lock));
    const bool flat = scene.at("scene").at("dimension").integer() == 2;
    return flat ? resume_run<2>(options, scene) : resume_run<3>(options, scene);
}

} // namespace

void add_run_command(CLI::App& app, Action& action, const std::string& command_line)
{
    auto options = std::make_shared<RunOptions>();
    options->command_line = command_line;
    CLI::App* command = app.add_subcommand("run", "run a scene; the results go to a folder");
    add_run_options(*command, *options);
    command->add_option("--out", options->out, "folder of the run (default: out/ and the scene's name)");
    command->add_flag("--force", options->force, "replace a run that is there");
    command->add_flag("--resume", options->resume,
                      "go on from the last checkpoint of the run; where there is no step yet, begin");
    command->add_flag("--vtk", options->vtk, "write files for ParaView as well");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}
