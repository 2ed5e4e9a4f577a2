#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::report {
namespace {

constexpr double letter_size = 19; // in units of the canvas, as all lengths here

// Of classes that halve, one in which the middle ones read well.
ReadableUnit unit_of(const Legend& legend)
{
    const std::vector<double>& bounds = legend.thresholds;
    return readable_unit(bounds.empty() ? legend.range.upper : bounds[bounds.size() / 2], legend.unit);
}

void draw_colour_bar(Canvas& canvas, const Area& area, const Legend& legend, const std::vector<Rgb>& palette)
{
    const ValueRange& range = legend.range;
    const double u = canvas.unit(), width = 24 * u, tip = 20 * u;
    const double top = area.top + (range.is_cut ? tip : 0);
    const double height = area.top + area.height - (range.is_cut_below ? tip : 0) - top;
    const auto colours = std::ptrdiff_t(palette.size()) - 1; // the last is that of imposed bodies
    // whole pixels, or seams would show between the colours
    const auto edge = [&](std::ptrdiff_t k) { return std::round(top + height * (1 - double(k) / double(colours))); };
    for (std::ptrdiff_t k = 0; k < colours; ++k) {
        canvas.colour(palette[std::size_t(k)]);
        canvas.rectangle(area.left, edge(k + 1), width, edge(k) - edge(k + 1));
        canvas.fill();
    }
    const auto draw_tip = [&](std::ptrdiff_t colour, double base, double to) {
        canvas.colour(palette[std::size_t(colour)]);
        canvas.path({{area.left, base}, {area.left + width, base}, {area.left + 0.5 * width, base + to}});
        canvas.fill();
    };
    if (range.is_cut) draw_tip(colours - 1, edge(colours), -tip);
    if (range.is_cut_below) draw_tip(0, edge(0), tip);
    const double factor = unit_of(legend).factor;
    canvas.colour(ink);
    for (const double value : round_values(range.lower * factor, range.upper * factor, 6)) {
        const double y = top + height * (1 - range.part_of(value / factor));
        canvas.line({area.left + width, y}, {area.left + width + 5 * u, y}, 1.2 * u);
        const double shown = std::abs(value) < 1e-9 * range.upper * factor ? 0 : value;
        canvas.text({area.left + width + 11 * u, y + 0.35 * letter_size * u}, fmt::format("{:.6g}", shown),
                    letter_size * u, Canvas::Align::left, area.width - width - 11 * u);
    }
}

// Classes one above the other, all as high, with their bounds.
void draw_bands(Canvas& canvas, const Area& area, const Sketch& sketch)
{
    const double u = canvas.unit(), width = 24 * u;
    const Legend& legend = sketch.legend;
    const std::size_t classes = legend.thresholds.size() + 1;
    const double factor = unit_of(legend).factor;
    for (std::size_t k = 0; k <= classes; ++k) {
        const double y = area.top + area.height * (1 - double(k) / double(classes));
        const double bound = k == 0 ? 0 : k == classes ? legend.range.upper : legend.thresholds[k - 1];
        canvas.colour(ink);
        canvas.line({area.left + width, y}, {area.left + width + 5 * u, y}, 1.2 * u);
        const std::string text =
            bound * factor < 1000 ? fmt::format("{:.3g}", bound * factor) : fmt::format("{:.0f}", bound * factor);
        canvas.text({area.left + width + 11 * u, y + 0.35 * letter_size * u}, text, letter_size * u,
                    Canvas::Align::left, area.width - width - 11 * u);
        if (k == classes) break;
        canvas.rectangle(area.left, y - area.height / double(classes), width, area.height / double(classes));
        canvas.colour(sketch.palette[k]);
        cairo_fill_preserve(canvas.context());
        canvas.colour(faint_ink);
        canvas.stroke(0.9 * u);
    }
}

void draw_swatch(Canvas& canvas, const Area& area, const Rgb& colour, const std::string& text)
{
    const double u = canvas.unit(), side = 20 * u;
    canvas.colour(colour);
    canvas.rectangle(area.left, area.top, side, side);
    canvas.fill();
    canvas.colour(ink);
    canvas.text({area.left + side + 9 * u, area.top + 16 * u}, text, letter_size * u, Canvas::Align::left,
                area.width - side - 9 * u);
}

void draw_legend_title(Canvas& canvas, const Area& area, const Legend& legend)
{
    const double u = canvas.unit();
    canvas.colour(ink);
    canvas.text({area.left, area.top + 16 * u}, legend.quantity, letter_size * u, Canvas::Align::left, area.width,
                true);
    if (!legend.names.empty()) return;
    canvas.colour(faint_ink);
    canvas.text({area.left, area.top + 41 * u}, unit_of(legend).name, letter_size * u);
}

void draw_heat_legend(Canvas& canvas, const Area& area, const Heat& map)
{
    const double u = canvas.unit();
    Legend legend = map.legend;
    legend.quantity = "map: " + legend.quantity;
    draw_legend_title(canvas, area, legend);
    draw_colour_bar(canvas,
                    {area.left, area.top + 62 * u, area.width, std::clamp(area.height - 70 * u, 60 * u, 430 * u)},
                    legend, map.palette);
}

std::string with_unit(double value, const std::string& si_unit)
{
    const ReadableUnit unit = readable_unit(value, si_unit);
    return fmt::format("{:.3g} {}", value * unit.factor, unit.name);
}

} // namespace

void draw_heading(Canvas& canvas, const Area& area, const std::string& title, const std::string& subtitle)
{
    const double u = canvas.unit();
    canvas.colour(ink);
    canvas.text({area.left, area.top + 26 * u}, title, 28 * u, Canvas::Align::left, area.width, true);
    canvas.colour(faint_ink);
    canvas.text({area.left, area.top + 58 * u}, subtitle, letter_size * u, Canvas::Align::left, area.width);
}

void draw_legend(Canvas& canvas, const Area& all, const Sketch& sketch, bool chains)
{
    Area area = all;
    if (sketch.heat) { // below the colours of people those of the ground
        area.height = 0.5 * all.height - 12 * canvas.unit();
        const Area below{all.left, all.top + area.height + 24 * canvas.unit(), all.width, area.height};
        draw_heat_legend(canvas, below, *sketch.heat);
    }
    const double strongest_chain = chains ? sketch.strongest : 0; // [N]
    const double u = canvas.unit(), row = 32 * u;
    const Legend& legend = sketch.legend;
    draw_legend_title(canvas, area, legend);
    double y = area.top + row;
    if (legend.names.empty()) {
        const double rows_below = row * ((sketch.has_imposed ? 1 : 0) + (strongest_chain > 0 ? 2 : 0));
        const double height = std::clamp(area.height - 70 * u - rows_below, 60 * u, 430 * u);
        const Area bar{area.left, area.top + 62 * u, area.width, height};
        legend.thresholds.empty() ? draw_colour_bar(canvas, bar, legend, sketch.palette)
                                  : draw_bands(canvas, bar, sketch);
        y = area.top + 62 * u + height + 24 * u;
    }
    for (const Legend::Name& name : legend.names) {
        draw_swatch(canvas, {area.left, y, area.width, row}, sketch.palette[std::size_t(name.colour)], name.text);
        y += row;
    }
    if (sketch.has_imposed) {
        draw_swatch(canvas, {area.left, y, area.width, row}, sketch.palette.back(), "imposed");
        y += row;
    }
    if (strongest_chain > 0) {
        canvas.colour(ink);
        canvas.text({area.left, y + 30 * u}, "normal force", letter_size * u, Canvas::Align::left, area.width, true);
        canvas.text({area.left, y + 56 * u}, "widest: " + with_unit(strongest_chain, "N"), 0.85 * letter_size * u,
                    Canvas::Align::left, area.width);
    }
}

void draw_scale_bar(Canvas& canvas, const Area& area, double pixels_per_metre)
{
    const double u = canvas.unit();
    const double length = round_down(220 * u / pixels_per_metre), width = length * pixels_per_metre;
    const double y = area.top + 12 * u;
    canvas.colour(ink);
    canvas.line({area.left, y}, {area.left + width, y}, 2.5 * u);
    for (const double x : {area.left, area.left + width}) canvas.line({x, y - 6 * u}, {x, y + 6 * u}, 2.5 * u);
    canvas.text({area.left + width + 14 * u, y + 0.35 * letter_size * u}, with_unit(length, "m"), letter_size * u);
}

void draw_axes(Canvas& canvas, const Area& area, const std::vector<Axis>& axes)
{
    const double u = canvas.unit(), length = 34 * u;
    const Vec<2> centre(area.left + 0.5 * area.width, area.top + 0.5 * area.height);
    for (const Axis& axis : axes) {
        const Vec<2> direction(axis.direction[0], -axis.direction[1]);
        if (direction.norm() < 0.05) continue; // it points at the viewer
        const Vec<2> tip = centre + length * direction;
        canvas.colour(faint_ink);
        canvas.line(centre, tip, 2 * u);
        const Vec<2> name = tip + 11 * u * direction.normalized();
        canvas.colour(ink);
        canvas.text({name[0], name[1] + 5 * u}, axis.name, 15 * u, Canvas::Align::centre);
    }
}

} // namespace talus::report
#endif
