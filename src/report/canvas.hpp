// Cairo on the pixels of a picture, and the few strokes that its parts share. Only in builds with cairo.
#pragma once

#include "report/picture.hpp"

#include <cairo.h>
#include <string>
#include <vector>

namespace talus::report {

class Canvas {
  public:
    enum class Align { left, centre, right };

    explicit Canvas(Picture& picture);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    // Between these the pixels may be painted by hand.
    void suspend() { cairo_surface_flush(surface_); }
    void resume() { cairo_surface_mark_dirty(surface_); }

    double unit() const { return unit_; } // [pixels] a 1200th of the width: sizes of text and lines are in it
    cairo_t* context() { return context_; }
    void colour(const Rgb& colour, double opacity = 1);
    void path(const std::vector<Vec<2>>& points); // closed, in pixels
    void fill() { cairo_fill(context_); }
    void stroke(double width); // [pixels]
    void line(const Vec<2>& from, const Vec<2>& to, double width);
    void rectangle(double x, double y, double width, double height) { cairo_rectangle(context_, x, y, width, height); }

    // Baseline at `at`; shortened with an ellipsis where it would be wider than `room` pixels.
    void text(const Vec<2>& at, std::string text, double size, Align align = Align::left, double room = 1e9,
              bool bold = false);
    double text_width(const std::string& text, double size, bool bold = false);

  private:
    void font(double size, bool bold);
    cairo_surface_t* surface_;
    cairo_t* context_;
    double unit_;
};

struct Area {
    double left, top, width, height; // [pixels]
};

// What surrounds the drawing.
void draw_heading(Canvas& canvas, const Area& area, const std::string& title, const std::string& subtitle);
void draw_legend(Canvas& canvas, const Area& area, const Sketch& sketch, double strongest_chain); // [N] 0: no chains
void draw_scale_bar(Canvas& canvas, const Area& area, double pixels_per_metre);
void draw_axes(Canvas& canvas, const Area& area, const std::vector<Axis>& axes);

} // namespace talus::report
