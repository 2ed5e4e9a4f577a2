// talus crowd: density, speed, level of service, trajectories and the evacuation curve of a crowd, from a run's frames.
#include "commands.hpp"
#include "output_file.hpp"
#include "talus/crowd/fundamental.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/series.hpp"
#include "talus/report/crowd_figures.hpp"
#include "talus/report/pages/html_report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

using namespace talus;

namespace {

namespace fs = std::filesystem;

struct CrowdOptions {
    fs::path folder, trajectories, image, fundamental, curve;
    std::string map;
    std::vector<double> box;
    double cell = 1; // [m]
    io::TimeInterval during;
    bool force = false;
};

Bounds<2> measuring_area(const CrowdOptions& options, const io::CrowdFrames& frames)
{
    if (options.box.empty()) return frames.extent();
    const Bounds<2> box{{options.box[0], options.box[1]}, {options.box[2], options.box[3]}};
    if (!(box.lower.array() < box.upper.array()).all()) {
        throw InputError(fmt::format("--box {:g} {:g} {:g} {:g}: the first two are its lower corner, the others its "
                                     "upper one",
                                     options.box[0], options.box[1], options.box[2], options.box[3]));
    }
    return box;
}

// All that can be refused, before anything is written.
void check_options(const CrowdOptions& options)
{
    if (options.map.empty() != options.image.empty()) throw InputError("--map and --image go together");
    if (!(options.during.from <= options.during.until)) throw InputError("--from must not be after --until");
    for (const fs::path& file : {options.trajectories, options.image, options.fundamental, options.curve}) {
        if (!file.empty()) refuse_overwriting_file(file, options.force);
    }
}

io::SeriesColumns measured_series(const fs::path& folder)
{
    io::SeriesColumns series = io::read_series(folder / "series.csv");
    if (std::ranges::count(series.names, "crowd.inside") == 0) {
        throw InputError(folder.string() + ": its series.csv has no measures of a crowd; a run made anew has them");
    }
    return series;
}

// About twenty frames: who is there, how fast they walk, how dense they stand.
void print_table(const io::CrowdFrames& frames, const io::TimeInterval& during)
{
    const std::size_t stride = std::max<std::size_t>(1, frames.times().size() / 20);
    fmt::print("{:>8} {:>8} {:>11} {:>13} {:>16}\n", "t [s]", "persons", "speed [m/s]", "density [1/m²]",
               "largest [1/m²]");
    for (std::size_t f = 0; f < frames.times().size(); f += stride) {
        if (!during.has(frames.times()[f])) continue;
        const io::Frame<2> frame = frames.frame(f);
        const std::vector<double> density = person_densities(frame.bodies, frame.shapes);
        double persons = 0, speed = 0, sum = 0, largest = 0;
        for (std::size_t i = 0; i < density.size(); ++i) {
            if (!is_person(frame.bodies, frame.shapes, i)) continue;
            ++persons;
            speed += frame.bodies.velocity[i].norm();
            sum += density[i];
            largest = std::max(largest, density[i]);
        }
        const auto mean = [&](double total) { return persons > 0 ? fmt::format("{:.3f}", total / persons) : "-"; };
        fmt::print("{:8.4g} {:8} {:>11} {:>14} {:>14}\n", frame.clock.time(), persons, mean(speed), mean(sum),
                   persons > 0 ? fmt::format("{:.3f}", largest) : "-");
    }
    fmt::print("density of a person: one over the area of their Voronoi cell, cut at obstacles and at 2 m\n");
}

void write_fundamental(const io::CrowdFrames& frames, const CrowdOptions& options)
{
    const Bounds<2> area = measuring_area(options, frames);
    io::SeriesFile file(options.fundamental,
                        {"time_s", "persons", "density_pm2", "speed_mps", "specific_flow_pmps", "voronoi_density_pm2",
                         "voronoi_speed_mps", "voronoi_specific_flow_pmps"});
    const auto product = [](double density, const Maybe& speed) { return speed ? Maybe(density * *speed) : Maybe(); };
    std::size_t lines = 0;
    frames.each(options.during, [&](const io::Frame<2>& frame) {
        const FundamentalSample sample = measure_fundamental(frame.bodies, frame.shapes, area);
        const std::vector<Maybe> values{frame.clock.time(),
                                        double(sample.persons),
                                        sample.density,
                                        sample.speed,
                                        product(sample.density, sample.speed),
                                        sample.voronoi_density,
                                        sample.voronoi_speed,
                                        product(sample.voronoi_density, sample.voronoi_speed)};
        file.write(values);
        ++lines;
    });
    fmt::print("{}: density and speed at {} moments, in {:g} × {:g} m\n", options.fundamental.string(), lines,
               area.upper.x() - area.lower.x(), area.upper.y() - area.lower.y());
}

void write_curve(const fs::path& folder, const fs::path& file)
{
    const io::SeriesColumns series = measured_series(folder);
    const report::Chart chart = report::evacuation_chart(series);
    if (file.extension() == ".png") {
        report::write_png(report::paint_chart(chart), file);
    } else if (file.extension() == ".svg") {
        io::write_durably(file, report::draw_chart_svg(chart));
    } else {
        std::vector<std::string> columns{"time_s"};
        for (const report::Curve& curve : chart.curves) columns.push_back(curve.name);
        io::SeriesFile csv(file, columns);
        for (std::size_t k = 0; k < series.lines(); ++k) {
            std::vector<Maybe> values{chart.curves[0].x[k]};
            for (const report::Curve& curve : chart.curves) values.emplace_back(curve.y[k]);
            csv.write(values);
        }
    }
    fmt::print("{}: evacuation curve\n", file.string());
}

void write_map(const io::CrowdFrames& frames, const CrowdOptions& options)
{
    const report::CrowdPicture picture{report::run_title(options.folder), 1200, options.during};
    if (options.map == "paths") {
        report::write_png(report::paint_paths(frames, picture), options.image);
    } else {
        const report::MapQuantity quantity = options.map == "density" ? report::MapQuantity::density
                                             : options.map == "speed" ? report::MapQuantity::speed
                                                                      : report::MapQuantity::service;
        const CrowdMap map = report::crowd_map(frames, options.cell, options.during);
        report::write_png(report::paint_map(frames, map, quantity, picture), options.image);
    }
    fmt::print("{}: {}\n", options.image.string(), options.map);
}

int crowd(const CrowdOptions& options)
{
    check_options(options);
    const io::CrowdFrames frames(options.folder);
    const bool is_asked =
        !options.trajectories.empty() || !options.map.empty() || !options.fundamental.empty() || !options.curve.empty();
    if (!is_asked) print_table(frames, options.during);
    if (!options.trajectories.empty()) {
        const std::size_t lines = io::write_trajectories(frames, options.trajectories);
        fmt::print("{}: {} places in {} frames, {:g} per second\n", options.trajectories.string(), lines,
                   frames.times().size(), frames.rate());
    }
    if (!options.map.empty()) write_map(frames, options);
    if (!options.fundamental.empty()) write_fundamental(frames, options);
    if (!options.curve.empty()) write_curve(options.folder, options.curve);
    return 0;
}

} // namespace

void add_crowd_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<CrowdOptions>();
    CLI::App* command = app.add_subcommand("crowd", "measures of a crowd, from a run's frames");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command->add_option("--trajectories", options->trajectories,
                        "places of all persons into FILE.txt, as PedPy and JuPedSim's tools read them");
    command->add_option("--map", options->map, "density, speed or level of service by squares, or paths")
        ->check(CLI::IsMember({"density", "speed", "service", "paths"}));
    command->add_option("--image", options->image, "the picture of --map, FILE.png");
    command->add_option("--cell", options->cell, "side of the squares in metres (default 1)")
        ->check(CLI::PositiveNumber);
    command->add_option(
        "--fundamental", options->fundamental,
        "density, speed and specific flow in an area at every frame, classic and by Voronoi cells, into "
        "FILE.csv");
    command->add_option("--box", options->box, "the area: x0 y0 x1 y1 in metres; all of the ground without it")
        ->expected(4);
    command->add_option("--curve", options->curve, "evacuation curve into FILE.csv, FILE.png or FILE.svg");
    command->add_option("--from", options->during.from, "leave out frames before this time, in seconds");
    command->add_option("--until", options->during.until, "... and after this one");
    command->add_flag("--force", options->force, "replace files that are there");
    command->callback([&action, options] { action = [options] { return crowd(*options); }; });
}
