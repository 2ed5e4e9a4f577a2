#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/canvas.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/utf8.hpp"
#include "talus/report/drawing/projection.hpp"
#include "talus/report/drawing/shading.hpp"

#include <fmt/format.h>

#include <cairo-svg.h>

namespace talus::report {
namespace {

cairo_surface_t* surface_on(Picture& picture)
{
    return cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(picture.pixels.data()),
                                               CAIRO_FORMAT_RGB24, picture.width, picture.height, 4 * picture.width);
}

cairo_surface_t* surface_on(int width, int height, std::string& svg)
{
    const auto append = [](void* to, const unsigned char* data, unsigned int length) {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    };
    cairo_surface_t* surface = cairo_svg_surface_create_for_stream(append, &svg, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
}

} // namespace

Canvas::Canvas(Picture& picture) : Canvas(surface_on(picture), &picture, picture.width / 1200.0) {}

Canvas::Canvas(int width, int height, std::string& svg)
    : Canvas(surface_on(width, height, svg), nullptr, width / 1200.0)
{
    colour(white); // as in a picture
    cairo_paint(context_);
}

Canvas::Canvas(cairo_surface_t* surface, Picture* picture, double unit)
    : surface_(surface), context_(cairo_create(surface)), picture_(picture), unit_(unit)
{
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    // the same pixels whatever the desktop's settings are
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context_, options);
    cairo_font_options_destroy(options);
}

Canvas::~Canvas()
{
    cairo_destroy(context_);
    cairo_surface_finish(surface_);
    cairo_surface_destroy(surface_);
}

void Canvas::finish()
{
    cairo_surface_finish(surface_);
    if (const cairo_status_t status = cairo_status(context_); status != CAIRO_STATUS_SUCCESS) {
        throw RunError(fmt::format("drawing: {}", cairo_status_to_string(status)));
    }
}

cairo_t* Canvas::context()
{
    if (is_by_hand_) cairo_surface_mark_dirty(surface_);
    is_by_hand_ = false;
    return context_;
}

Picture& Canvas::pixels()
{
    if (!is_by_hand_) cairo_surface_flush(surface_);
    is_by_hand_ = true;
    return *picture_;
}

void Canvas::colour(const Rgb& colour, double opacity)
{
    cairo_set_source_rgba(context(), colour.red, colour.green, colour.blue, opacity);
}

void Canvas::path(const std::vector<Vec<2>>& points)
{
    if (points.empty()) return;
    cairo_new_sub_path(context());
    for (const Vec<2>& point : points) cairo_line_to(context(), point[0], point[1]);
    cairo_close_path(context());
}

void Canvas::stroke(double width)
{
    cairo_set_line_width(context(), width);
    cairo_stroke(context());
}

void Canvas::line(const Vec<2>& from, const Vec<2>& to, double width)
{
    cairo_move_to(context(), from[0], from[1]);
    cairo_line_to(context(), to[0], to[1]);
    stroke(width);
}

void Canvas::circle(const Vec<2>& centre, double radius)
{
    cairo_new_sub_path(context());
    cairo_arc(context(), centre[0], centre[1], radius, 0, 2 * M_PI);
    cairo_close_path(context());
}

void Canvas::disk(const Vec<2>& centre, double radius, const Rgb& fill_colour)
{
    if (picture_) return paint_disk(pixels(), centre, radius, fill_colour);
    const double rim = rim_of_disk(radius);
    circle(centre, radius - 0.5 * rim);
    colour(fill_colour);
    cairo_fill_preserve(context());
    colour(mixed(fill_colour, {0, 0, 0}, 0.5));
    stroke(rim);
}

void Canvas::sphere(const Vec<2>& centre, double radius, const Rgb& full)
{
    if (picture_) return paint_sphere(pixels(), centre, radius, full);
    const Vec<2> focus = centre + 0.55 * radius * Vec<2>(light_direction[0], -light_direction[1]);
    cairo_pattern_t* shade = cairo_pattern_create_radial(focus[0], focus[1], 0, centre[0], centre[1], radius);
    const auto stop = [&](double place, const Rgb& here) {
        cairo_pattern_add_color_stop_rgb(shade, place, here.red, here.green, here.blue);
    };
    stop(0, mixed(lit(full, 1), white, 0.3));
    stop(0.85, lit(full, 0.3));
    stop(1, mixed(lit(full, 0), {0, 0, 0}, 0.4));
    circle(centre, radius);
    cairo_set_source(context(), shade);
    fill();
    cairo_pattern_destroy(shade);
}

void Canvas::font(double size, bool bold)
{
    cairo_select_font_face(context(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context(), size);
}

double Canvas::text_width(const std::string& text, double size, bool bold)
{
    font(size, bold);
    cairo_text_extents_t extents;
    // cairo gives up the whole drawing at a byte that is no UTF-8
    cairo_text_extents(context(), text.substr(0, io::first_invalid_utf8(text)).c_str(), &extents);
    return extents.x_advance;
}

void Canvas::text(const Vec<2>& at, std::string text, double size, Align align, double room, bool bold)
{
    text.resize(io::first_invalid_utf8(text));
    double width = text_width(text, size, bold);
    if (width > room) {
        do {
            text.pop_back();
            text.resize(io::first_invalid_utf8(text));
            width = text_width(text + "…", size, bold);
        } while (width > room && !text.empty());
        text += "…";
    }
    const double shift = align == Align::left ? 0 : align == Align::centre ? 0.5 * width : width;
    cairo_move_to(context(), at[0] - shift, at[1]);
    cairo_show_text(context(), text.c_str());
    cairo_new_path(context());
}

} // namespace talus::report
#endif
