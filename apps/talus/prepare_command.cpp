// talus prepare: the sample of a track, from nothing to rest (BALLAST annexe A).
#include "commands.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/load.hpp"
#include "talus/io/track_sample.hpp"
#include "terminal/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace talus;

void add_prepare_command(CLI::App& app, Action& action, const std::string& command_line)
{
    struct Options {
        std::filesystem::path scene;
        std::vector<std::string> sets;
        int threads = 0;
        bool quiet = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("prepare", "make the sample of a scene's [track]: deposit, settle, carve, relax");
    command->add_option("scene", options->scene, "scene file (TOML)")->required();
    command->add_option("--set", options->sets, "key.path=value, as for run")->allow_extra_args(false);
    command->add_option("--threads", options->threads, "threads to use (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--quiet", options->quiet, "no progress on the terminal");
    command->callback([&action, options, command_line] {
        action = [options, command_line] {
            if (options->threads > 0) set_thread_count(options->threads);
            const scene::Value scene = io::load_scene(options->scene, options->sets);
            if (!scene.find("track")) throw InputError(options->scene.string() + " has no [track] to prepare");
            catch_signals();
            const bool was_there = io::is_prepared(io::sample_folder(scene));
            const int status = io::prepare_sample(scene, sample_maker(command_line, options->quiet));
            if (status == 0) {
                fmt::print("{}: {}\n", io::sample_folder(scene).string(), was_there ? "was there already" : "prepared");
            }
            return status;
        };
    });
}
