#include "talus/report/drawing/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/canvas.hpp"
#endif

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

double rose_unit(int width) { return width / 560.0; } // [pixels]

double largest_share(const Rose& rose)
{
    double largest = 0;
    for (const double share : rose.share) {
        if (std::isfinite(share)) largest = std::max(largest, share);
    }
    return largest > 0 ? largest : 1;
}

Vec<2> toward(double angle) { return {std::cos(angle), -std::sin(angle)}; } // on the page, y downwards

void draw_rings(Canvas& canvas, const Rose& rose, const RosePlace& place, double u)
{
    const double largest = largest_share(rose), rim = largest * place.pixels_per_share;
    canvas.colour(neutral);
    for (int k = 0; k < 12; ++k) canvas.line(place.centre, place.centre + rim * toward(k * M_PI / 6), 0.6 * u);
    for (const double ring : round_values(0, largest, 4)) {
        if (ring <= 0) continue;
        canvas.circle(place.centre, ring * place.pixels_per_share);
        canvas.stroke(0.6 * u);
    }
    canvas.circle(place.centre, rim);
    canvas.stroke(u);
    canvas.colour(ink);
    for (int k = 0; k < 12; ++k) {
        const Vec<2> at = place.centre + (rim + 20 * u) * toward(k * M_PI / 6);
        canvas.text(at + Vec<2>(0, 5 * u), fmt::format("{}°", 30 * k), 14 * u, Canvas::Align::centre);
    }
}

void draw_sectors(Canvas& canvas, const Rose& rose, const RosePlace& place, double u)
{
    const double sector = (rose.half ? M_PI : 2 * M_PI) / double(rose.share.size());
    for (std::size_t k = 0; k < rose.share.size() * (rose.half ? 2 : 1); ++k) {
        const double share = rose.share[k % rose.share.size()];
        if (!(share > 0)) continue;
        cairo_t* context = canvas.context();
        cairo_move_to(context, place.centre[0], place.centre[1]);
        // cairo's angles run clockwise on the page
        cairo_arc_negative(context, place.centre[0], place.centre[1], share * place.pixels_per_share,
                           -double(k) * sector, -double(k + 1) * sector);
        cairo_close_path(context);
        canvas.colour(curve_colour(0), 0.65);
        cairo_fill_preserve(context);
        canvas.colour(white);
        canvas.stroke(0.8 * u);
    }
}

// What the radius says: the rings' shares on a ray between two named directions, and the circle of equal shares.
void draw_readings(Canvas& canvas, const Rose& rose, const RosePlace& place, double u)
{
    const double sum = std::accumulate(rose.share.begin(), rose.share.end(), 0.0);
    if (std::isfinite(sum) && sum > 0) {
        const double dashes[] = {5 * u, 4 * u};
        cairo_set_dash(canvas.context(), dashes, 2, 0);
        canvas.colour(curve_colour(1));
        canvas.circle(place.centre, sum / double(rose.share.size()) * place.pixels_per_share);
        canvas.stroke(1.6 * u);
        cairo_set_dash(canvas.context(), nullptr, 0, 0);
    }
    for (const double ring : round_values(0, largest_share(rose), 4)) {
        if (ring <= 0) continue;
        const std::string text = fmt::format("{:.4g} %", 100 * ring);
        const Vec<2> at = place.centre + ring * place.pixels_per_share * toward(75 * M_PI / 180);
        const double width = canvas.text_width(text, 12 * u);
        canvas.colour(white, 0.8);
        canvas.rectangle(at[0] - 0.5 * width - 2 * u, at[1] - 7 * u, width + 4 * u, 14 * u);
        canvas.fill();
        canvas.colour(ink);
        canvas.text(at + Vec<2>(0, 4 * u), text, 12 * u, Canvas::Align::centre);
    }
}

void draw(Canvas& canvas, const Rose& rose, int width)
{
    const double u = rose_unit(width);
    const RosePlace place = rose_place(rose, width);
    canvas.colour(ink);
    canvas.text({20 * u, 30 * u}, rose.title, 17 * u, Canvas::Align::left, width - 40 * u, true);
    draw_rings(canvas, rose, place, u);
    draw_sectors(canvas, rose, place, u);
    draw_readings(canvas, rose, place, u);
    canvas.colour(faint_ink);
    const std::string span =
        fmt::format("{:.3g}°", (rose.half ? 180.0 : 360.0) / double(std::max<std::size_t>(rose.share.size(), 1)));
    canvas.text(
        {0.5 * width, place.height - 14 * u},
        fmt::format("radius: {} per {}, dashed where all are equal", rose.label.empty() ? "share" : rose.label, span),
        13 * u, Canvas::Align::centre, width - 20 * u);
}

} // namespace

RosePlace rose_place(const Rose& rose, int width)
{
    const double u = rose_unit(width), top = (rose.title.empty() ? 12 : 48) * u, rim = 230 * u;
    return {{0.5 * width, top + 34 * u + rim}, rim / largest_share(rose), int(top + 2 * rim + 104 * u)};
}

Picture paint_rose(const Rose& rose, int width)
{
    return painted(width, rose_place(rose, width).height, [&](Canvas& canvas) { draw(canvas, rose, width); });
}

std::string draw_rose_svg(const Rose& rose, int width)
{
    return svg_of(width, rose_place(rose, width).height, [&](Canvas& canvas) { draw(canvas, rose, width); });
}

#else

RosePlace rose_place(const Rose&, int) { refuse_without_cairo(); }
Picture paint_rose(const Rose&, int) { refuse_without_cairo(); }
std::string draw_rose_svg(const Rose&, int) { refuse_without_cairo(); }

#endif

} // namespace talus::report
