// talus check: validate a scene and say what it will cost, or verify a run folder.
#include "commands.hpp"
#include "cost.hpp"
#include "talus/base/error.hpp"
#include "talus/detection/cells_picture.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/track_sample.hpp"
#include "talus/railway/presets.hpp"
#include "talus/railway/railway_checks.hpp"
#include "talus/railway/track.hpp"
#include "talus/simulation/method.hpp"
#include "terminal/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

using namespace talus;

namespace {

std::string bytes(double count)
{
    static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; count >= 1000 && unit < 4; ++unit) count /= 1000;
    return fmt::format("{:.3g} {}", count, units[unit]);
}

// What the presets of a track gave, table by table, and what the scene has instead.
void print_presets(const scene::Value& scene)
{
    std::string head, table;
    for (const PresetValue& value : preset_values(scene)) {
        const std::string here = fmt::format("{:<10}preset \"{}\"\n", value.section, value.preset);
        const std::string path = value.key.substr(0, value.key.rfind('.'));
        const bool is_first = here != head || path != table;
        if (is_first && !head.empty()) fmt::print("\n");
        if (here != head) fmt::print("{}", here);
        if (is_first) fmt::print("          {}:", path);
        fmt::print("{} {} = {}", is_first ? "" : ",", value.key.substr(path.size() + 1), value.stands);
        if (!value.is_kept) fmt::print(" (the scene's, not {})", value.given);
        head = here, table = path;
    }
    if (!head.empty()) fmt::print("\n");
}

void print_cost(const Cost& cost)
{
    fmt::print("memory    about {}\n", bytes(cost.memory));
    fmt::print("disk      about {}\n", bytes(cost.disk));
    if (!std::isfinite(cost.seconds)) return;
    fmt::print("time      about {} on {} thread{}\n", Progress::duration(cost.seconds), thread_count(),
               thread_count() == 1 ? "" : "s");
}

template <int D>
int check_scene_file(const scene::Value& scene)
{
    const Simulation<D> simulation = io::load_simulation<D>(scene);
    const Cost cost = estimate_cost(scene, simulation);
    fmt::print("{}D scene, no mistakes found\n", D);
    fmt::print("bodies    {}{}\n", simulation.bodies.size(),
               cost.bodies > double(simulation.bodies.size()) ? fmt::format(", {:.0f} with those fed", cost.bodies)
                                                              : "");
    fmt::print("contacts  about {:.2g} when dense\n", cost.contacts);
    fmt::print("steps     {} of {:g} s\n", cost.steps, simulation.clock.dt);
    for (const std::string& line : method_of(scene).choices(simulation, scene)) fmt::print("{}\n", line);
    print_cost(cost);
    print_presets(scene);
    for (const std::string& line : warnings(simulation, scene)) fmt::print("warning: {}\n", line);
    return 0;
}

// A track whose sample is not there yet: what can be said before it is made.
int check_track(const scene::Value& scene)
{
    const Track track = *read_track(scene);
    fmt::print("3D scene, no mistakes found\n");
    fmt::print("track     {:g} m along the sleepers, {:g} m along the track, {} sleepers, {} tools\n", track.width,
               track.length, track.sleepers.size(), track.has_tools() ? track.tool_places(0).size() : 0);
    fmt::print("ballast   {}, a bed of about {:.2g} m\n",
               track.grains ? fmt::format("{} grains", *track.grains)
                            : fmt::format("as many grains as fill the height, about {:.2g}", track.expected_grains),
               track.height);
    const Cost cost = estimate_track_cost(scene, track), sample = estimate_sample_cost(scene, track);
    fmt::print("contacts  about {:.2g}\n", cost.contacts);
    fmt::print("steps     {} of {:g} s\n", cost.steps, scene.at("scene").at("dt").number());
    print_cost(cost);
    fmt::print("sample    {} is not there yet: talus run makes it first, in about {} and {}\n",
               io::sample_folder(scene).string(), Progress::duration(sample.seconds), bytes(sample.disk));
    print_presets(scene);
    for (const std::string& line : railway_warnings(scene)) fmt::print("warning: {}\n", line);
    return 0;
}

int check_run_folder(const std::filesystem::path& folder)
{
    std::vector<std::string> problems = io::verify_run(folder);
    if (std::filesystem::exists(folder / "scene.toml")) {
        try {
            io::load_scene(folder / "scene.toml", {}, IdleKeys::allow); // without a sound one the run could not go on
        } catch (const InputError& error) {
            problems.emplace_back(error.what());
        }
    }
    for (const std::string& line : problems) fmt::print(stderr, "{}\n", line);
    if (!problems.empty()) return 2;
    const io::RunInfo info = io::read_run_info(folder);
    fmt::print("{}D run, {} frames{}, outcome: {}\n", info.dimension, info.frames,
               info.times.empty() ? "" : fmt::format(" to t = {:g} s", info.times.back()),
               info.outcome.empty() ? "none yet (running or killed)" : info.outcome);
    return 0;
}

// CELLS' exercise: a few disks filed in nine linked cells
int show_cells(const scene::Value& scene)
{
    if (scene.at("scene").at("dimension").integer() != 2) {
        throw InputError("--cells draws disks in a square: it wants a scene in 2D");
    }
    const Simulation<2> simulation = io::load_simulation<2>(scene);
    fmt::print("{}", cells_picture(simulation.bodies.position, 3));
    return 0;
}

} // namespace

void add_check_command(CLI::App& app, Action& action)
{
    struct Options {
        std::filesystem::path what;
        std::vector<std::string> sets;
        bool cells = false;
        int threads = 0;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("check", "validate a scene and say what it costs, or verify a run folder");
    command->add_option("scene_or_folder", options->what, "scene file or run folder")->required();
    command->add_option("--set", options->sets, "key.path=value, as for run")->allow_extra_args(false);
    command->add_option("--threads", options->threads, "threads of the estimate")->check(CLI::Range(1, 4096));
    command->add_flag("--cells", options->cells, "draw the grains of a 2D scene filed in nine linked cells");
    command->callback([&action, options] {
        action = [options] {
            if (options->threads > 0) set_thread_count(options->threads);
            if (std::filesystem::is_directory(options->what)) return check_run_folder(options->what);
            scene::Value scene = io::load_scene(options->what, options->sets);
            if (options->cells) return show_cells(scene);
            if (scene.find("track") && !scene.find("start")) {
                if (!io::is_prepared(io::sample_folder(scene))) return check_track(scene);
                io::refuse_other_sample(scene);
                io::begin_with_sample(scene);
            }
            return scene.at("scene").at("dimension").integer() == 2 ? check_scene_file<2>(scene)
                                                                    : check_scene_file<3>(scene);
        };
    });
}
