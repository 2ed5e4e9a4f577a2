// Cairo on the pixels of a picture or on the vectors of an SVG, and the few strokes that drawings share. Only in builds
// with cairo.
#pragma once

#include "talus/report/picture.hpp"

#include <cairo.h>
#include <string>
#include <vector>

namespace talus::report {

class Canvas {
  public:
    enum class Align { left, centre, right };

    explicit Canvas(Picture& picture);
    Canvas(int width, int height, std::string& svg); // which is complete after finish()
    ~Canvas();
    void finish();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    double unit() const { return unit_; } // [pixels] a 1200th of the width: sizes of text and lines are in it
    cairo_t* context();
    void colour(const Rgb& colour, double opacity = 1);
    void path(const std::vector<Vec<2>>& points); // closed, in pixels
    void fill() { cairo_fill(context()); }
    void stroke(double width); // [pixels]
    void line(const Vec<2>& from, const Vec<2>& to, double width);
    void rectangle(double x, double y, double width, double height) { cairo_rectangle(context(), x, y, width, height); }
    void circle(const Vec<2>& centre, double radius);

    // A grain: flat with a darker rim, or lit. Pixel by pixel where there are pixels.
    void disk(const Vec<2>& centre, double radius, const Rgb& colour);
    void sphere(const Vec<2>& centre, double radius, const Rgb& colour);

    // Baseline at `at`; shortened with an ellipsis where it would be wider than `room` pixels.
    void text(const Vec<2>& at, std::string text, double size, Align align = Align::left, double room = 1e9,
              bool bold = false);
    double text_width(const std::string& text, double size, bool bold = false);

  private:
    Canvas(cairo_surface_t* surface, Picture* picture, double unit);
    Picture& pixels(); // to be painted by hand, until the next stroke
    void font(double size, bool bold);
    cairo_surface_t* surface_;
    cairo_t* context_;
    Picture* picture_; // none for an SVG
    bool is_by_hand_ = false;
    double unit_;
};

// What draw(canvas) leaves on a white page, as pixels and as the text of an SVG.
template <class Draw>
Picture painted(const Sheet& sheet, const Draw& draw)
{
    Picture picture;
    static_cast<Sheet&>(picture) = sheet;
    picture.pixels.assign(std::size_t(sheet.width) * std::size_t(sheet.height), 0xffffffffu);
    Canvas canvas(picture);
    draw(canvas);
    canvas.finish();
    return picture;
}
template <class Draw>
Picture painted(int width, int height, const Draw& draw)
{
    Sheet sheet;
    sheet.width = width;
    sheet.height = height;
    return painted(sheet, draw);
}
template <class Draw>
std::string svg_of(int width, int height, const Draw& draw)
{
    std::string svg;
    Canvas canvas(width, height, svg);
    draw(canvas);
    canvas.finish();
    return svg;
}

// What surrounds the drawing.
void draw_heading(Canvas& canvas, const Area& area, const std::string& title, const std::string& subtitle);
void draw_legend(Canvas& canvas, const Area& area, const Sketch& sketch, bool chains);
void draw_scale_bar(Canvas& canvas, const Area& area, double pixels_per_metre);
void draw_axes(Canvas& canvas, const Area& area, const std::vector<Axis>& axes);

} // namespace talus::report
