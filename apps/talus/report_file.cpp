#include "report_file.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/measured.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/report/pages/html_report.hpp"
#include "web_pages.hpp"

#include <fmt/format.h>

using namespace talus;

namespace fs = std::filesystem;

namespace {

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

} // namespace

void write_report(const std::vector<fs::path>& folders, const fs::path& file, const std::string& comparison)
{
    std::vector<report::ReportedRun> runs;
    for (const fs::path& folder : folders) runs.push_back({folder, measured_json(folder)});
    const std::string html = report::html_report(runs, report_page(), comparison);
    if (const fs::path parent = file.parent_path(); !parent.empty() && !fs::is_directory(parent)) {
        throw InputError(fmt::format("{}: there is no folder {}", file.string(), parent.string()));
    }
    io::write_durably(file, html);
    fmt::print("{}: {:.1f} MB, opens in any browser, also offline\n", file.string(), double(html.size()) / 1e6);
}
