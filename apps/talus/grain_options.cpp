#include "grain_options.hpp"

#include "base/error.hpp"
#include "scene/units.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace talus;

namespace {

class OptionReader {
  public:
    explicit OptionReader(const char* option, const std::string& text) : option_(option), text_(text) {}

    // "a" or "a:b"
    Interval interval(std::vector<Problem>& problems, bool is_length, double low, double high,
                      const char* allowed) const
    {
        const std::size_t colon = text_.find(':');
        const std::string first = text_.substr(0, colon),
                          second = colon == std::string::npos ? first : text_.substr(colon + 1);
        Interval found{0, 0};
        std::string wrong = number(first, is_length, found.low);
        if (wrong.empty()) wrong = number(second, is_length, found.high);
        if (wrong.empty() && !(found.low >= low && found.high <= high)) wrong = "is out of range";
        if (wrong.empty() && found.low > found.high) wrong = "the first must not exceed the second";
        if (!wrong.empty()) refuse(problems, wrong + "; must be " + allowed);
        return found;
    }

    // "25mm:0, 31.5mm:0.3, 50mm:1"
    std::vector<SievePoint> curve(std::vector<Problem>& problems) const
    {
        std::vector<SievePoint> points;
        std::string wrong;
        for (std::size_t at = 0; at <= text_.size() && wrong.empty();) {
            const std::size_t end = std::min(text_.find(',', at), text_.size());
            const std::string pair = text_.substr(at, end - at);
            const std::size_t colon = pair.find(':');
            SievePoint point{0, 0};
            wrong = colon == std::string::npos ? "\"" + pair + "\" is no pair"
                                               : number(pair.substr(0, colon), true, point.size);
            if (wrong.empty()) wrong = number(pair.substr(colon + 1), false, point.passing);
            if (wrong.empty() && !(point.size > 0)) wrong = "a size must be > 0";
            if (wrong.empty() && !points.empty() &&
                !(point.size > points.back().size && point.passing >= points.back().passing)) {
                wrong = "sizes and shares must rise";
            }
            points.push_back(point);
            at = end + 1;
        }
        if (wrong.empty() && points.size() < 2) wrong = "is only one point";
        if (wrong.empty() && (points.front().passing != 0 || points.back().passing != 1)) {
            wrong = "the shares must go from 0 to 1";
        }
        if (!wrong.empty())
            refuse(problems, wrong + "; must be size:share, ..., such as \"25mm:0, 31.5mm:0.3, 50mm:1\"");
        return points;
    }

    void refuse(std::vector<Problem>& problems, std::string message) const
    {
        problems.push_back({{}, option_, text_, std::move(message)});
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

} // namespace

GrainOrder order_of(const GrainOptions& given)
{
    std::vector<Problem> problems;
    GrainOptions options = given;
    const bool flat = options.dimension == 2;
    if (options.vertices.empty()) options.vertices = flat ? "5:10" : "10:16";
    if (flat && !options.flatness.empty()) {
        problems.push_back({{}, "--flatness", options.flatness, "exists only in 3D; give --elongation"});
    }
    if (flat || options.flatness.empty()) options.flatness = flat ? "1" : "0.6:1";
    GrainOrder order;
    const int least = flat ? 3 : 4;
    const OptionReader corners("--vertices", options.vertices);
    const std::string allowed = fmt::format("whole numbers from {} to {}, one or low:high", least, most_grain_vertices);
    const Interval vertices = corners.interval(problems, false, least, most_grain_vertices, allowed.c_str());
    const bool in_range = vertices.low >= least && vertices.high <= most_grain_vertices;
    if (in_range && (vertices.low != std::floor(vertices.low) || vertices.high != std::floor(vertices.high))) {
        corners.refuse(problems, "must be " + allowed);
    }
    const char* ratio = "a number from 0.1 to 1, or low:high";
    order.recipe = {
        int(vertices.low), int(vertices.high),
        OptionReader("--elongation", options.elongation).interval(problems, false, flattest_grain, 1, ratio),
        OptionReader("--flatness", options.flatness).interval(problems, false, flattest_grain, 1, ratio),
        OptionReader("--angularity", options.angularity)
            .interval(problems, false, 0, 1, "one number from 0 (rounded) to 1 (sharp)")
            .low};
    if (options.angularity.find(':') != std::string::npos) {
        OptionReader("--angularity", options.angularity).refuse(problems, "must be one number");
    }
    order.by_volume = options.distribution == "volume";
    if (options.size.empty() == options.sieve.empty()) {
        problems.push_back({{}, "--size", options.size, "give either --size or --sieve"});
    } else if (!options.size.empty()) {
        order.size = OptionReader("--size", options.size)
                         .interval(problems, true, 1e-6, 10, "lengths from 1 µm to 10 m, such as 25mm or 25mm:50mm");
    } else {
        order.sieve = OptionReader("--sieve", options.sieve).curve(problems);
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    return order;
}
