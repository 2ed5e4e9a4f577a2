#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/painter.hpp"

#include "talus/report/drawing/crowd_painter.hpp"
#include "talus/report/drawing/shading.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace talus::report {
namespace {

constexpr Rgb wall_line{0.36, 0.38, 0.42}, wall_fill{0.93, 0.935, 0.945}, floor_fill{0.88, 0.885, 0.9},
    chain_colour{0.70, 0.06, 0.12};

class Painter {
  public:
    Painter(Canvas& canvas, const Sheet& sheet, const Sketch& sketch, bool chains)
        : canvas_(canvas), sheet_(sheet), sketch_(sketch), chains_(chains)
    {
        for (const auto& depth : {depths(sketch.balls), depths(sketch.rods), depths(sketch.solids)}) {
            nearest_ = std::max(nearest_, depth.second);
            farthest_ = std::min(farthest_, depth.first);
        }
    }

    void draw(const Area& area)
    {
        cairo_save(canvas_.context());
        canvas_.rectangle(area.left, area.top, area.width, area.height);
        cairo_clip(canvas_.context());
        if (sketch_.is_flat) {
            draw_ground();
        } else {
            for (const Wall& wall : sketch_.walls) draw_wall(wall, true);
            draw_panes(true);
        }
        draw_outlines();
        draw_below_people(canvas_, sheet_, sketch_);
        draw_bodies();
        draw_people(canvas_, sheet_, sketch_);
        if (!sketch_.is_flat) {
            draw_panes(false);
            for (const Wall& wall : sketch_.walls) draw_wall(wall, false);
        }
        if (chains_) draw_chains();
        cairo_restore(canvas_.context());
    }

  private:
    template <class Items>
    static std::pair<double, double> depths(const Items& items)
    {
        std::pair<double, double> range{1e300, -1e300};
        for (const auto& item : items) {
            range = {std::min(range.first, item.depth), std::max(range.second, item.depth)};
        }
        return range;
    }

    std::vector<Vec<2>> placed(const std::vector<Vec<2>>& points) const
    {
        std::vector<Vec<2>> pixels;
        for (const Vec<2>& point : points) pixels.push_back(sheet_.pixel_of(point));
        return pixels;
    }

    // 0 nearest to 1 farthest
    double farness(double depth) const
    {
        return sketch_.is_flat || nearest_ <= farthest_ ? 0 : (nearest_ - depth) / (nearest_ - farthest_);
    }
    // what is far away fades a little
    Rgb shown(std::int32_t colour, double depth) const
    {
        return mixed(sketch_.palette[std::size_t(colour)], white, 0.3 * farness(depth));
    }

    void draw_ground();
    void draw_wall(const Wall& wall, bool behind);
    void draw_panes(bool behind);
    void draw_outlines();
    void draw_bodies();
    void draw_ball(const Ball& ball);
    void draw_rod(const Rod& rod);
    void draw_solid(const Solid& solid);
    void draw_arms();
    void draw_chains();

    Canvas& canvas_;
    const Sheet& sheet_;
    const Sketch& sketch_;
    bool chains_;
    double nearest_ = -1e300, farthest_ = 1e300;
};

// 2D: all that lies beyond a wall, hatched
void Painter::draw_ground()
{
    if (sketch_.walls.empty()) return;
    const double u = canvas_.unit();
    cairo_t* context = canvas_.context();
    const Vec<2> upper_left = sheet_.pixel_of({sketch_.lower[0], sketch_.upper[1]});
    const Vec<2> size = sheet_.pixels_per_metre * (sketch_.upper - sketch_.lower);
    cairo_save(context);
    canvas_.rectangle(upper_left[0], upper_left[1], size[0], size[1]);
    canvas_.path(placed(sketch_.free_space));
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_clip(context);
    canvas_.colour(wall_fill);
    cairo_paint(context);
    canvas_.colour(wall_line, 0.45);
    const double pitch = 11 * u;
    for (double x = upper_left[0] - size[1]; x < upper_left[0] + size[0]; x += pitch) {
        canvas_.line({x, upper_left[1] + size[1]}, {x + size[1], upper_left[1]}, 1.1 * u);
    }
    cairo_restore(context);
    canvas_.colour(wall_line);
    for (const Wall& wall : sketch_.walls) {
        canvas_.path(placed(wall.corners));
        canvas_.stroke(2.2 * u);
    }
}

// 3D: faint behind the grains, no more than its outline before them
void Painter::draw_wall(const Wall& wall, bool behind)
{
    if (wall.faces_viewer != behind) return;
    if (behind) {
        canvas_.path(placed(wall.corners));
        canvas_.colour(wall.is_floor ? floor_fill : wall_fill, 0.75);
        canvas_.fill();
    }
    canvas_.path(placed(wall.corners));
    canvas_.colour(wall_line, behind ? 0.5 : 0.3);
    canvas_.stroke(1.2 * canvas_.unit());
}

// A mesh likewise; a fine one is all edges, so these are thin.
void Painter::draw_panes(bool behind)
{
    for (const Pane& pane : sketch_.panes) {
        if (pane.is_behind != behind) continue;
        canvas_.path(placed(pane.corners));
        if (behind) {
            canvas_.colour(lit(wall_fill, pane.light));
            cairo_fill_preserve(canvas_.context());
        }
        canvas_.colour(wall_line, behind ? 0.35 : 0.2);
        canvas_.stroke(0.8 * canvas_.unit());
    }
}

void Painter::draw_outlines()
{
    canvas_.colour(wall_line, sketch_.is_flat ? 1 : 0.7);
    for (const auto& outline : sketch_.outlines) {
        canvas_.path(placed(outline));
        canvas_.stroke((sketch_.is_flat ? 2.2 : 1.4) * canvas_.unit());
    }
}

void Painter::draw_ball(const Ball& ball)
{
    const Vec<2> centre = sheet_.pixel_of(ball.centre);
    const double radius = sheet_.pixels_per_metre * ball.radius;
    const Rgb colour = shown(ball.colour, ball.depth);
    sketch_.is_flat ? canvas_.disk(centre, radius, colour) : canvas_.sphere(centre, radius, colour);
}

void Painter::draw_rod(const Rod& rod)
{
    const double width = std::max(2 * sheet_.pixels_per_metre * rod.radius, 2.5 * canvas_.unit());
    const Rgb colour = shown(rod.colour, rod.depth);
    const Vec<2> from = sheet_.pixel_of(rod.from), to = sheet_.pixel_of(rod.to);
    canvas_.colour(mixed(colour, ink, 0.5));
    canvas_.line(from, to, width);
    canvas_.colour(colour);
    canvas_.line(from, to, width - std::min(2.0, 0.5 * width));
}

void Painter::draw_solid(const Solid& solid)
{
    const Rgb colour = shown(solid.colour, solid.depth);
    const double width = 0.9 * canvas_.unit();
    for (const Facet& facet : solid.facets) {
        const std::vector<Vec<2>> corners = placed(facet.corners);
        const Rgb fill = sketch_.is_flat ? colour : lit(colour, facet.light);
        canvas_.path(corners);
        canvas_.colour(fill);
        cairo_fill_preserve(canvas_.context());
        const bool is_piece = std::find(facet.is_cut.begin(), facet.is_cut.end(), true) != facet.is_cut.end();
        if (!is_piece) canvas_.colour(mixed(colour, ink, 0.6));
        canvas_.stroke(width); // of a piece in its own colour: no seams
        canvas_.colour(mixed(colour, ink, 0.6));
        for (std::size_t k = 0; is_piece && k < corners.size(); ++k) {
            if (!facet.is_cut[k]) canvas_.line(corners[k], corners[(k + 1) % corners.size()], width);
        }
    }
}

// Painter's algorithm: from the farthest to the nearest, equals in the order of the bodies.
void Painter::draw_bodies()
{
    enum Kind { ball, rod, solid };
    std::vector<std::tuple<double, Kind, std::size_t>> order;
    for (std::size_t k = 0; k < sketch_.balls.size(); ++k) order.emplace_back(sketch_.balls[k].depth, ball, k);
    for (std::size_t k = 0; k < sketch_.rods.size(); ++k) order.emplace_back(sketch_.rods[k].depth, rod, k);
    for (std::size_t k = 0; k < sketch_.solids.size(); ++k) order.emplace_back(sketch_.solids[k].depth, solid, k);
    std::sort(order.begin(), order.end());
    for (const auto& [depth, kind, k] : order) {
        if (kind == ball) draw_ball(sketch_.balls[k]);
        if (kind == rod) draw_rod(sketch_.rods[k]);
        if (kind == solid) draw_solid(sketch_.solids[k]);
    }
    if (sketch_.is_flat && !chains_) draw_arms();
}

// a radius that turns with the disk, where it is large enough to be seen
void Painter::draw_arms()
{
    for (const Ball& disk : sketch_.balls) {
        const double radius = sheet_.pixels_per_metre * disk.radius;
        if (radius < 7 * canvas_.unit() || disk.arm.isZero()) continue;
        const Rgb& fill = sketch_.palette[std::size_t(disk.colour)];
        const bool is_dark = 0.3 * fill.red + 0.6 * fill.green + 0.1 * fill.blue < 0.35;
        canvas_.colour(mixed(fill, is_dark ? white : ink, 0.55));
        canvas_.line(sheet_.pixel_of(disk.centre), sheet_.pixel_of(disk.centre + 0.92 * disk.arm),
                     std::clamp(0.05 * radius, 1.0, 3 * canvas_.unit()));
    }
}

// In space many lie behind one another: the far ones are paler, and the weak ones fainter, or they would hide the
// strong.
void Painter::draw_chains()
{
    const double strongest = sketch_.strongest;
    double mean = 0; // [N]
    for (const Chain& chain : sketch_.chains) mean += chain.force / double(sketch_.chains.size());
    if (!sketch_.is_flat) {
        canvas_.colour(white, 0.5); // a veil over the grains
        cairo_paint(canvas_.context());
    }
    const bool is_plane_run = sketch_.axes.empty();
    const double widest = (is_plane_run ? 0.8 : 0.5) * sketch_.grain_size * sheet_.pixels_per_metre;
    for (const Chain& chain : sketch_.chains) {
        const double width = widest * std::min(chain.force / strongest, 1.0);
        if (width < 0.15) continue; // too thin to leave a trace
        const double weight = std::max(0.3 * chain.force / mean, chain.force / strongest);
        const double opacity = sketch_.is_flat ? 1 : std::clamp(weight, 0.05, 1.0);
        canvas_.colour(mixed(chain_colour, white, 0.5 * farness(chain.depth)), opacity);
        canvas_.line(sheet_.pixel_of(chain.from), sheet_.pixel_of(chain.to), width);
    }
}

} // namespace

void draw_sketch(Canvas& canvas, const Area& area, const Sheet& sheet, const Sketch& sketch, bool chains)
{
    Painter(canvas, sheet, sketch, chains).draw(area);
}

} // namespace talus::report
#endif
