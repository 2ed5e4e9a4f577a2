#include "talus/report/picture.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/layout.hpp"
#include "talus/report/drawing/painter.hpp"
#endif

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

std::string grouped(std::size_t number)
{
    std::string digits = std::to_string(number);
    for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), 1, ' ');
    return digits;
}

std::string counted(const Sketch& sketch, const PictureOptions& options)
{
    const char* plural = sketch.grains == 1 ? "" : "s";
    if (!options.crowd) return fmt::format("{} grain{}", grouped(sketch.grains), plural);
    if (sketch.left == 0) return fmt::format("{} person{}", grouped(sketch.grains), plural);
    return fmt::format("{} person{} inside, {} left", grouped(sketch.grains), plural, grouped(sketch.left));
}

// A frame and its surroundings, ready to be drawn on any canvas of the sheet's size.
struct Composition {
    Sketch sketch;
    Sheet sheet;
    Layout layout;
    std::string subtitle;
};

template <int D>
Composition compose(const io::Frame<D>& frame, const PictureOptions& options)
{
    if (options.width < least_width || options.width > largest_width) {
        throw InputError(fmt::format("a picture cannot be {} pixels wide: from {} to {} are allowed", options.width,
                                     least_width, largest_width));
    }
    Composition all;
    all.sketch = sketch_of(frame, options);
    if (options.chains) { // they stand out on pale grains
        const double paleness = options.bands ? 0.35 : 0.6;
        for (Rgb& colour : all.sketch.palette) colour = mixed(colour, white, paleness);
    }
    all.sheet.width = options.width;
    all.layout = lay_out(all.sketch, all.sheet);
    all.subtitle = fmt::format("t = {:.6g} s   ·   {}", frame.clock.time(), counted(all.sketch, options));
    if (all.sketch.beyond > 0)
        all.subtitle += fmt::format(", {} of them beyond the picture", grouped(all.sketch.beyond));
    if (!all.sketch.remark.empty()) all.subtitle += "   ·   " + all.sketch.remark;
    return all;
}

void draw(Canvas& canvas, const Composition& all, const PictureOptions& options)
{
    const auto& [sketch, sheet, layout, subtitle] = all;
    draw_sketch(canvas, layout.drawing, sheet, sketch, options.chains);
    draw_heading(canvas, layout.heading, options.title, subtitle);
    draw_legend(canvas, layout.legend, sketch, options.chains);
    draw_scale_bar(canvas, layout.scale_bar, sheet.pixels_per_metre);
    draw_axes(canvas, layout.axes, sketch.axes);
}

} // namespace

bool can_paint() { return true; }

template <int D>
Picture paint(const io::Frame<D>& frame, const PictureOptions& options)
{
    const Composition composition = compose(frame, options);
    return painted(composition.sheet, [&](Canvas& canvas) { draw(canvas, composition, options); });
}

template <int D>
std::string draw_svg(const io::Frame<D>& frame, const PictureOptions& options)
{
    const Composition composition = compose(frame, options);
    return svg_of(composition.sheet.width, composition.sheet.height,
                  [&](Canvas& canvas) { draw(canvas, composition, options); });
}

std::string png_bytes(const Picture& picture)
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
    if (status != CAIRO_STATUS_SUCCESS) throw RunError(fmt::format("PNG: {}", cairo_status_to_string(status)));
    return bytes;
}

#else

bool can_paint() { return false; }

template <int D>
Picture paint(const io::Frame<D>&, const PictureOptions&)
{
    refuse_without_cairo();
}

template <int D>
std::string draw_svg(const io::Frame<D>&, const PictureOptions&)
{
    refuse_without_cairo();
}

std::string png_bytes(const Picture&) { refuse_without_cairo(); }

#endif

void refuse_without_cairo()
{
    throw InputError("pictures need cairo, and this build of talus has none "
                     "(CMake option TALUS_CAIRO)");
}

void write_png(const Picture& picture, const std::filesystem::path& file)
{
    io::write_durably(file, png_bytes(picture));
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Picture paint(const io::Frame<D>&, const PictureOptions&);                                                \
    template std::string draw_svg(const io::Frame<D>&, const PictureOptions&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
