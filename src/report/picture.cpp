#include "report/picture.hpp"

#include "base/error.hpp"
#include "io/durable_file.hpp"
#include "report/shading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#ifdef TALUS_WITH_CAIRO
#include "report/canvas.hpp"
#endif

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

constexpr Rgb wall_line{0.36, 0.38, 0.42}, wall_fill{0.93, 0.935, 0.945}, floor_fill{0.88, 0.885, 0.9},
    chain_colour{0.70, 0.06, 0.12};

class Painter {
  public:
    Painter(Picture& picture, const Sketch& sketch, const PictureOptions& options)
        : picture_(picture), sketch_(sketch), options_(options), canvas_(picture)
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
        draw_bodies();
        if (!sketch_.is_flat) {
            draw_panes(false);
            for (const Wall& wall : sketch_.walls) draw_wall(wall, false);
        }
        if (options_.chains) draw_chains();
        cairo_restore(canvas_.context());
    }

    Canvas& canvas() { return canvas_; }

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
        for (const Vec<2>& point : points) pixels.push_back(picture_.pixel_of(point));
        return pixels;
    }

    // what is far away fades a little
    Rgb shown(std::int32_t colour, double depth) const
    {
        const Rgb& full = sketch_.palette[std::size_t(colour)];
        if (sketch_.is_flat || nearest_ <= farthest_) return full;
        return mixed(full, white, 0.3 * (nearest_ - depth) / (nearest_ - farthest_));
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

    Picture& picture_;
    const Sketch& sketch_;
    const PictureOptions& options_;
    Canvas canvas_;
    double nearest_ = -1e300, farthest_ = 1e300;
};

// 2D: all that lies beyond a wall, hatched
void Painter::draw_ground()
{
    if (sketch_.walls.empty()) return;
    const double u = canvas_.unit();
    cairo_t* context = canvas_.context();
    const Vec<2> upper_left = picture_.pixel_of({sketch_.lower[0], sketch_.upper[1]});
    const Vec<2> size = picture_.pixels_per_metre * (sketch_.upper - sketch_.lower);
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
    const auto paint_round = sketch_.is_flat ? paint_disk : paint_sphere;
    paint_round(picture_, picture_.pixel_of(ball.centre), picture_.pixels_per_metre * ball.radius,
                shown(ball.colour, ball.depth));
}

void Painter::draw_rod(const Rod& rod)
{
    const double width = std::max(2 * picture_.pixels_per_metre * rod.radius, 2.5 * canvas_.unit());
    const Rgb colour = shown(rod.colour, rod.depth);
    const Vec<2> from = picture_.pixel_of(rod.from), to = picture_.pixel_of(rod.to);
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
    bool is_suspended = false;
    for (const auto& [depth, kind, k] : order) {
        if (is_suspended != (kind == ball)) {
            is_suspended = kind == ball;
            is_suspended ? canvas_.suspend() : canvas_.resume();
        }
        if (kind == ball) draw_ball(sketch_.balls[k]);
        if (kind == rod) draw_rod(sketch_.rods[k]);
        if (kind == solid) draw_solid(sketch_.solids[k]);
    }
    if (is_suspended) canvas_.resume();
    if (sketch_.is_flat && !options_.chains) draw_arms();
}

// a radius that turns with the disk, where it is large enough to be seen
void Painter::draw_arms()
{
    for (const Ball& disk : sketch_.balls) {
        const double radius = picture_.pixels_per_metre * disk.radius;
        if (radius < 7 * canvas_.unit()) continue;
        const Rgb& fill = sketch_.palette[std::size_t(disk.colour)];
        const bool is_dark = 0.3 * fill.red + 0.6 * fill.green + 0.1 * fill.blue < 0.35;
        canvas_.colour(mixed(fill, is_dark ? white : ink, 0.55));
        canvas_.line(picture_.pixel_of(disk.centre), picture_.pixel_of(disk.centre + 0.92 * disk.arm),
                     std::clamp(0.05 * radius, 1.0, 3 * canvas_.unit()));
    }
}

void Painter::draw_chains()
{
    if (sketch_.chains.empty() || sketch_.balls.empty() + sketch_.solids.empty() == 2) return;
    double size = 0; // [m] mean radius of the grains
    for (const Ball& disk : sketch_.balls) size += disk.radius / double(sketch_.balls.size());
    for (const Solid& solid : sketch_.solids) {
        if (!sketch_.balls.empty()) break;
        const Vec<2> across = solid.facets[0].corners[0] - solid.facets[0].corners[solid.facets[0].corners.size() / 2];
        size += 0.5 * across.norm() / double(sketch_.solids.size());
    }
    const double widest = 1.6 * size * picture_.pixels_per_metre, strongest = sketch_.chains.back().force;
    canvas_.colour(chain_colour);
    for (const Chain& chain : sketch_.chains) {
        const double width = widest * chain.force / strongest;
        if (width < 0.15) continue; // too thin to leave a trace
        canvas_.line(picture_.pixel_of(chain.from), picture_.pixel_of(chain.to), width);
    }
}

std::string grouped(std::size_t number)
{
    std::string digits = std::to_string(number);
    for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), 1, ' ');
    return digits;
}

struct Layout {
    Area heading, drawing, legend, scale_bar, axes;
};

// The drawing is as high as what it shows asks for, within reason; the height of the picture follows.
Layout lay_out(const Sketch& sketch, Picture& picture)
{
    const double u = picture.width / 1200.0, margin = 36 * u, legend = 150 * u, heading = 78 * u, footer = 40 * u;
    const double foot_gap = 22 * u + (sketch.is_flat ? 0 : 38 * u);
    const Vec<2> size = sketch.upper - sketch.lower;
    const double width = picture.width - 3 * margin - legend;
    const double height = std::clamp(width * size[1] / size[0], 0.36 * width, 1.15 * width);
    const Area drawing{margin, margin + heading, width, height};
    const double foot = drawing.top + height + foot_gap;
    picture.height = int(std::ceil(foot + footer + 0.6 * margin));
    picture.pixels_per_metre = std::min(width / size[0], height / size[1]);
    const Vec<2> middle = 0.5 * (sketch.lower + sketch.upper);
    picture.origin = {margin + 0.5 * width - picture.pixels_per_metre * middle[0],
                      drawing.top + 0.5 * height + picture.pixels_per_metre * middle[1]};
    return {{margin, margin, picture.width - 2 * margin, heading},
            drawing,
            {drawing.left + width + margin, drawing.top, legend, height},
            {margin, foot, width, footer},
            {drawing.left + width - 60 * u, foot - 30 * u, 60 * u, 60 * u}};
}

} // namespace

bool can_paint() { return true; }

template <int D>
Picture paint(const io::Frame<D>& frame, const PictureOptions& options)
{
    Sketch sketch = sketch_of(frame, options.view, options.colour);
    if (options.chains && !sketch.is_flat) {
        throw InputError("force chains are drawn for 2D runs only: in 3D the grains hide them");
    }
    if (options.width < least_width || options.width > largest_width) {
        throw InputError(fmt::format("a picture cannot be {} pixels wide: from {} to {} are allowed", options.width,
                                     least_width, largest_width));
    }
    if (options.chains) { // they stand out on pale grains
        for (Rgb& colour : sketch.palette) colour = mixed(colour, white, 0.6);
    }
    Picture picture;
    picture.width = options.width;
    const Layout layout = lay_out(sketch, picture);
    picture.pixels.assign(std::size_t(picture.width) * std::size_t(picture.height), 0xffffffffu);

    Painter painter(picture, sketch, options);
    painter.draw(layout.drawing);
    std::string subtitle =
        fmt::format("t = {:.6g} s   ·   {} grain{}", frame.time, grouped(sketch.grains), sketch.grains == 1 ? "" : "s");
    if (sketch.beyond > 0) subtitle += fmt::format(", {} of them beyond the picture", grouped(sketch.beyond));
    const double strongest = options.chains && !sketch.chains.empty() ? sketch.chains.back().force : 0;
    draw_heading(painter.canvas(), layout.heading, options.title, subtitle);
    draw_legend(painter.canvas(), layout.legend, sketch, strongest);
    draw_scale_bar(painter.canvas(), layout.scale_bar, picture.pixels_per_metre);
    draw_axes(painter.canvas(), layout.axes, sketch.axes);
    return picture;
}

void write_png(const Picture& picture, const std::filesystem::path& file)
{
    std::vector<std::uint32_t> pixels = picture.pixels; // cairo wants them writable
    cairo_surface_t* surface =
        cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.data()), CAIRO_FORMAT_RGB24,
                                            picture.width, picture.height, 4 * picture.width);
    std::string bytes;
    const auto append = [](void* to, const unsigned char* data, unsigned int length) {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    };
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &bytes);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) io::fail_writing(file, cairo_status_to_string(status));
    io::write_durably(file, bytes);
}

#else

namespace {

[[noreturn]] void refuse()
{
    throw InputError("pictures need cairo, and this build of talus has none (CMake option TALUS_CAIRO)");
}

} // namespace

bool can_paint() { return false; }

template <int D>
Picture paint(const io::Frame<D>&, const PictureOptions&)
{
    refuse();
}

void write_png(const Picture&, const std::filesystem::path&) { refuse(); }

#endif

template Picture paint(const io::Frame<2>&, const PictureOptions&);
template Picture paint(const io::Frame<3>&, const PictureOptions&);

} // namespace talus::report
