#include "talus/report/drawing/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/canvas.hpp"
#endif

namespace talus::report {
namespace {

std::string superscript(int number)
{
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
    return text;
}

std::string plain(double value, int digits = 6)
{
    return (value < 0 ? "−" : "") + fmt::format("{:.{}g}", std::abs(value), digits);
}

// Decades, with 2 and 5 between them where there are few, or round values where there is not even one.
void add_log_ticks(Scale& scale, int most_ticks)
{
    const double slack = 1e-9;
    const double from = std::log10(scale.lower) - slack, to = std::log10(scale.upper) + slack;
    const int first = int(std::ceil(from)), last = int(std::floor(to));
    if (to - from < 0.7) {
        scale.ticks = round_values(scale.lower, scale.upper, most_ticks);
        return;
    }
    const int every = std::max(1, int(std::ceil(double(last - first + 1) / most_ticks)));
    const bool is_short = to - from < 2;
    for (int decade = int(std::floor(from)); decade <= last; ++decade) {
        for (int digit = 1; digit <= 9; ++digit) {
            const double tick = digit * std::pow(10.0, decade), place = std::log10(tick);
            if (place < from || place > to) continue;
            const bool is_named = digit == 1 ? decade % every == 0 : is_short && (digit == 2 || digit == 5);
            (is_named ? scale.ticks : scale.minor).push_back(tick);
        }
    }
}

} // namespace

double Scale::part_of(double value) const
{
    if (!std::isfinite(value) || (is_log && value <= 0)) return std::numeric_limits<double>::quiet_NaN();
    return is_log ? std::log(value / lower) / std::log(upper / lower) : (value - lower) / (upper - lower);
}

std::string Scale::label_of(double tick) const
{
    if (!is_log) {
        // enough digits to tell neighbours apart
        const double largest = std::max(std::abs(lower), std::abs(upper));
        const int digits = std::clamp(int(std::log10(largest / (upper - lower))) + 4, 6, 15);
        return plain(std::abs(tick) < 1e-9 * (upper - lower) ? 0 : tick / std::pow(10.0, power), digits);
    }
    if (ticks.front() >= 1e-3 && ticks.back() < 1e5) return plain(tick);
    const int decade = int(std::floor(std::log10(tick) + 1e-9));
    const double digit = tick / std::pow(10.0, decade);
    return (std::abs(digit - 1) < 1e-6 ? "" : plain(digit) + "·") + "10" + superscript(decade);
}

std::string Scale::unit_text() const { return power == 0 ? "" : " (×10" + superscript(power) + ")"; }

Scale scale_between(double lower, double upper, bool is_log, int most_ticks)
{
    Scale scale{lower, upper, is_log, {}, {}, 0};
    if (is_log) {
        add_log_ticks(scale, most_ticks);
        return scale;
    }
    scale.ticks = round_values(lower, upper, most_ticks);
    const double largest = std::max(std::abs(lower), std::abs(upper));
    if (largest >= 1e5 || largest < 1e-2) scale.power = 3 * int(std::floor(std::log10(largest) / 3));
    return scale;
}

Scale scale_around(std::span<const double> values, bool is_log, int most_ticks)
{
    constexpr double most = 1e300; // farther ones are drawn there: differences of two must be finite
    double lower = std::numeric_limits<double>::infinity(), upper = -lower;
    for (const double value : values) {
        if (!std::isfinite(value) || (is_log && value <= 0)) continue;
        lower = std::min(lower, std::clamp(value, -most, most));
        upper = std::max(upper, std::clamp(value, -most, most));
    }
    if (lower > upper) return scale_between(is_log ? 1 : 0, is_log ? 10 : 1, is_log, most_ticks);
    constexpr double beyond = 0.04;
    if (is_log) {
        const double margin = lower == upper ? 2 : std::pow(upper / lower, beyond);
        return scale_between(lower / margin, upper * margin, true, most_ticks);
    }
    if (lower > 0 && lower < 0.3 * upper) lower = 0;
    if (upper < 0 && upper > 0.3 * lower) upper = 0;
    constexpr double rounding = 1e-12; // what differs by no more is one value
    if (upper - lower <= rounding * std::max(std::abs(lower), std::abs(upper))) {
        const double half = lower == 0 ? 1 : 0.5 * std::abs(lower);
        return scale_between(lower - half, upper + half, false, most_ticks);
    }
    const double margin = beyond * (upper - lower);
    return scale_between(lower == 0 ? 0 : lower - margin, upper == 0 ? 0 : upper + margin, false, most_ticks);
}

#ifdef TALUS_WITH_CAIRO
namespace {

constexpr Rgb grid{0.89, 0.895, 0.905}, zero_line{0.6, 0.61, 0.63};

void draw_grid(Canvas& canvas, const Axes& axes, double line)
{
    const Area& area = axes.area;
    const auto upright = [&](double x) {
        const double left = area.left + axes.x.part_of(x) * area.width;
        canvas.line({left, area.top}, {left, area.top + area.height}, 0.6 * line);
    };
    const auto level = [&](double y) {
        const double top = area.top + (1 - axes.y.part_of(y)) * area.height;
        canvas.line({area.left, top}, {area.left + area.width, top}, 0.6 * line);
    };
    canvas.colour(grid);
    for (const double x : axes.x.ticks) upright(x);
    for (const double y : axes.y.ticks) level(y);
    canvas.colour(zero_line);
    if (!axes.y.is_log && axes.y.lower < 0 && axes.y.upper > 0) level(0);
}

} // namespace

void draw_plot_axes(Canvas& canvas, const Axes& axes, const AxisNames& names)
{
    const Area& area = axes.area;
    const double size = names.text_size, line = size / 13, bottom = area.top + area.height;
    draw_grid(canvas, axes, line);
    canvas.colour(ink);
    canvas.line({area.left, area.top}, {area.left, bottom}, 1.2 * line);
    canvas.line({area.left, bottom}, {area.left + area.width, bottom}, 1.2 * line);
    for (const auto* ticks : {&axes.y.minor, &axes.y.ticks}) {
        const double length = (ticks == &axes.y.ticks ? 5 : 3) * line;
        for (const double tick : *ticks) {
            const double y = area.top + (1 - axes.y.part_of(tick)) * area.height;
            canvas.line({area.left - length, y}, {area.left, y}, line);
            if (ticks == &axes.y.minor) continue;
            canvas.text({area.left - 9 * line, y + 0.35 * size}, axes.y.label_of(tick), size, Canvas::Align::right);
        }
    }
    double free_from = -1e9; // a label that would touch the one before it is left out
    for (const auto* ticks : {&axes.x.minor, &axes.x.ticks}) {
        const double length = (ticks == &axes.x.ticks ? 5 : 3) * line;
        for (const double tick : *ticks) {
            const double x = area.left + axes.x.part_of(tick) * area.width;
            canvas.line({x, bottom}, {x, bottom + length}, line);
            if (ticks == &axes.x.minor) continue;
            const std::string text = axes.x.label_of(tick);
            const double half = 0.5 * canvas.text_width(text, size);
            if (x - half < free_from) continue;
            canvas.text({x, bottom + 7 * line + size}, text, size, Canvas::Align::centre);
            free_from = x + half + 0.4 * size;
        }
    }
    canvas.text({area.left + 0.5 * area.width, bottom + 12 * line + 2.2 * size}, names.x + axes.x.unit_text(), size,
                Canvas::Align::centre);
    canvas.text({area.left - 2.5 * size, area.top - 0.8 * size}, names.y + axes.y.unit_text(), size);
}
#endif

} // namespace talus::report
