#include "prediction.hpp"

#include "talus/base/error.hpp"
#include "talus/io/runs/run_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace talus;

namespace {

double mean_of(const std::vector<double>& values)
{
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// per step, from the lines of the series after the start
double mean_sweeps(const std::filesystem::path& folder)
{
    const io::SeriesColumns series = io::read_series(folder / "series.csv");
    const auto column = std::find(series.names.begin(), series.names.end(), "sweeps");
    if (column == series.names.end()) return 0;
    std::vector<double> sweeps;
    for (const auto& value : series.values[std::size_t(column - series.names.begin())]) {
        if (value.value_or(0) > 0) sweeps.push_back(*value);
    }
    return mean_of(sweeps);
}

} // namespace

void print_prediction(const std::filesystem::path& folder, const std::string& gauge, const GaugeHistory& history,
                      const std::string& process, double dt, double mean_diameter, std::int64_t steps)
{
    const double speed = mean_of(history.mean_speed), sweeps = mean_sweeps(folder);
    const double measured = history.overlap_ratio.empty()
                                ? 0
                                : 100 * *std::max_element(history.overlap_ratio.begin(), history.overlap_ratio.end());
    if (!(mean_diameter > 0) || !(sweeps > 0) || steps == 0) {
        throw InputError(fmt::format("--predict: gauge {} of {} has no grains, or the run has no steps with contacts",
                                     gauge, folder.string()));
    }
    const EstimateTerms terms{process, mean_of(history.contacts), double(steps), dt * speed / mean_diameter, sweeps};
    fmt::print("BALLAST eq. 10.3, Y = α · 0.65e32 · n_c n_t H̄¹⁰ / n_DDM², in gauge {}\n", gauge);
    fmt::print("  process             {}\n  n_c   contacts      {:.0f}\n  n_t   steps         {}\n", terms.process,
               terms.contacts, steps);
    fmt::print("  V     mean speed    {:.3g} m/s\n  d     mean diameter {:.3g} m\n  H̄     h V/d         {:.3g}\n",
               speed, mean_diameter, terms.normalised_step);
    fmt::print("  n_DDM sweeps        {:.0f} per step\n", sweeps);
    fmt::print("  Y measured          {:.3g} % (largest over {} frames)\n", measured, history.overlap_ratio.size());
    if (!is_in_fitted_range(terms)) {
        fmt::print("  Y predicted         none: H̄ is outside {:g} to {:g}, where the equation was fitted\n",
                   smallest_fitted_step, largest_fitted_step);
        return;
    }
    fmt::print("  Y predicted         {:.3g} %\n", estimated_interpenetration(terms));
    if (!(measured > 0)) return;
    fmt::print("\nWith the constant from this run (Y ~ h⁹/n_DDM² over the same time):\n"
               "  {:>12} {:>10} {:>12} {:>10}\n",
               "dt [s]", "sweeps", "Y [%]", "cost");
    for (const double step : {0.5, 1.0, 1.5, 2.0}) {
        for (const double work : {0.5, 1.0, 2.0}) {
            fmt::print("  {:>12.3g} {:>10.0f} {:>12.3g} {:>9.2f}x\n", dt * step, sweeps * work,
                       measured * std::pow(step, 9) / (work * work), work / step);
        }
    }
    fmt::print("It ranks choices; the mean speed itself changes with dt.\n");
}
