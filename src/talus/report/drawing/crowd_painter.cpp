#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/crowd_painter.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {
namespace {

constexpr Rgb exit_colour{0.0, 0.50, 0.33}, way_colour{0.24, 0.33, 0.47};
// a person, in radii of the disk: shoulders across the heading, head, tip of the nose
constexpr double shoulders = 0.62, head = 0.40, nose = 0.92;
constexpr double least_detail = 4; // [pixels] mean radius below which a person is a disk

class CrowdPainter {
  public:
    CrowdPainter(Canvas& canvas, const Sheet& sheet, const Sketch& sketch)
        : canvas_(canvas), sheet_(sheet), sketch_(sketch)
    {
    }

    void draw_heat(const Heat& map);
    void draw_exit(const ExitLine& exit);
    void draw_exit_name(const ExitLine& exit);
    void draw_path(const Path& path);
    void draw_person(const Person& person);

  private:
    Rgb colour_of(const std::optional<std::int32_t>& colour, const Rgb& otherwise) const
    {
        return colour ? sketch_.palette[std::size_t(*colour)] : otherwise;
    }
    void ellipse(const Vec<2>& centre, const Vec<2>& along, double length, double width);

    Canvas& canvas_;
    const Sheet& sheet_;
    const Sketch& sketch_;
};

std::uint32_t premultiplied(const Rgb& colour, double opacity)
{
    const auto channel = [&](double value) { return std::uint32_t(std::lround(255 * opacity * value)); };
    return std::uint32_t(std::lround(255 * opacity)) << 24 | channel(colour.red) << 16 | channel(colour.green) << 8 |
           channel(colour.blue);
}

// One pixel a cell, stretched smoothly.
void CrowdPainter::draw_heat(const Heat& map)
{
    const auto& [cells, values, palette, legend] = map;
    if (cells.size() == 0) return;
    const auto last = std::int32_t(palette.size()) - 2;
    std::vector<std::uint32_t> pixels(cells.size(), 0); // rows from the top
    for (int j = 0; j < cells.ny; ++j) {
        for (int i = 0; i < cells.nx; ++i) {
            const double value = values[cells.index(i, j)];
            if (!std::isfinite(value)) continue;
            const auto place = std::min(std::int32_t(legend.range.part_of(value) * (last + 1)), last);
            pixels[cells.index(i, cells.ny - 1 - j)] = premultiplied(palette[std::size_t(place)], 1);
        }
    }
    cairo_surface_t* image = cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.data()),
                                                                 CAIRO_FORMAT_ARGB32, cells.nx, cells.ny, 4 * cells.nx);
    cairo_t* context = canvas_.context();
    const Vec<2> corner = sheet_.pixel_of(cells.lower + Vec<2>(0, cells.cell * cells.ny));
    const double scale = sheet_.pixels_per_metre * cells.cell;
    cairo_save(context);
    cairo_translate(context, corner[0], corner[1]);
    cairo_scale(context, scale, scale);
    cairo_set_source_surface(context, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR);
    cairo_paint(context);
    cairo_restore(context);
    cairo_surface_destroy(image);
}

void CrowdPainter::draw_exit(const ExitLine& exit)
{
    canvas_.colour(colour_of(exit.colour, exit_colour));
    canvas_.line(sheet_.pixel_of(exit.from), sheet_.pixel_of(exit.to), 5 * canvas_.unit());
}

// Beside the line, away from the middle of the picture.
void CrowdPainter::draw_exit_name(const ExitLine& exit)
{
    const double u = canvas_.unit(), size = 17 * u;
    const Vec<2> from = sheet_.pixel_of(exit.from), to = sheet_.pixel_of(exit.to), centre = 0.5 * (from + to);
    Vec<2> across(to[1] - from[1], from[0] - to[0]);
    if (across.norm() > 0) across.normalize();
    if (across.dot(centre - sheet_.pixel_of(0.5 * (sketch_.lower + sketch_.upper))) < 0) across = -across;
    const double width = canvas_.text_width(exit.name, size, true);
    const Vec<2> lowest = sheet_.pixel_of({sketch_.lower[0], sketch_.upper[1]}),
                 highest = sheet_.pixel_of({sketch_.upper[0], sketch_.lower[1]});
    Vec<2> place = centre + (10 * u + 0.5 * std::abs(across[0]) * width + 0.5 * std::abs(across[1]) * size) * across;
    place[0] =
        std::clamp(place[0], lowest[0] + 0.5 * width, std::max(lowest[0] + 0.5 * width, highest[0] - 0.5 * width));
    place[1] = std::clamp(place[1], lowest[1] + size, std::max(lowest[1] + size, highest[1] - 0.5 * size));
    const Vec<2> base = place + Vec<2>(0, 0.35 * size);
    canvas_.colour(white, 0.75);
    canvas_.rectangle(base[0] - 0.5 * width - 3 * u, base[1] - 0.85 * size, width + 6 * u, 1.15 * size);
    canvas_.fill();
    canvas_.colour(mixed(colour_of(exit.colour, exit_colour), ink, 0.25));
    canvas_.text(base, exit.name, size, Canvas::Align::centre, 1e9, true);
}

void CrowdPainter::draw_path(const Path& path)
{
    if (path.places.size() < 2) return;
    cairo_t* context = canvas_.context();
    cairo_new_path(context);
    for (const Vec<2>& place : path.places) {
        const Vec<2> pixel = sheet_.pixel_of(place);
        cairo_line_to(context, pixel[0], pixel[1]);
    }
    canvas_.colour(colour_of(path.colour, way_colour), 0.45);
    canvas_.stroke(1.3 * canvas_.unit());
}

void CrowdPainter::ellipse(const Vec<2>& centre, const Vec<2>& along, double length, double width)
{
    cairo_t* context = canvas_.context();
    cairo_save(context);
    cairo_translate(context, centre[0], centre[1]);
    cairo_rotate(context, std::atan2(along[1], along[0]));
    cairo_scale(context, length, width);
    cairo_new_sub_path(context);
    cairo_arc(context, 0, 0, 1, 0, 2 * M_PI);
    cairo_close_path(context);
    cairo_restore(context);
}

// The disk that touches others, pale; in it shoulders, a head and a nose that points where the person goes.
void CrowdPainter::draw_person(const Person& person)
{
    const Vec<2> centre = sheet_.pixel_of(person.centre), along(person.heading[0], -person.heading[1]);
    const double radius = sheet_.pixels_per_metre * person.radius;
    const Rgb& colour = sketch_.palette[std::size_t(person.colour)];
    const bool is_dark = 0.3 * colour.red + 0.6 * colour.green + 0.1 * colour.blue < 0.35;
    const Rgb dark = mixed(colour, ink, 0.72), face = mixed(colour, is_dark ? white : ink, 0.75);
    if (0.5 * sheet_.pixels_per_metre * sketch_.grain_size < least_detail) return canvas_.disk(centre, radius, colour);
    const double line = std::clamp(0.06 * radius, 0.6, 2.0);
    canvas_.circle(centre, radius - 0.5 * line);
    canvas_.colour(mixed(colour, white, 0.55));
    cairo_fill_preserve(canvas_.context());
    canvas_.colour(mixed(colour, ink, 0.3), 0.6);
    canvas_.stroke(line);
    ellipse(centre, along, shoulders * radius, 0.96 * radius);
    canvas_.colour(colour);
    cairo_fill_preserve(canvas_.context());
    canvas_.colour(dark);
    canvas_.stroke(line);
    canvas_.colour(face);
    const Vec<2> across(-along[1], along[0]);
    canvas_.path(
        {centre + nose * radius * along, centre + 0.8 * head * radius * across, centre - 0.8 * head * radius * across});
    canvas_.fill();
    canvas_.circle(centre, head * radius);
    canvas_.fill();
}

} // namespace

void draw_below_people(Canvas& canvas, const Sheet& sheet, const Sketch& sketch)
{
    CrowdPainter painter(canvas, sheet, sketch);
    if (sketch.heat) painter.draw_heat(*sketch.heat);
    for (const ExitLine& exit : sketch.exits) painter.draw_exit(exit);
    for (const Path& path : sketch.paths) painter.draw_path(path);
}

void draw_people(Canvas& canvas, const Sheet& sheet, const Sketch& sketch)
{
    CrowdPainter painter(canvas, sheet, sketch);
    for (const Person& person : sketch.persons) painter.draw_person(person);
    for (const ExitLine& exit : sketch.exits) painter.draw_exit_name(exit);
}

} // namespace talus::report
#endif
