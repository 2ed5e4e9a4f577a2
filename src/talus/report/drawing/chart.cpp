#include "talus/report/drawing/chart.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/canvas.hpp"
#endif

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

constexpr double text_size = 15, legend_row = 24, swatch = 30, swatch_gap = 8, entry_gap = 26; // in units of the chart

double chart_unit(int width) { return width / 800.0; } // [pixels]

struct Entry { // of the legend, one row after another
    std::size_t curve;
    Vec<2> at; // [pixels] the left end of its swatch
};

struct ChartLayout {
    Axes axes;
    std::vector<Entry> entries;
};

std::vector<Entry> lay_out_legend(Canvas& canvas, const Chart& chart, const Area& room, double u)
{
    std::vector<Entry> entries;
    double x = room.left, y = room.top;
    for (std::size_t k = 0; k < chart.curves.size(); ++k) {
        if (chart.curves[k].name.empty()) continue;
        const double width = (swatch + swatch_gap) * u + canvas.text_width(chart.curves[k].name, text_size * u);
        if (x > room.left && x + width > room.left + room.width) {
            x = room.left;
            y += legend_row * u;
        }
        entries.push_back({k, {x, y}});
        x += width + entry_gap * u;
    }
    return entries;
}

ChartLayout lay_out(Canvas& canvas, const Chart& chart, int width, int height)
{
    const double u = chart_unit(width), size = text_size * u;
    std::vector<double> x, y;
    for (const Curve& curve : chart.curves) {
        if (curve.x.size() != curve.y.size()) throw std::logic_error("chart: a curve has as many x as y");
        for (std::size_t k = 0; k < curve.x.size(); ++k) { // what is shown, not what lacks its partner
            const bool has_place = std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]) &&
                                   !(chart.log_x && curve.x[k] <= 0) && !(chart.log_y && curve.y[k] <= 0);
            if (!has_place) continue;
            x.push_back(curve.x[k]);
            y.push_back(curve.y[k]);
        }
    }
    ChartLayout layout;
    layout.axes.y = scale_around(y, chart.log_y, std::clamp(int(height / (55 * u)), 3, 9));
    layout.axes.x = scale_around(x, chart.log_x, 8);
    double labels = 0;
    for (const double tick : layout.axes.y.ticks) {
        labels = std::max(labels, canvas.text_width(layout.axes.y.label_of(tick), size));
    }
    const double left = std::max(labels + 24 * u, 3.2 * size), right = 26 * u;
    double top = (chart.title.empty() ? 20 : 58) * u;
    layout.entries = lay_out_legend(canvas, chart, {left, top, width - left - right, 0}, u);
    if (!layout.entries.empty()) top = layout.entries.back().at[1] + legend_row * u;
    top += chart.y_label.empty() ? 4 * u : 2 * size;
    layout.axes.area = {left, top, width - left - right, height - top - 64 * u};
    return layout;
}

// Marks differ in shape as well as in colour: circles for the first curve of points, and so on.
std::size_t mark_of(const Chart& chart, std::size_t index)
{
    const auto first = chart.curves.begin();
    return std::size_t(std::count_if(first, first + std::ptrdiff_t(index), [](const Curve& c) { return c.points; }));
}

void add_mark(Canvas& canvas, const Vec<2>& at, std::size_t shape, double radius)
{
    const double r = radius;
    switch (shape % 4) {
    case 0:
        return canvas.circle(at, r);
    case 1:
        return canvas.rectangle(at[0] - 0.87 * r, at[1] - 0.87 * r, 1.74 * r, 1.74 * r);
    case 2:
        return canvas.path({at + Vec<2>(0, -1.2 * r), at + Vec<2>(1.1 * r, 0.8 * r), at + Vec<2>(-1.1 * r, 0.8 * r)});
    default:
        return canvas.path(
            {at + Vec<2>(0, -1.25 * r), at + Vec<2>(1.25 * r, 0), at + Vec<2>(0, 1.25 * r), at + Vec<2>(-1.25 * r, 0)});
    }
}

Rgb colour_of(const Curve& curve, std::size_t index)
{
    return curve_colour(curve.colour < 0 ? index : std::size_t(curve.colour));
}

double mark_radius(const Curve& curve, double u) { return (curve.x.size() > 300 ? 2.2 : 3.6) * u; }

void draw_marks(Canvas& canvas, const Axes& axes, const Curve& curve, std::size_t shape, double u)
{
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        const Vec<2> place = axes.at(curve.x[k], curve.y[k]);
        if (!place.allFinite()) continue;
        add_mark(canvas, place, shape, mark_radius(curve, u));
        canvas.fill();
    }
}

void draw_line(Canvas& canvas, const Axes& axes, const Curve& curve, double u)
{
    cairo_t* context = canvas.context();
    bool is_on = false;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        const Vec<2> place = axes.at(curve.x[k], curve.y[k]);
        if (place.allFinite() && is_on) {
            cairo_line_to(context, place[0], place[1]);
        } else if (place.allFinite()) { // the round cap shows a point between two gaps
            cairo_move_to(context, place[0], place[1]);
            cairo_line_to(context, place[0], place[1]);
        }
        is_on = place.allFinite();
    }
    canvas.stroke(2 * u);
}

void draw_legend_entry(Canvas& canvas, const Chart& chart, const Entry& entry, double u)
{
    const Curve& curve = chart.curves[entry.curve];
    const Vec<2> middle = entry.at + Vec<2>(0.5 * swatch * u, 0);
    canvas.colour(colour_of(curve, entry.curve));
    if (curve.points) {
        add_mark(canvas, middle, mark_of(chart, entry.curve), 4 * u);
        canvas.fill();
    } else {
        canvas.line(entry.at, entry.at + Vec<2>(swatch * u, 0), 2.4 * u);
    }
    canvas.colour(ink);
    canvas.text(entry.at + Vec<2>((swatch + swatch_gap) * u, 0.35 * text_size * u), curve.name, text_size * u);
}

void draw(Canvas& canvas, const Chart& chart, int width, int height)
{
    const double u = chart_unit(width);
    const auto [axes, entries] = lay_out(canvas, chart, width, height);
    canvas.colour(ink);
    canvas.text({24 * u, 32 * u}, chart.title, 1.2 * text_size * u, Canvas::Align::left, width - 48 * u, true);
    draw_plot_axes(canvas, axes, {chart.x_label, chart.y_label, text_size * u});
    for (const bool points : {false, true}) { // marks lie on the lines
        for (std::size_t k = 0; k < chart.curves.size(); ++k) {
            const Curve& curve = chart.curves[k];
            if (curve.points != points) continue;
            canvas.colour(colour_of(curve, k));
            points ? draw_marks(canvas, axes, curve, mark_of(chart, k), u) : draw_line(canvas, axes, curve, u);
        }
    }
    for (const Entry& entry : entries) draw_legend_entry(canvas, chart, entry, u);
}

} // namespace

Picture paint_chart(const Chart& chart, int width, int height)
{
    return painted(width, height, [&](Canvas& canvas) { draw(canvas, chart, width, height); });
}

std::string draw_chart_svg(const Chart& chart, int width, int height)
{
    return svg_of(width, height, [&](Canvas& canvas) { draw(canvas, chart, width, height); });
}

Axes chart_axes(const Chart& chart, int width, int height)
{
    Axes axes;
    painted(1, 1, [&](Canvas& canvas) { axes = lay_out(canvas, chart, width, height).axes; }); // to measure the labels
    return axes;
}

#else

Picture paint_chart(const Chart&, int, int) { refuse_without_cairo(); }
std::string draw_chart_svg(const Chart&, int, int) { refuse_without_cairo(); }
Axes chart_axes(const Chart&, int, int) { refuse_without_cairo(); }

#endif

} // namespace talus::report
