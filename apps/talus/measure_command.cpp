// talus measure: indicators of a finished or interrupted run, from its frames.
#include "commands.hpp"
#include "measure_cuts.hpp"
#include "measure_figures.hpp"
#include "prediction.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/measured.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/series.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/probes/inertial_number.hpp"
#include "talus/simulation/quality.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace talus;

namespace {

struct MeasureOptions {
    std::filesystem::path folder, series, json, figures;
    std::vector<std::string> gauges, sets, cuts, diameters;
    std::optional<double> time;
    bool predict = false;
};

// The scene of the run with the gauges that are asked for in addition.
scene::Value scene_with_gauges(const MeasureOptions& options)
{
    scene::Value root = io::read_scene(options.folder / "scene.toml");
    io::apply_overrides(root, options.sets);
    for (const std::string& text : options.gauges) {
        const scene::Value parsed = io::parse_scene("gauges = [" + text + "]", "--gauge");
        if (!root.find("gauges")) root.set("gauges", scene::Value(scene::Value::List{}));
        root.at("gauges").list().push_back(parsed.at("gauges").list().at(0));
    }
    std::vector<Mistake> mistakes = check_scene(root, IdleKeys::allow);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return root;
}

template <int D>
void print_readings(const Simulation<D>& simulation, const std::vector<GaugeLine>& lines)
{
    fmt::print("t = {:g} s, step {}, {} bodies, {} contacts\n", simulation.clock.time(), simulation.clock.step,
               simulation.bodies.size(), simulation.contacts.size());
    for (const GaugeLine& line : lines) {
        fmt::print("\n{}\n", line.gauge);
        for (std::size_t c = 0; c < line.reading.columns().size(); ++c) {
            const Maybe value = line.reading.values()[c];
            fmt::print("  {:<34} {}\n", line.reading.columns()[c], value ? fmt::format("{:.6g}", *value) : "-");
        }
        if (const Maybe inertia = line.reading["inertial_number"]) {
            fmt::print("  {:<34} {}\n", "regime", regime_of(*inertia));
        }
    }
}

template <int D>
void warn_of_gauges(const Simulation<D>& simulation)
{
    const Snapshot<D> snapshot = simulation.snapshot();
    for (const Gauge<D>& gauge : simulation.gauges) {
        for (const std::string& doubt : gauge.doubts(snapshot)) fmt::print(stderr, "warning: {}\n", doubt);
    }
}

// Every gauge at every frame, under the names of series.csv.
template <int D>
void write_series(Simulation<D>& simulation, const std::filesystem::path& folder, std::int64_t frames,
                  const std::filesystem::path& file)
{
    std::vector<std::string> columns = {"time_s", "step"};
    for (const Gauge<D>& gauge : simulation.gauges) {
        for (const std::string& column : gauge.columns()) columns.push_back(gauge.name() + "." + column);
    }
    io::SeriesFile series(file, columns);
    for (std::int64_t f = 0; f < frames; ++f) {
        io::set_to_frame(simulation, folder, f);
        std::vector<Maybe> values = {simulation.clock.time(), double(simulation.clock.step)};
        for (const GaugeLine& line : measure_gauges(simulation)) {
            values.insert(values.end(), line.reading.values().begin(), line.reading.values().end());
        }
        series.write(values);
    }
    fmt::print("{}: {} frames, {} columns\n", file.string(), frames, columns.size());
}

template <int D>
void predict(Simulation<D>& simulation, const scene::Value& scene, const std::filesystem::path& folder,
             std::int64_t frames)
{
    const auto watched = std::ranges::find_if(simulation.gauges, [](const Gauge<D>& gauge) {
        return std::ranges::count(gauge.columns(), std::string_view("interpenetration")) > 0;
    });
    Gauge<D> gauge = *watched; // assembly sees to it that there is one
    gauge.showing({"interpenetration", "contacts", "velocity"});
    GaugeHistory history;
    double diameter = 0;
    for (std::int64_t f = 1; f < frames; ++f) {
        io::set_to_frame(simulation, folder, f);
        const Snapshot<D> snapshot = simulation.snapshot();
        const Reading reading = gauge.measure(snapshot);
        history.contacts.push_back(reading["contacts"].value_or(0));
        history.mean_speed.push_back(reading["mean_speed_mps"].value_or(0));
        history.overlap_ratio.push_back(reading["overlap_ratio"].value_or(0));
        diameter = std::max(diameter, gauge.look(snapshot).mean_diameter());
    }
    print_prediction(folder, gauge.name(), history, scene.at("quality").at("process").text(), simulation.clock.dt,
                     diameter, simulation.clock.step);
}

template <int D>
int measure(const MeasureOptions& options)
{
    const io::RunInfo info = io::read_run_info(options.folder);
    if (info.frames == 0) throw InputError(options.folder.string() + ": has no frames");
    const scene::Value scene = scene_with_gauges(options);
    if (options.predict && !scene.find("track")) {
        throw InputError(options.folder.string() +
                         ": has no [track]: BALLAST eq. 10.3, which --predict asks for, was fitted on tracks alone");
    }
    const std::vector<PlaneCut<D>> cuts = read_cuts<D>(options.cuts);
    Simulation<D> simulation = io::recorded_simulation<D>(options.folder, scene);
    const std::vector<Gauge<D>> round = round_gauges(simulation, scene, options.diameters);

    io::set_to_frame(simulation, options.folder,
                     options.time ? io::frame_at(options.folder, *options.time) : io::last_frame);
    warn_of_gauges(simulation);
    print_readings(simulation, measure_gauges(simulation));
    print_cuts(simulation, cuts);
    print_diameters(simulation, round);
    if (!options.json.empty()) {
        io::write_durably(options.json, io::to_json(io::measure_everything(simulation), simulation.clock.time()));
        fmt::print("\n{}: readings and distributions\n", options.json.string());
    }
    if (!options.figures.empty()) write_figures(simulation, round, options.folder, options.figures);
    if (!options.series.empty()) write_series(simulation, options.folder, info.frames, options.series);
    if (options.predict) {
        fmt::print("\n");
        predict(simulation, scene, options.folder, info.frames);
    }
    return 0;
}

} // namespace

void add_measure_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<MeasureOptions>();
    CLI::App* command = app.add_subcommand("measure", "indicators of a finished or interrupted run");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command
        ->add_option("--gauge", options->gauges,
                     "one more gauge, as in [[gauges]] of a scene: '{name=\"core\", type=\"box\", lower=[0,0], "
                     "upper=[\"5 cm\",1], indicators=\"all\"}'; repeatable")
        ->allow_extra_args(false);
    command
        ->add_option("--set", options->sets,
                     "key.path=value of the run's scene, such as gauges[0].indicators=all; repeatable")
        ->allow_extra_args(false);
    command->add_option("--time", options->time, "of the frame, in seconds; the last frame without it");
    command->add_option("--series", options->series, "measure every frame, into FILE.csv");
    command->add_option("--json", options->json, "readings, distributions and profiles, into FILE.json");
    command->add_option("--figures", options->figures,
                        "rose of normals, distributions, profiles and time series as SVG, into a folder");
    command
        ->add_option(
            "--cut", options->cuts,
            "the force through a cut: '{centre=[0.1,0.05], normal=[1,0], radius=\"5 cm\"}', half the length of a "
            "segment in 2D, the radius of a disk in 3D; endless without a radius; repeatable")
        ->allow_extra_args(false);
    command
        ->add_option("--diameters", options->diameters,
                     "Moreau's check of the stress on 21 diameters of this disk or sphere gauge; repeatable")
        ->allow_extra_args(false);
    command->add_flag("--predict", options->predict,
                      "BALLAST eq. 10.3 with the measured interpenetration Y beside it, and other choices of dt and "
                      "sweeps");
    command->callback([&action, options] {
        action = [options] {
            return io::read_dimension(options->folder) == 2 ? measure<2>(*options) : measure<3>(*options);
        };
    });
}
