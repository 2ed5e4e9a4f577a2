// talus report: one HTML file about one run, or about two side by side.
#include "commands.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/measured.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/report/pages/html_report.hpp"
#include "web_pages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

using namespace talus;

namespace {

namespace fs = std::filesystem;

// A single report belongs to its run; a comparison belongs to neither.
fs::path default_file(const std::vector<fs::path>& folders)
{
    if (folders.size() == 1) return folders[0] / "report.html";
    return fmt::format("compare-{}-{}.html", report::folder_name(folders[0]), report::folder_name(folders[1]));
}

template <int D>
std::string measured_json(const fs::path& folder)
{
    Simulation<D> simulation =
        io::recorded_simulation<D>(folder, io::load_scene(folder / "scene.toml", {}, IdleKeys::allow));
    io::set_to_frame(simulation, folder, io::last_frame);
    return io::to_json(io::measure_everything(simulation), simulation.clock.time());
}

// Of the last frame: what the gauges of the run's scene show.
std::string measured_json(const fs::path& folder)
{
    const int dimension = io::read_dimension(folder);
    try {
        return dimension == 2 ? measured_json<2>(folder) : measured_json<3>(folder);
    } catch (const InputError& error) { // the rest of the report stands without
        fmt::print(stderr, "warning: no distributions of {}: {}\n", folder.string(), error.what());
        return "{}";
    }
}

int write_report(const std::vector<fs::path>& folders, fs::path file)
{
    const report::WebPage page = report_page();
    if (page.script.empty()) refuse_without_page("talus report");
    if (file.empty()) file = default_file(folders);
    if (fs::is_directory(file)) throw InputError(file.string() + ": is a folder");
    std::vector<report::ReportedRun> runs;
    for (const fs::path& folder : folders) runs.push_back({folder, measured_json(folder)});
    const std::string html = report::html_report(runs, page);
    if (const fs::path parent = file.parent_path(); !parent.empty() && !fs::is_directory(parent)) {
        throw InputError(fmt::format("{}: there is no folder {}", file.string(), parent.string()));
    }
    io::write_durably(file, html);
    fmt::print("{}: {:.1f} MB, opens in any browser, also offline\n", file.string(), double(html.size()) / 1e6);
    return 0;
}

} // namespace

void add_report_command(CLI::App& app, Action& action)
{
    struct Options {
        fs::path folder, other, out;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("report", "one HTML file about a run, or two runs side by side");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command->add_option("other", options->other, "the folder of a run to compare it with");
    command->add_option("--out", options->out,
                        "the file to write; without it DIR/report.html, or compare-A-B.html here for two runs");
    command->callback([&action, options] {
        action = [options] {
            std::vector<fs::path> folders{options->folder};
            if (!options->other.empty()) folders.push_back(options->other);
            return write_report(folders, options->out);
        };
    });
}
