// Charts: marks are where the axes say, and roses as long as their shares.
#include "report/painted.hpp"
#include "talus/report/drawing/chart.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace talus::report {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr int width = 800, height = 560;

// [pixels] of this colour within the axes
int marked(const Picture& picture, const Axes& axes, const Rgb& colour)
{
    int count = 0;
    for (double y = axes.area.top; y < axes.area.top + axes.area.height; ++y) {
        for (double x = axes.area.left; x < axes.area.left + axes.area.width; ++x) {
            count += difference(colour_at(picture, {x, y}), colour) < 0.02;
        }
    }
    return count;
}

Chart chart_of(Curve curve, bool log = false)
{
    Chart chart{"a chart", "x [m]", "y [N]", log, log, {}};
    chart.curves.push_back(std::move(curve));
    return chart;
}

using ChartTest = PaintedTest;

TEST_F(ChartTest, PointIsWhereTheAxesSay)
{
    for (const bool log : {false, true}) {
        const Chart chart = chart_of({"data", {1, 3, 400}, {2, 50, 700}, true}, log);
        const Axes axes = chart_axes(chart, width, height);
        const Picture picture = paint_chart(chart, width, height);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec<2> place = axes.at(chart.curves[0].x[k], chart.curves[0].y[k]);
            EXPECT_LT(difference(colour_at(picture, place), curve_colour(0)), 0.02) << k;
        }
        // a tick is where its value is: halfway between two on this scale is halfway on the page
        const double middle = log ? std::sqrt(axes.x.lower * axes.x.upper) : 0.5 * (axes.x.lower + axes.x.upper);
        EXPECT_NEAR(axes.at(middle, 2)[0], axes.area.left + 0.5 * axes.area.width, 1e-9);
    }
}

TEST_F(ChartTest, AbsentValueMakesNoMarkAndBreaksTheLine)
{
    const Chart whole = chart_of({"", {0, 1, 2, 3, 4}, {1, 1, 1, 1, 1.5}, false});
    Chart broken = whole;
    broken.curves[0].y[2] = absent;
    const Axes axes = chart_axes(broken, width, height);
    const Picture picture = paint_chart(broken, width, height);
    EXPECT_LT(difference(colour_at(paint_chart(whole, width, height), axes.at(1.45, 1)), curve_colour(0)), 0.02);
    EXPECT_GT(difference(colour_at(picture, axes.at(1.45, 1)), curve_colour(0)), 0.3);
    EXPECT_GT(difference(colour_at(picture, axes.at(2.55, 1)), curve_colour(0)), 0.3);
    EXPECT_LT(difference(colour_at(picture, axes.at(0.55, 1)), curve_colour(0)), 0.02);
    EXPECT_FALSE(axes.at(2, absent).allFinite());

    const Chart none = chart_of({"", {absent, 1}, {1, absent}, true});
    EXPECT_EQ(marked(paint_chart(none, width, height), chart_axes(none, width, height), curve_colour(0)), 0);
}

TEST_F(ChartTest, LogAxisLeavesOutWhatIsNotPositive)
{
    const Chart positive = chart_of({"", {1, 10, 100}, {1, 2, 3}, true}, true);
    const Chart all = chart_of({"", {-5, 0, 1, 10, 100, 7}, {1, 1, 1, 2, 3, -1}, true}, true);
    const Axes axes = chart_axes(all, width, height);
    EXPECT_EQ(axes.x.lower, chart_axes(positive, width, height).x.lower);
    EXPECT_FALSE(axes.at(0, 1).allFinite());
    EXPECT_EQ(paint_chart(all, width, height).pixels, paint_chart(positive, width, height).pixels);
}

TEST_F(ChartTest, LegendStandsAboveTheData)
{
    Chart chart = chart_of({"first", {0, 1}, {0, 1}, false});
    const double alone = chart_axes(chart, width, height).area.top;
    for (int k = 0; k < 9; ++k) chart.curves.push_back({"a curve with a long name", {0, 1}, {0, 1}, false});
    EXPECT_GT(chart_axes(chart, width, height).area.top, alone + 24) << "its rows make room for themselves";
}

TEST_F(ChartTest, SvgHasALineOrAMarkPerCurve)
{
    const std::string svg = draw_chart_svg(chart_of({"data", {1, 2}, {3, 4}, false}), width, height);
    EXPECT_EQ(svg.substr(0, 5), "<?xml");
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_NE(svg.find("width=\"800px\""), std::string::npos);
}

TEST_F(ChartTest, RoseRadiusIsLinearInTheShare)
{
    const Rose rose{"normals", "share of contacts", {0.1, 0.2, 0.4, 0.3}, true};
    const Picture picture = paint_rose(rose, 560);
    const RosePlace place = rose_place(rose, 560);
    EXPECT_EQ(picture.height, place.height);
    for (int k = 0; k < 8; ++k) {                   // four sectors and their mirror images
        const double angle = (k + 0.42) * M_PI / 4; // off the rays and the labels of the rings
        const Vec<2> toward(std::cos(angle), -std::sin(angle));
        const double radius = place.pixels_per_share * rose.share[std::size_t(k % 4)];
        const Rgb inside = colour_at(picture, place.centre + (radius - 4) * toward);
        const Rgb outside = colour_at(picture, place.centre + (radius + 4) * toward);
        EXPECT_LT(inside.red, 0.6) << k;
        EXPECT_GT(outside.red, 0.6) << k;
    }
    const Rose full{"", "", {0.5, 0.5, 0, 0}, false};
    const RosePlace middle = rose_place(full, 560);
    EXPECT_GT(colour_at(paint_rose(full, 560), middle.centre + Vec<2>(37, 80)).red, 0.9) << "the lower half is empty";
}

TEST_F(ChartTest, NothingAndNonsenseAreChartsToo)
{
    const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
    for (const bool log : {false, true}) {
        EXPECT_EQ(paint_chart(chart_of({}, log), width, height).height, height);
        const Curve curves[] = {{"", {1, 1}, {2, 2}, true},
                                {"", {absent}, {absent}, false},
                                {"", {-huge, huge}, {tiny, huge}, false},
                                {"", {1, std::nextafter(1, 2)}, {1e16, 1e16 + 2}, false},
                                {"not UTF-8: \xff", {-1, -2}, {0, -1}, true}};
        for (const Curve& curve : curves) EXPECT_EQ(paint_chart(chart_of(curve, log), width, height).width, width);
    }
    EXPECT_GT(paint_rose({}, 560).height, 0);
    EXPECT_GT(paint_rose({"", "", {0, absent, 0}, true}, 560).height, 0);
    Chart uneven = chart_of({"", {1, 2}, {1}, true});
    EXPECT_THROW(paint_chart(uneven, width, height), std::logic_error);
}

TEST(Scale, TicksAreRoundAndReadWell)
{
    const double values[] = {0, 4.2e-6};
    const Scale small = scale_around(values, false, 6);
    EXPECT_EQ(small.lower, 0);
    EXPECT_EQ(small.power, -6);
    EXPECT_EQ(small.label_of(small.ticks[1]), "1");
    EXPECT_EQ(small.unit_text(), " (×10⁻⁶)");

    const double decades[] = {1e-6, 1e3};
    const Scale wide = scale_around(decades, true, 12);
    EXPECT_EQ(wide.label_of(1e-6), "10⁻⁶");
    EXPECT_EQ(wide.ticks.size(), 10u);
    EXPECT_TRUE(std::isnan(wide.part_of(0)));
    EXPECT_EQ(scale_around(std::span<const double>(), true, 6).upper, 10);
    const double close[] = {1e6, 1e6 + 0.1};
    const Scale fine = scale_around(close, false, 6);
    EXPECT_NE(fine.label_of(fine.ticks[0]), fine.label_of(fine.ticks[1]));
    const double one[] = {-3};
    EXPECT_NEAR(scale_around(one, false, 6).part_of(-3), 0.5, 1e-15);
}

} // namespace
} // namespace talus::report
