#ifdef TALUS_WITH_CAIRO
#include "report/canvas.hpp"

#include "io/utf8.hpp"

namespace talus::report {

Canvas::Canvas(Picture& picture)
    : surface_(cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(picture.pixels.data()),
                                                   CAIRO_FORMAT_RGB24, picture.width, picture.height,
                                                   4 * picture.width)),
      context_(cairo_create(surface_)), unit_(picture.width / 1200.0)
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

void Canvas::colour(const Rgb& colour, double opacity)
{
    cairo_set_source_rgba(context_, colour.red, colour.green, colour.blue, opacity);
}

void Canvas::path(const std::vector<Vec<2>>& points)
{
    if (points.empty()) return;
    cairo_new_sub_path(context_);
    for (const Vec<2>& point : points) cairo_line_to(context_, point[0], point[1]);
    cairo_close_path(context_);
}

void Canvas::stroke(double width)
{
    cairo_set_line_width(context_, width);
    cairo_stroke(context_);
}

void Canvas::line(const Vec<2>& from, const Vec<2>& to, double width)
{
    cairo_move_to(context_, from[0], from[1]);
    cairo_line_to(context_, to[0], to[1]);
    stroke(width);
}

void Canvas::font(double size, bool bold)
{
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, size);
}

double Canvas::text_width(const std::string& text, double size, bool bold)
{
    font(size, bold);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, text.c_str(), &extents);
    return extents.x_advance;
}

void Canvas::text(const Vec<2>& at, std::string text, double size, Align align, double room, bool bold)
{
    // cairo gives up the whole drawing at a byte that is no UTF-8
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
    cairo_move_to(context_, at[0] - shift, at[1]);
    cairo_show_text(context_, text.c_str());
    cairo_new_path(context_);
}

} // namespace talus::report
#endif
