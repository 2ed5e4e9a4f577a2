#include "talus/report/pages/measured_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

// The outline of bars side by side.
Chart bars_as_steps(const Distribution& bars, Chart chart)
{
    Curve outline;
    const double half = bars.x.size() > 1 ? 0.5 * (bars.x[1] - bars.x[0]) : 0.5;
    for (std::size_t k = 0; k < bars.x.size(); ++k) {
        for (const double side : {-half, half}) {
            outline.x.push_back(bars.x[k] + side);
            outline.y.push_back(bars.y[k]);
        }
    }
    chart.curves = {outline};
    return chart;
}

} // namespace

std::string distribution_svg(const Distribution& distribution, const std::string& gauge)
{
    const std::string title = gauge.empty() ? distribution.title : distribution.title + ", " + gauge;
    if (distribution.kind == Distribution::Kind::rose) {
        Rose rose{title, "share of the contacts", distribution.y, true}; // in 3D over equal solid angles
        for (double& share : rose.share) share /= double(rose.share.size());
        return draw_rose_svg(rose);
    }
    Chart chart{title, distribution.x_label, distribution.y_label, false, false, {}};
    if (distribution.kind == Distribution::Kind::bars) return draw_chart_svg(bars_as_steps(distribution, chart));
    chart.log_y = distribution.name == "forces"; // their tail is an exponential
    chart.curves = {{"", distribution.x, distribution.y}};
    return draw_chart_svg(chart);
}

Chart diameters_chart(const DiameterCheck& check, const std::string& title, const std::string& unit)
{
    Chart chart{title, "angle of the normal [°]", "force per length [" + unit + "], tension positive", false, false,
                {}};
    Curve normal{"normal", {}, {}, true, 0}, tangential{"tangential", {}, {}, true, 1};
    Curve by_tensor{"n·σn", {}, {}, false, 0}, along{"t·σn", {}, {}, false, 1};
    if (unit == "Pa") chart.y_label = "force per area [Pa], tension positive";
    for (const DiameterTraction& one : check.diameters) {
        const double degrees = one.angle * 180 / M_PI;
        for (Curve* curve : {&normal, &tangential, &by_tensor, &along}) curve->x.push_back(degrees);
        normal.y.push_back(one.normal);
        tangential.y.push_back(one.tangential);
        by_tensor.y.push_back(one.predicted_normal);
        along.y.push_back(one.predicted_tangential);
    }
    chart.curves = {by_tensor, along, normal, tangential};
    return chart;
}

Chart series_chart(const io::SeriesColumns& series, const std::vector<std::string>& columns, const std::string& title,
                   const std::string& y_label)
{
    Chart chart{title, "time [s]", y_label, false, false, {}};
    const auto column = [&](const std::string& name) -> std::vector<double> {
        const auto found = std::find(series.names.begin(), series.names.end(), name);
        std::vector<double> values;
        if (found == series.names.end()) return values;
        for (const auto& value : series.values[std::size_t(found - series.names.begin())]) {
            values.push_back(value.value_or(absent));
        }
        return values;
    };
    for (const std::string& name : columns) {
        std::vector<double> values = column(name);
        if (!values.empty()) chart.curves.push_back({name, column("time_s"), std::move(values)});
    }
    return chart;
}

} // namespace talus::report
