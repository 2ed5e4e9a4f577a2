#include "grain_options.hpp"

#include "talus/base/error.hpp"
#include "talus/sampling/ballast_grains.hpp"
#include "talus/scene/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace talus;

namespace {

struct Allowed {
    double low, high;
    std::string text;
    std::size_t numbers = 2; // 1: one, 2: also low:high, 3: also low:mode:high
    bool is_length = false;
};
constexpr double smallest_size = 1e-6, largest_size = 10; // [m] beyond them the unit was forgotten

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0, end = 0; end < text.size() || parts.empty(); from = end + 1) {
        end = std::min(text.find(at, from), text.size());
        parts.push_back(text.substr(from, end - from));
    }
    return parts;
}

class OptionReader {
  public:
    explicit OptionReader(const char* option, const std::string& text) : option_(option), text_(text) {}

    // "a", "a:b" or "a:mode:b"
    Interval interval(std::vector<Mistake>& mistakes, const Allowed& allowed) const
    {
        const std::vector<std::string> parts = split(text_, ':');
        std::vector<double> found(parts.size());
        std::string wrong = parts.size() > allowed.numbers ? fmt::format("are {} numbers", parts.size()) : "";
        for (std::size_t k = 0; k < parts.size() && wrong.empty(); ++k) {
            wrong = number(parts[k], allowed.is_length, found[k]);
        }
        Interval interval{found.front(), found.back()};
        if (parts.size() == 3) interval.mode = found[1];
        if (wrong.empty() && !(interval.low >= allowed.low && interval.high <= allowed.high)) wrong = "is out of range";
        if (wrong.empty() && interval.low > interval.high) wrong = "the first must not exceed the last";
        if (wrong.empty() && interval.mode && !(*interval.mode >= interval.low && *interval.mode <= interval.high)) {
            wrong = "the most frequent value, in the middle, must lie between the two others";
        }
        if (!wrong.empty()) refuse(mistakes, wrong + "; must be " + allowed.text);
        return interval;
    }

    // "25mm:0, 31.5mm:0.3, 50mm:1"
    std::vector<SievePoint> curve(std::vector<Mistake>& mistakes) const
    {
        std::vector<SievePoint> points;
        std::string wrong;
        for (const std::string& pair : split(text_, ',')) {
            const std::size_t colon = pair.find(':');
            SievePoint point{0, 0};
            wrong = colon == std::string::npos ? "\"" + pair + "\" is no pair"
                                               : number(pair.substr(0, colon), true, point.size);
            if (wrong.empty()) wrong = number(pair.substr(colon + 1), false, point.passing);
            if (wrong.empty() && !(point.size >= smallest_size && point.size <= largest_size)) {
                wrong = "a size must be from 1 µm to 10 m";
            }
            if (wrong.empty() && !points.empty() &&
                !(point.size > points.back().size && point.passing >= points.back().passing)) {
                wrong = "sizes and shares must rise";
            }
            if (!wrong.empty()) break;
            points.push_back(point);
        }
        if (wrong.empty() && points.size() < 2) wrong = "is only one point";
        if (wrong.empty() && (points.front().passing != 0 || points.back().passing != 1)) {
            wrong = "the shares must go from 0 to 1";
        }
        if (!wrong.empty())
            refuse(mistakes, wrong + "; must be size:share, ..., such as \"25mm:0, 31.5mm:0.3, 50mm:1\"");
        return points;
    }

    void refuse(std::vector<Mistake>& mistakes, std::string message) const
    {
        mistakes.push_back({{}, option_, text_, std::move(message)});
    }

  private:
    static std::string number(const std::string& text, bool is_length, double& number)
    {
        scene::Quantity quantity;
        std::string wrong = scene::parse_quantity(text, quantity);
        if (!wrong.empty()) return wrong;
        const scene::Dimension wanted{is_length ? 1 : 0, 0, 0, 0};
        if (quantity.has_unit && quantity.dimension != wanted) return "the unit of \"" + text + "\" does not fit";
        number = quantity.value;
        return std::isfinite(number) ? "" : "\"" + text + "\" is not finite";
    }

    const char* option_;
    const std::string& text_;
};

// The recipe of `make` where nothing is asked for; flatness does not exist in 2D.
void fill_in(GrainOptions& options, std::vector<Mistake>& mistakes)
{
    const bool flat = options.dimension == 2;
    if (options.vertices.empty()) options.vertices = flat ? "5:10" : "10:16";
    if (flat && !options.flatness.empty()) {
        mistakes.push_back({{}, "--flatness", options.flatness, "exists only in 3D; give --elongation"});
    }
    if (flat || options.flatness.empty()) options.flatness = flat ? "1" : "0.6:1";
}

GrainRecipe recipe_of(const GrainOptions& options, std::vector<Mistake>& mistakes)
{
    const int least = options.dimension == 2 ? 3 : 4;
    const OptionReader corners("--vertices", options.vertices);
    const Allowed counts{double(least), most_grain_vertices,
                         fmt::format("whole numbers from {} to {}, one or low:high", least, most_grain_vertices)};
    const Interval vertices = corners.interval(mistakes, counts);
    const bool in_range = vertices.low >= least && vertices.high <= most_grain_vertices;
    if (in_range && (vertices.low != std::floor(vertices.low) || vertices.high != std::floor(vertices.high))) {
        corners.refuse(mistakes, "must be " + counts.text);
    }
    const Allowed ratio{flattest_grain, 1, "a number from 0.1 to 1, low:high, or low:mode:high", 3};
    const Allowed angularity{0, 1, "one number from 0 (rounded) to 1 (sharp)", 1};
    return {int(vertices.low), int(vertices.high),
            OptionReader("--elongation", options.elongation).interval(mistakes, ratio),
            OptionReader("--flatness", options.flatness).interval(mistakes, ratio),
            OptionReader("--angularity", options.angularity).interval(mistakes, angularity).low};
}

} // namespace

std::string text_of(const Interval& interval)
{
    return interval.mode ? fmt::format("{:g}:{:g}:{:g}", interval.low, *interval.mode, interval.high)
                         : fmt::format("{:g}:{:g}", interval.low, interval.high);
}

GrainOptions ballast_options()
{
    const BallastOrder order;
    GrainOptions options;
    options.is_ballast = true;
    options.count = order.count;
    options.seed = std::int64_t(order.seed);
    options.vertices = fmt::format("{}:{}", order.recipe.least_vertices, order.recipe.most_vertices);
    options.elongation = text_of(order.recipe.elongation);
    options.flatness = text_of(order.recipe.flatness);
    options.angularity = fmt::format("{:g}", order.recipe.angularity);
    for (const SievePoint& point : order.sieve) {
        options.sieve +=
            fmt::format("{}{:g}mm:{:g}", options.sieve.empty() ? "" : ", ", 1e3 * point.size, point.passing);
    }
    return options;
}

GrainOrder order_of(const GrainOptions& given)
{
    std::vector<Mistake> mistakes;
    GrainOptions options = given;
    if (!options.is_ballast) fill_in(options, mistakes);
    GrainOrder order;
    order.recipe = recipe_of(options, mistakes);
    order.by_volume = options.distribution == "volume";
    if (options.is_ballast) {
        order.sieve = OptionReader("--grading", options.sieve).curve(mistakes);
    } else if (options.size.empty() == options.sieve.empty()) {
        mistakes.push_back({{}, "--size", options.size, "give either --size or --sieve"});
    } else if (!options.size.empty()) {
        order.size = OptionReader("--size", options.size)
                         .interval(mistakes, {smallest_size, largest_size,
                                              "lengths from 1 µm to 10 m, such as 25mm or 25mm:50mm", 2, true});
    } else {
        order.sieve = OptionReader("--sieve", options.sieve).curve(mistakes);
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return order;
}
