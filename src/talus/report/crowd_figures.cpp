#include "talus/report/crowd_figures.hpp"

#include "talus/report/pages/measured_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/layout.hpp"
#include "talus/report/drawing/painter.hpp"
#endif

namespace talus::report {

CrowdMap crowd_map(const io::CrowdFrames& frames, double side, const io::TimeInterval& during)
{
    Bounds<2> extent = frames.extent_of_persons();
    extent.lower = side * (extent.lower / side).array().floor().matrix(); // squares stand on whole numbers
    CrowdMap map(extent, side);
    frames.each(during, [&](const io::Frame<2>& frame) { map.add(frame.bodies, frame.shapes); });
    return map;
}

Chart evacuation_chart(const io::SeriesColumns& series)
{
    constexpr std::string_view left_by = "crowd.left by ";
    std::vector<std::string> columns{"crowd.inside"};
    for (const std::string& name : series.names) {
        if (name.starts_with(left_by)) columns.push_back(name);
    }
    if (columns.size() != 2) columns.insert(columns.begin() + 1, "crowd.left"); // one exit says the same
    Chart chart = series_chart(series, columns, "Evacuation curve", "persons");
    for (Curve& curve : chart.curves) {
        curve.name.erase(0, std::string_view("crowd.").size());
    }
    return chart;
}

#ifdef TALUS_WITH_CAIRO

namespace {

constexpr std::size_t most_paths = 500;
constexpr int shades = 64;
// ColorBrewer's Spectral from blue to red: of Fruin's levels A to F
constexpr Rgb service_colours[] = {{0.20, 0.53, 0.74}, {0.60, 0.84, 0.58}, {0.90, 0.96, 0.60},
                                   {1.00, 0.88, 0.55}, {0.99, 0.55, 0.35}, {0.84, 0.24, 0.31}};

// What stands there, laid out for a picture of the extent.
struct Backdrop {
    Sketch sketch;
    Sheet sheet;
    Layout layout;

    Backdrop(const io::CrowdFrames& frames, const Bounds<2>& extent, int width)
    {
        io::Frame<2> still = frames.frame(0);
        std::vector<std::uint8_t> kept(still.bodies.size());
        for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = still.bodies.is_passive(i);
        still.contacts = {};
        still.bodies.remove_others(kept);
        Subject subject;
        const double margin = 0.01 * (extent.upper - extent.lower).maxCoeff();
        subject.window = Window{{extent.lower.x() - margin, extent.lower.y() - margin, 0},
                                {extent.upper.x() + margin, extent.upper.y() + margin, 0}};
        sketch = sketch_of(still, subject);
        sketch.palette.assign(sketch.palette.size(), ink); // obstacles
        sketch.has_imposed = false;
        sheet.width = width;
        layout = lay_out(sketch, sheet);
    }
    // colours of numbers from 0 to the largest, in shades of a map
    void use_legend(const std::string& quantity, const std::string& unit, const ValueRange& range)
    {
        legend.palette.clear();
        for (int k = 0; k < shades; ++k) legend.palette.push_back(viridis(double(k) / (shades - 1)));
        legend.palette.push_back(ink); // the last is that of obstacles
        legend.legend = {quantity, unit, range, {}, {}};
    }
    Rgb shade(double value) const
    {
        return legend.palette[std::size_t(std::lround(legend.legend.range.part_of(value) * (shades - 1)))];
    }
    template <class Draw>
    Picture painted_over(const std::string& title, const std::string& subtitle, const Draw& draw) const
    {
        return painted(sheet, [&](Canvas& canvas) {
            draw(canvas);
            draw_sketch(canvas, layout.drawing, sheet, sketch, false);
            draw_heading(canvas, layout.heading, title, subtitle);
            draw_legend(canvas, layout.legend, legend, false);
            draw_scale_bar(canvas, layout.scale_bar, sheet.pixels_per_metre);
        });
    }
    Sketch legend; // no more than a palette and its meaning
};

std::string moments_text(const io::CrowdFrames& frames, const io::TimeInterval& during, std::size_t moments)
{
    const double from = std::max(during.from, frames.times().front());
    const double until = std::min(during.until, frames.times().back());
    return fmt::format("t = {:.4g} to {:.4g} s   ·   {} frames", from, until, moments);
}

void use_service_legend(Backdrop& backdrop)
{
    backdrop.legend.palette.assign(std::begin(service_colours), std::end(service_colours));
    backdrop.legend.legend.quantity = "service";
    for (std::size_t level = 0; level < service_names.size(); ++level) {
        const bool is_last = level == std::size(fruin_bounds);
        backdrop.legend.legend.names.push_back({fmt::format("{}  {} {:.2f}", service_names[level], is_last ? ">" : "<",
                                                            fruin_bounds[is_last ? level - 1 : level]),
                                                std::int32_t(level)});
    }
}

struct PathPoint {
    double time; // [s]
    Vec<2> place;
};

std::vector<std::vector<PathPoint>> paths_of(const io::CrowdFrames& frames, const io::TimeInterval& during)
{
    std::map<std::int32_t, std::vector<PathPoint>> all;
    frames.each(during, [&](const io::Frame<2>& frame) {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (!is_person(frame.bodies, frame.shapes, i)) continue;
            all[std::int32_t(frame.bodies.id(i))].push_back({frame.clock.time(), frame.bodies.position[i]});
        }
    });
    std::vector<std::vector<PathPoint>> paths;
    for (auto& [person, path] : all) paths.push_back(std::move(path));
    return paths;
}

} // namespace

Picture paint_map(const io::CrowdFrames& frames, const CrowdMap& map, MapQuantity quantity, const CrowdPicture& options)
{
    Bounds<2> extent = frames.extent();
    extent.lower = extent.lower.cwiseMin(map.lower());
    extent.upper = extent.upper.cwiseMax(Vec<2>(map.lower() + map.side() * Vec<2>(map.nx(), map.ny())));
    Backdrop backdrop(frames, extent, options.width);
    const std::vector<double> values = quantity == MapQuantity::density ? map.density()
                                       : quantity == MapQuantity::speed ? map.speed()
                                                                        : map.service();
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::isfinite(value) ? value : 0);
    const ValueRange range{0, largest > 0 ? largest : 1, false};
    if (quantity == MapQuantity::density) backdrop.use_legend("mean density", "1/m²", range);
    if (quantity == MapQuantity::speed) backdrop.use_legend("mean speed", "m/s", range);
    if (quantity == MapQuantity::service) use_service_legend(backdrop);
    const std::vector<double> density = map.density();
    const auto colour_of = [&](std::size_t square) {
        return quantity == MapQuantity::service ? service_colours[std::size_t(values[square])]
                                                : backdrop.shade(values[square]);
    };
    std::string subtitle =
        fmt::format("{}   ·   squares of {:g} m", moments_text(frames, options.during, map.moments()), map.side());
    if (quantity == MapQuantity::service) subtitle += "   ·   Fruin's levels by persons per m²";
    return backdrop.painted_over(options.title, subtitle, [&](Canvas& canvas) {
        for (int j = 0; j < map.ny(); ++j) {
            for (int i = 0; i < map.nx(); ++i) {
                const std::size_t square = map.index(i, j);
                if (density[square] == 0) continue; // nobody has been there
                const Vec<2> low = map.lower() + map.side() * Vec<2>(i, j);
                const Vec<2> a = backdrop.sheet.pixel_of(low).array().round();
                const Vec<2> b = backdrop.sheet.pixel_of(low + Vec<2>::Constant(map.side())).array().round();
                canvas.colour(colour_of(square));
                canvas.rectangle(a.x(), b.y(), b.x() - a.x(), a.y() - b.y());
                canvas.fill();
            }
        }
    });
}

Picture paint_paths(const io::CrowdFrames& frames, const CrowdPicture& options)
{
    const auto paths = paths_of(frames, options.during);
    Backdrop backdrop(frames, frames.extent(), options.width);
    const double last = std::min(options.during.until, frames.times().back());
    backdrop.use_legend("time", "s", {std::max(0.0, options.during.from), std::max(last, 1e-9), false});
    const std::size_t stride = (paths.size() + most_paths - 1) / most_paths;
    const std::string subtitle = stride > 1 ? fmt::format("one in {} of {} persons", stride, paths.size())
                                            : fmt::format("{} persons", paths.size());
    return backdrop.painted_over(options.title, subtitle, [&](Canvas& canvas) {
        for (std::size_t p = 0; p < paths.size(); p += stride) {
            for (std::size_t k = 1; k < paths[p].size(); ++k) {
                const PathPoint &from = paths[p][k - 1], &to = paths[p][k];
                canvas.colour(backdrop.shade(to.time), 0.7);
                canvas.line(backdrop.sheet.pixel_of(from.place), backdrop.sheet.pixel_of(to.place),
                            1.2 * canvas.unit());
            }
        }
    });
}

#else

Picture paint_map(const io::CrowdFrames&, const CrowdMap&, MapQuantity, const CrowdPicture&) { refuse_without_cairo(); }
Picture paint_paths(const io::CrowdFrames&, const CrowdPicture&) { refuse_without_cairo(); }

#endif

} // namespace talus::report
