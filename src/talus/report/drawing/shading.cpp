#include "talus/report/drawing/shading.hpp"

#include "talus/report/drawing/projection.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {
namespace {

void blend(std::uint32_t& pixel, const Rgb& colour, double cover)
{
    const auto channel = [&](int shift, double value) {
        const double below = double(pixel >> shift & 0xff);
        const double mix = below + cover * (255 * std::clamp(value, 0.0, 1.0) - below);
        return std::uint32_t(mix + 0.5) << shift; // NOLINT(bugprone-incorrect-roundings): never negative
    };
    pixel = 0xff000000u | channel(16, colour.red) | channel(8, colour.green) | channel(0, colour.blue);
}

// shade(x, y, distance) is the colour at an offset from the centre in pixels, y upwards
template <class Shade>
void paint_round(Picture& picture, const Vec<2>& centre, double radius, const Shade& shade)
{
    const auto first = [](double from) { return std::max(0, int(std::floor(from))); };
    const double reach = radius + 1;
    const int left = first(centre[0] - reach), top = first(centre[1] - reach);
    const int right = std::min(picture.width, int(std::ceil(centre[0] + reach)));
    const int bottom = std::min(picture.height, int(std::ceil(centre[1] + reach)));
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            const double x = column + 0.5 - centre[0], y = centre[1] - (row + 0.5);
            const double distance = std::sqrt(x * x + y * y);
            const double cover = std::min(1.0, radius - distance + 0.5);
            if (cover <= 0) continue;
            blend(picture.pixels[std::size_t(row) * std::size_t(picture.width) + std::size_t(column)],
                  shade(x, y, distance), cover);
        }
    }
}

Rgb darkened(const Rgb& colour, double by) { return {colour.red * by, colour.green * by, colour.blue * by}; }

} // namespace

Rgb lit(const Rgb& colour, double light) { return mixed(darkened(colour, 0.58 + 0.42 * light), white, 0.12 * light); }

double rim_of_disk(double radius) { return std::min(std::max(1.0, 0.05 * radius), 0.25 * radius); }

void paint_sphere(Picture& picture, const Vec<2>& centre, double radius, const Rgb& colour)
{
    const Vec<3> halfway = (light_direction + Vec<3>(0, 0, 1)).normalized(); // where the light glances to the viewer
    const double rim = std::max(1.0, 0.12 * radius);
    paint_round(picture, centre, radius, [&](double x, double y, double distance) {
        const double inside = std::max(radius, distance);
        const Vec<3> normal = Vec<3>(x, y, std::sqrt(inside * inside - distance * distance)) / inside;
        double glance = std::max(0.0, normal.dot(halfway));
        for (int k = 0; k < 4; ++k) glance *= glance;
        const Rgb body = mixed(lit(colour, std::max(0.0, normal.dot(light_direction))), white, 0.35 * glance);
        const double edge = std::clamp(1 - (radius - distance) / rim, 0.0, 1.0);
        return darkened(body, 1 - 0.45 * edge * edge);
    });
}

void paint_disk(Picture& picture, const Vec<2>& centre, double radius, const Rgb& colour)
{
    const double rim = rim_of_disk(radius);
    const Rgb dark = darkened(colour, 0.5);
    paint_round(picture, centre, radius, [&](double, double, double distance) {
        return mixed(colour, dark, std::clamp(distance - (radius - rim) + 0.5, 0.0, 1.0));
    });
}

} // namespace talus::report
