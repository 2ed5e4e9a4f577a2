#include "measure_figures.hpp"

#include "measure_cuts.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/measured.hpp"
#include "talus/report/pages/measured_figures.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

std::string file_name(std::string text)
{
    for (char& c : text) {
        if (c == '/' || c == ' ' || c == '.') c = '-';
    }
    return text;
}

// energies, and the indicators of every gauge that come to mind first
void write_time_series(const std::filesystem::path& run, const std::vector<io::MeasuredGauge>& gauges,
                       const std::filesystem::path& folder)
{
    const io::SeriesColumns series = io::read_series(run / "series.csv");
    const auto write = [&](const std::string& name, const report::Chart& chart) {
        if (!chart.curves.empty()) {
            io::write_durably(folder / ("series-" + file_name(name) + ".svg"), report::draw_chart_svg(chart));
        }
    };
    write("energy",
          report::series_chart(series, {"kinetic_J", "friction_J", "impact_J", "driver_work_J", "load_work_J"},
                               "Energy", "energy [J]"));
    for (const auto& [indicator, label] : {std::pair<std::string, std::string>{"compacity", "compacity"},
                                           {"coordination", "coordination number"},
                                           {"interpenetration", "interpenetration"},
                                           {"mean_speed_mps", "mean speed [m/s]"},
                                           {"settlement_m", "settlement [m]"},
                                           {"reaction_N", "reaction [N]"}}) {
        std::vector<std::string> columns;
        for (const io::MeasuredGauge& gauge : gauges) columns.push_back(gauge.name + "." + indicator);
        write(indicator, report::series_chart(series, columns, label, label));
    }
}

} // namespace

template <int D>
void write_figures(const Simulation<D>& simulation, const std::vector<Gauge<D>>& round,
                   const std::filesystem::path& run, const std::filesystem::path& folder)
{
    io::make_directory(folder);
    const std::vector<io::MeasuredGauge> gauges = io::measure_everything(simulation);
    for (const io::MeasuredGauge& gauge : gauges) {
        for (const Distribution& distribution : gauge.distributions) {
            io::write_durably(folder / (file_name(gauge.name + "-" + distribution.name) + ".svg"),
                              report::distribution_svg(distribution, gauge.name));
        }
    }
    for (const Gauge<D>& gauge : round) {
        const report::Chart chart = report::diameters_chart(
            check_of(simulation, gauge), "Forces on the diameters of " + gauge.name(), D == 2 ? "N/m" : "Pa");
        io::write_durably(folder / (file_name(gauge.name()) + "-diameters.svg"), report::draw_chart_svg(chart));
    }
    write_time_series(run, gauges, folder);
    fmt::print("\n{}: figures\n", folder.string());
}

template void write_figures(const Simulation<2>&, const std::vector<Gauge<2>>&, const std::filesystem::path&,
                            const std::filesystem::path&);
template void write_figures(const Simulation<3>&, const std::vector<Gauge<3>>&, const std::filesystem::path&,
                            const std::filesystem::path&);
