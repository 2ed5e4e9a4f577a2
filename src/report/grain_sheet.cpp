#include "report/grain_sheet.hpp"

#include "base/error.hpp"

#ifdef TALUS_WITH_CAIRO
#include "report/canvas.hpp"
#include "report/shading.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

constexpr int columns = 8, rows = 3;
constexpr Rgb stone{0.72, 0.68, 0.61}, curve{0.0, 0.447, 0.698};

// A face as the viewer sees it: [m] x to the right, y upwards, and how much light it gets.
struct SeenFace {
    std::vector<Vec<2>> corners;
    double light;
};

std::vector<SeenFace> seen_faces(const Polytope<2>& grain) { return {{grain.vertices, 0.8}}; }

std::vector<SeenFace> seen_faces(const Polytope<3>& grain)
{
    // from the front and above, the longest axis of the grain across the picture
    const Vec<3> toward = Vec<3>(0.25, 0.45, 0.86).normalized(), up = (Vec<3>::UnitY() - 0.45 * toward).normalized();
    const Vec<3> right = up.cross(toward).normalized(), above = toward.cross(right);
    const Vec<3> light = (-0.42 * right + 0.55 * above + 0.72 * toward).normalized();
    std::vector<SeenFace> seen;
    for (std::size_t f = 0; f < grain.face_count(); ++f) {
        if (grain.planes[f].normal.dot(toward) <= 0) continue;
        SeenFace face{{}, std::max(0.0, grain.planes[f].normal.dot(light))};
        for (const std::int32_t v : grain.face(f)) {
            face.corners.emplace_back(right.dot(grain.vertices[v]), above.dot(grain.vertices[v]));
        }
        seen.push_back(std::move(face));
    }
    return seen;
}

// Grains evenly spaced over all sizes, the smallest first.
std::vector<std::size_t> chosen_grains(const LibrarySummary& summary)
{
    std::vector<std::size_t> order(summary.grains.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return summary.grains[a].sieve_size < summary.grains[b].sieve_size;
    });
    const std::size_t shown = std::min<std::size_t>(order.size(), columns * rows);
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < shown; ++k) {
        chosen.push_back(order[shown == 1 ? 0 : k * (order.size() - 1) / (shown - 1)]);
    }
    return chosen;
}

// The frame of a plot, and where its values are.
class Plot {
  public:
    Plot(Canvas& canvas, const Area& area, Spread across, double most, bool is_log)
        : canvas_(canvas), area_(area), low_(across.least), high_(across.most), most_(most), is_log_(is_log)
    {
    }
    Vec<2> at(double x, double y) const
    {
        const double part = is_log_ ? std::log(x / low_) / std::log(high_ / low_) : (x - low_) / (high_ - low_);
        return {area_.left + part * area_.width, area_.top + (1 - y / most_) * area_.height};
    }
    void frame(const std::string& name, const std::vector<double>& ticks, const std::string& y_name) const
    {
        const double u = canvas_.unit(), size = 13 * u;
        canvas_.colour(neutral);
        for (const double y : round_values(0, most_, 6)) {
            canvas_.line(at(low_, y), at(high_, y), 0.7 * u);
        }
        canvas_.colour(ink);
        canvas_.line({area_.left, area_.top}, {area_.left, area_.top + area_.height}, 1.2 * u);
        canvas_.line({area_.left, area_.top + area_.height}, {area_.left + area_.width, area_.top + area_.height},
                     1.2 * u);
        for (const double y : round_values(0, most_, 6)) {
            canvas_.text(at(low_, y) + Vec<2>(-6 * u, 0.35 * size), fmt::format("{:.6g}", 100 * y + 0.0), size,
                         Canvas::Align::right);
        }
        double free_from = -1e9; // a label that would touch the one before it is left out
        for (const double x : ticks) {
            const std::string text = fmt::format("{:.4g}", x);
            const Vec<2> place = at(x, 0);
            canvas_.line(place, place + Vec<2>(0, 5 * u), 1.2 * u);
            const double half = 0.5 * canvas_.text_width(text, size);
            if (place[0] - half < free_from) continue;
            canvas_.text(place + Vec<2>(0, 20 * u), text, size, Canvas::Align::centre);
            free_from = place[0] + half + 4 * u;
        }
        canvas_.text({area_.left + 0.5 * area_.width, area_.top + area_.height + 40 * u}, name, size,
                     Canvas::Align::centre);
        canvas_.text({area_.left - 34 * u, area_.top - 12 * u}, y_name, size);
    }

  private:
    Canvas& canvas_;
    Area area_;
    double low_, high_, most_;
    bool is_log_;
};

void draw_sieve_curve(Canvas& canvas, const Area& area, const LibrarySummary& summary)
{
    std::vector<double> ticks = sieve_openings(summary.sieve_size.least, summary.sieve_size.most);
    for (double& tick : ticks) tick *= 1e3;
    const Plot plot(canvas, area, {ticks.front(), 0, ticks.back()}, 1, true);
    plot.frame("sieve size [mm]", ticks, "% of mass passing");
    canvas.colour(curve);
    Vec<2> last = plot.at(ticks.front(), 0);
    double below = 0;
    for (const SievePoint& point : summary.passing) {
        const Vec<2> foot = plot.at(1e3 * point.size, below), here = plot.at(1e3 * point.size, point.passing);
        canvas.line(last, foot, 2.2 * canvas.unit());
        canvas.line(foot, here, 2.2 * canvas.unit());
        last = here;
        below = point.passing;
    }
    canvas.line(last, plot.at(ticks.back(), 1), 2.2 * canvas.unit());
}

void draw_histogram(Canvas& canvas, const Area& area, const std::string& name, const Spread& spread,
                    const std::vector<double>& values, bool whole_numbers)
{
    double low = spread.least, high = spread.most;
    int bins = 20;
    if (whole_numbers) {
        low -= 0.5;
        high += 0.5;
        bins = std::min(int(high - low), 40);
    } else {
        const double margin = std::max(0.05 * (high - low), 0.01 * std::abs(high));
        low -= margin;
        high += margin;
    }
    std::vector<double> share(std::size_t(bins), 0.0);
    for (const double value : values) {
        const auto bin = std::size_t(std::clamp((value - low) / (high - low) * bins, 0.0, bins - 0.5));
        share[bin] += 1 / double(values.size());
    }
    const double most = *std::max_element(share.begin(), share.end()) * 1.1;
    const Plot plot(canvas, area, {low, 0, high}, most, false);
    plot.frame(name, round_values(low, high, 6), "% of grains");
    canvas.colour(mixed(curve, white, 0.25));
    for (int k = 0; k < bins; ++k) {
        const double from = low + (high - low) * k / bins, to = low + (high - low) * (k + 1) / bins;
        const Vec<2> corner = plot.at(from, share[std::size_t(k)]), foot = plot.at(to, 0);
        canvas.rectangle(corner[0] + 1, corner[1], foot[0] - corner[0] - 2, foot[1] - corner[1]);
        canvas.fill();
    }
}

template <int D>
void draw_grains(Canvas& canvas, const Area& area, const std::vector<Polytope<D>>& grains,
                 const LibrarySummary& summary)
{
    const std::vector<std::size_t> chosen = chosen_grains(summary);
    double largest = 0; // one scale for all
    for (const std::size_t g : chosen) {
        for (const SeenFace& face : seen_faces(grains[g])) {
            for (const Vec<2>& corner : face.corners) largest = std::max(largest, corner.cwiseAbs().maxCoeff());
        }
    }
    const int used = int((chosen.size() + columns - 1) / columns);
    const double width = area.width / columns, height = area.height / used;
    const double scale = 0.46 * std::min(width, height) / largest; // [pixels/m]
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const Vec<2> centre(area.left + (double(k % columns) + 0.5) * width,
                            area.top + (double(k / columns) + 0.5) * height);
        for (const SeenFace& face : seen_faces(grains[chosen[k]])) {
            std::vector<Vec<2>> corners;
            for (const Vec<2>& corner : face.corners) {
                corners.push_back(centre + scale * Vec<2>(corner[0], -corner[1]));
            }
            canvas.path(corners);
            canvas.colour(lit(stone, face.light));
            canvas.fill();
            canvas.path(corners);
            canvas.colour(ink, 0.55);
            canvas.stroke(0.8 * canvas.unit());
        }
    }
    draw_scale_bar(canvas, {area.left, area.top + area.height, 0.2 * area.width, 30 * canvas.unit()}, scale);
}

std::vector<double> values_of(const LibrarySummary& summary, double GrainMeasures::*member)
{
    std::vector<double> values;
    for (const GrainMeasures& grain : summary.grains) values.push_back(grain.*member);
    return values;
}

} // namespace

template <int D>
Picture paint_grain_sheet(const std::vector<Polytope<D>>& grains, const LibrarySummary& summary,
                          const std::string& title)
{
    std::vector<Polytope<D>> in_frame; // the longest axis first, about the centre
    for (const Polytope<D>& grain : grains) in_frame.push_back(centred(grain, mass_properties(grain)));
    Picture picture;
    picture.width = 1600;
    picture.height = 1080;
    picture.pixels.assign(std::size_t(picture.width) * std::size_t(picture.height), 0xffffffffu);
    Canvas canvas(picture);
    const double u = canvas.unit();
    draw_heading(canvas, {30 * u, 20 * u, 1140 * u, 60 * u}, title,
                 fmt::format("{} {}, {:.3g} mm to {:.3g} mm, d50 {:.3g} mm", grains.size(),
                             D == 2 ? "polygons" : "polyhedra", 1e3 * summary.sieve_size.least,
                             1e3 * summary.sieve_size.most, 1e3 * summary.size_passing(0.5)));
    draw_grains<D>(canvas, {30 * u, 95 * u, 1140 * u, 380 * u}, in_frame, summary);
    const auto panel = [&](int k) { return Area{(62 + 288 * k) * u, 570 * u, 228 * u, 170 * u}; };
    draw_sieve_curve(canvas, panel(0), summary);
    draw_histogram(canvas, panel(1), "elongation (width / length)", summary.elongation,
                   values_of(summary, &GrainMeasures::elongation), false);
    std::vector<double> vertices;
    for (const Polytope<D>& grain : grains) vertices.push_back(double(grain.vertices.size()));
    if (D == 2) {
        draw_histogram(canvas, panel(2), "vertices", summary.vertices, vertices, true);
    } else {
        draw_histogram(canvas, panel(2), "flatness (thickness / width)", summary.flatness,
                       values_of(summary, &GrainMeasures::flatness), false);
    }
    draw_histogram(canvas, panel(3), D == 2 ? "circularity" : "sphericity", summary.sphericity,
                   values_of(summary, &GrainMeasures::sphericity), false);
    return picture;
}

#else

template <int D>
Picture paint_grain_sheet(const std::vector<Polytope<D>>&, const LibrarySummary&, const std::string&)
{
    throw InputError("this build of Talus has no cairo: it cannot paint pictures");
}

#endif

template Picture paint_grain_sheet(const std::vector<Polytope<2>>&, const LibrarySummary&, const std::string&);
template Picture paint_grain_sheet(const std::vector<Polytope<3>>&, const LibrarySummary&, const std::string&);

} // namespace talus::report
