#include "talus/report/drawing/grain_sheet.hpp"

#include "talus/base/error.hpp"

#ifdef TALUS_WITH_CAIRO
#include "talus/report/drawing/axes.hpp"
#include "talus/report/drawing/canvas.hpp"
#include "talus/report/drawing/shading.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus::report {

#ifdef TALUS_WITH_CAIRO
namespace {

constexpr int columns = 8, rows = 3, plot_ticks = 6;
constexpr double plot_text = 13; // in units of the canvas
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

void draw_sieve_curve(Canvas& canvas, const Area& area, const LibrarySummary& summary)
{
    std::vector<double> ticks = sieve_openings(summary.sieve_size.least, summary.sieve_size.most);
    for (double& tick : ticks) tick *= 1e3;
    Axes plot{area, scale_between(ticks.front(), ticks.back(), true, plot_ticks),
              scale_between(0, 100, false, plot_ticks)};
    plot.x.ticks = ticks;
    plot.x.minor.clear();
    draw_plot_axes(canvas, plot, {"sieve size [mm]", "% of mass passing", plot_text * canvas.unit()});
    canvas.colour(curve);
    Vec<2> last = plot.at(ticks.front(), 0);
    double below = 0;
    for (const SievePoint& point : summary.passing) {
        const Vec<2> foot = plot.at(1e3 * point.size, 100 * below);
        const Vec<2> here = plot.at(1e3 * point.size, 100 * point.passing);
        canvas.line(last, foot, 2.2 * canvas.unit());
        canvas.line(foot, here, 2.2 * canvas.unit());
        last = here;
        below = point.passing;
    }
    canvas.line(last, plot.at(ticks.back(), 100), 2.2 * canvas.unit());
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
    const double most = 110 * *std::max_element(share.begin(), share.end());
    const Axes plot{area, scale_between(low, high, false, plot_ticks), scale_between(0, most, false, plot_ticks)};
    draw_plot_axes(canvas, plot, {name, "% of grains", plot_text * canvas.unit()});
    canvas.colour(mixed(curve, white, 0.25));
    for (int k = 0; k < bins; ++k) {
        const double from = low + (high - low) * k / bins, to = low + (high - low) * (k + 1) / bins;
        const Vec<2> corner = plot.at(from, 100 * share[std::size_t(k)]), foot = plot.at(to, 0);
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
        const std::size_t row = k / columns, column = k % columns;
        const Vec<2> centre(area.left + (double(column) + 0.5) * width, area.top + (double(row) + 0.5) * height);
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

// Grains in their own frames.
template <int D>
void draw_sheet(Canvas& canvas, const std::vector<Polytope<D>>& grains, const LibrarySummary& summary,
                const std::string& title)
{
    const double u = canvas.unit();
    draw_heading(canvas, {30 * u, 20 * u, 1140 * u, 60 * u}, title,
                 fmt::format("{} {}, {:.3g} mm to {:.3g} mm, d50 {:.3g} mm", grains.size(),
                             D == 2 ? "polygons" : "polyhedra", 1e3 * summary.sieve_size.least,
                             1e3 * summary.sieve_size.most, 1e3 * summary.size_passing(0.5)));
    draw_grains<D>(canvas, {30 * u, 95 * u, 1140 * u, 380 * u}, grains, summary);
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
}

} // namespace

template <int D>
Picture paint_grain_sheet(const std::vector<Polytope<D>>& grains, const LibrarySummary& summary,
                          const std::string& title)
{
    std::vector<Polytope<D>> in_frame; // the longest axis first, about the centre
    for (const Polytope<D>& grain : grains) in_frame.push_back(centred(grain, mass_properties(grain)));
    return painted(1600, 1080, [&](Canvas& canvas) { draw_sheet<D>(canvas, in_frame, summary, title); });
}

#else

template <int D>
Picture paint_grain_sheet(const std::vector<Polytope<D>>&, const LibrarySummary&, const std::string&)
{
    refuse_without_cairo();
}

#endif

template Picture paint_grain_sheet(const std::vector<Polytope<2>>&, const LibrarySummary&, const std::string&);
template Picture paint_grain_sheet(const std::vector<Polytope<3>>&, const LibrarySummary&, const std::string&);

} // namespace talus::report
