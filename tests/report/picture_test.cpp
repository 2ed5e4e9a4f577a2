// Pictures of frames made by hand: every claim is about pixels.
#include "report/painted.hpp"
#include "talus/base/error.hpp"
#include "texts.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace talus::report {
namespace {

template <int D>
void add_ball(io::Frame<D>& frame, const Vec<D>& position, double radius, double speed, std::int32_t material = 0)
{
    Body<D> body;
    body.position = position;
    body.velocity = speed * Vec<D>::Unit(0);
    body.shape = frame.shapes.add_ball(radius);
    body.material = material;
    body.mass = 1;
    body.inertia.setOnes();
    frame.bodies.add(body);
}

template <int D>
void add_floor(io::Frame<D>& frame)
{
    Body<D> body;
    body.shape = frame.shapes.add_half_space(Vec<D>::Unit(D - 1));
    body.imposed = all_imposed<D>;
    frame.bodies.add(body);
}

// Five balls apart in a row on a floor, at 0, 1, 2, 3 and 4 m/s.
template <int D>
io::Frame<D> row()
{
    io::Frame<D> frame;
    frame.clock = {1e-3, 1500};
    frame.materials = {"sand", "steel"};
    for (int k = 0; k < 5; ++k) {
        add_ball<D>(frame, 0.3 * k * Vec<D>::Unit(0) + 0.2 * Vec<D>::Unit(D - 1), 0.1, k, k % 2);
    }
    add_floor(frame);
    return frame;
}

PictureOptions front(Quantity colour = Quantity::speed)
{
    PictureOptions options;
    options.view = View::front;
    options.colour = colour;
    options.title = "a row";
    return options;
}

// Hue and saturation alone, whatever the light: white taken off, brightness scaled away.
Rgb tint(const Rgb& colour)
{
    const double least = std::min({colour.red, colour.green, colour.blue});
    const double most = std::max({colour.red, colour.green, colour.blue});
    const auto part = [&](double value) { return (value - least) / (most - least); };
    return {part(colour.red), part(colour.green), part(colour.blue)};
}

// [pixels] with another colour than the background, whose colour is taken beside the ball
double area_around(const Picture& picture, const Vec<2>& centre, double half)
{
    const Rgb background = colour_at(picture, centre - Vec<2>::Constant(half));
    double count = 0;
    for (double y = centre[1] - half; y <= centre[1] + half; ++y) {
        for (double x = centre[0] - half; x <= centre[0] + half; ++x) {
            count += difference(colour_at(picture, {x, y}), background) > 0.1;
        }
    }
    return count;
}

using PictureTest = PaintedTest;

TEST_F(PictureTest, CornersAreWhite)
{
    const Picture picture = paint(row<2>(), front());
    for (const double x : {1.0, picture.width - 1.0}) {
        for (const double y : {1.0, picture.height - 1.0}) EXPECT_EQ(colour_at(picture, {x, y}), white);
    }
}

TEST_F(PictureTest, DiskHasTheColourOfItsSpeed)
{
    const Picture picture = paint(row<2>(), front());
    for (int k = 0; k < 5; ++k) {
        // off the radius that shows the rotation
        const Vec<2> place = picture.pixel_of({0.3 * k, 0.25});
        // half a bucket of 64, and rounding to 8 bits
        EXPECT_LT(difference(colour_at(picture, place), viridis(k / 4.0)), 0.02) << k;
    }
}

TEST_F(PictureTest, SphereHasTheTintOfItsMaterial)
{
    const Picture picture = paint(row<3>(), front(Quantity::material));
    for (int k = 0; k < 5; ++k) {
        const Rgb seen = tint(colour_at(picture, picture.pixel_of({0.3 * k, 0.2})));
        EXPECT_LT(difference(seen, tint(qualitative(std::size_t(k % 2)))), 0.05) << k; // 8 bits of each channel
    }
}

TEST_F(PictureTest, BallsCoverTheirProjectedArea)
{
    const Picture flat = paint(row<2>(), front()), deep = paint(row<3>(), front());
    for (const Picture* picture : {&flat, &deep}) {
        const double radius = 0.1 * picture->pixels_per_metre;
        for (int k = 0; k < 5; ++k) {
            const double area = area_around(*picture, picture->pixel_of({0.3 * k, 0.2}), 1.4 * radius);
            EXPECT_NEAR(area / (M_PI * radius * radius), 1, 0.03) << k; // the smooth edge is a pixel wide
        }
    }
}

TEST_F(PictureTest, SameFrameGivesTheSameBytes)
{
    const auto folder = std::filesystem::temp_directory_path() / ("talus.picture." + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::string bytes[2];
    for (std::string& text : bytes) {
        write_png(paint(row<3>(), PictureOptions{}), folder / "row.png");
        std::ifstream file(folder / "row.png", std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::filesystem::remove_all(folder);
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0].substr(1, 3), "PNG");
}

TEST_F(PictureTest, NearerSphereHidesTheOneBehind)
{
    io::Frame<3> frame = row<3>();
    frame.bodies.position[0] = frame.bodies.position[1] - Vec<3>(0, 0.5, 0); // the front is seen from −y
    const Picture picture = paint(frame, front(Quantity::material));
    const Rgb seen = tint(colour_at(picture, picture.pixel_of({0.3, 0.2})));
    EXPECT_LT(difference(seen, tint(qualitative(0))), 0.05);
}

TEST_F(PictureTest, LongBeamHidesWhatIsBehindItAndNotWhatIsBefore)
{
    io::Frame<3> frame = row<3>(); // the front is seen from −y
    Body<3> beam;
    beam.position = {0.6, 0, 0.2};
    beam.orientation = Rotation<3>::from_vector({0, 0, 0.7}); // its right end is the farther one
    beam.shape = frame.shapes.add_polytope(box<3>({3, 0.05, 0.1}));
    beam.imposed = all_imposed<3>;
    beam.material = 1;
    frame.bodies.add(beam);
    frame.bodies.position[0] = {-0.3, -0.5, 0.2}; // behind the beam, though nearer than its middle
    frame.bodies.position[4] = {1.5, 0.5, 0.2};   // before it, though farther than its middle
    frame.bodies.material[4] = 0;
    const Picture picture = paint(frame, front(Quantity::material));
    const Rgb behind = tint(colour_at(picture, picture.pixel_of({-0.3, 0.2})));
    const Rgb before = tint(colour_at(picture, picture.pixel_of({1.5, 0.2})));
    EXPECT_LT(difference(behind, tint(qualitative(1))), 0.05);
    EXPECT_LT(difference(before, tint(qualitative(0))), 0.05);
}

TEST_F(PictureTest, ForceChainJoinsTheCentres)
{
    io::Frame<2> frame = row<2>();
    frame.contacts.candidate = {1};
    frame.contacts.antagonist = {0};
    frame.contacts.normal = {Vec<2>(1, 0)};
    frame.contacts.point = {Vec<2>(0.15, 0.2)};
    frame.contacts.gap = {0};
    frame.contacts.impulse = {Vec<2>(0.02, 0)};
    PictureOptions options = front();
    options.chains = true;
    const Picture picture = paint(frame, options);
    const Rgb between = colour_at(picture, picture.pixel_of({0.15, 0.2}));
    EXPECT_GT(between.red, 2 * between.green);
    EXPECT_EQ(colour_at(picture, picture.pixel_of({0.45, 0.2})), white); // no contact there
}

TEST_F(PictureTest, ForceChainLiesOverTheGrainsInSpaceToo)
{
    io::Frame<3> frame = row<3>();
    frame.bodies.position[4] = {0.15, -1, 0.2}; // a grain before the contact
    frame.contacts.candidate = {1};
    frame.contacts.antagonist = {0};
    frame.contacts.normal = {Vec<3>(1, 0, 0)};
    frame.contacts.point = {Vec<3>(0.15, 0, 0.2)};
    frame.contacts.gap = {0};
    frame.contacts.impulse = {Vec<3>(0.02, 0, 0)};
    PictureOptions options = front(Quantity::material);
    options.chains = true;
    const Picture picture = paint(frame, options);
    for (const double x : {0.02, 0.15, 0.28}) {
        const Rgb seen = colour_at(picture, picture.pixel_of({x, 0.2}));
        EXPECT_GT(seen.red, 1.3 * seen.green) << x;
        EXPECT_GT(seen.red, 1.3 * seen.blue) << x;
    }
    EXPECT_EQ(colour_at(picture, picture.pixel_of({0.45, 0.2})), white); // no contact there
}

// Closed paths of four curves each, which is how cairo writes circles; letters live in the definitions.
std::size_t circles(const std::string& svg)
{
    std::size_t found = 0;
    for (std::size_t at = svg.rfind("</defs>"); (at = svg.find(" d=\"", at)) != std::string::npos; ++at) {
        const std::string path = svg.substr(at, svg.find('"', at + 4) - at);
        found += times_in(path, "C ") == 4 && times_in(path, "M ") <= 2 && times_in(path, "L ") == 0;
    }
    return found;
}

TEST_F(PictureTest, SvgShowsEveryDiskAsACircle)
{
    const std::string svg = draw_svg(row<2>(), front());
    EXPECT_EQ(svg.substr(0, 5), "<?xml");
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    EXPECT_EQ(times_in(svg, "<svg"), 1u);
    EXPECT_EQ(times_in(svg, "<image"), 0u) << "vectors, no pixels";
    EXPECT_EQ(circles(svg), 5u);
    const Picture picture = paint(row<2>(), front());
    EXPECT_NE(svg.find("viewBox=\"0 0 " + std::to_string(picture.width) + " " + std::to_string(picture.height) + "\""),
              std::string::npos);
}

TEST_F(PictureTest, SvgOfSpheresHasAShadePerSphere)
{
    EXPECT_EQ(times_in(draw_svg(row<3>(), front()), "<radialGradient"), 5u);
}

TEST_F(PictureTest, PngBytesSayTheirSize)
{
    const Picture picture = paint(row<2>(), front());
    const std::string bytes = png_bytes(picture);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    const auto number = [&](std::size_t at) { // big endian
        int value = 0;
        for (std::size_t k = at; k < at + 4; ++k) value = value << 8 | int(static_cast<unsigned char>(bytes[k]));
        return value;
    };
    EXPECT_EQ(number(16), picture.width);
    EXPECT_EQ(number(20), picture.height);
}

TEST_F(PictureTest, RefusesSillyWidths)
{
    PictureOptions options;
    options.width = 10;
    EXPECT_THROW(paint(row<3>(), options), InputError);
}

TEST_F(PictureTest, FrameWithoutGrainsOrWithNonsenseIsAPictureToo)
{
    io::Frame<3> empty;
    EXPECT_GT(paint(empty, PictureOptions{}).height, 0);
    add_floor(empty);
    empty.materials = {"sand"};
    EXPECT_GT(paint(empty, front(Quantity::material)).height, 0);

    io::Frame<2> lost = row<2>();
    lost.bodies.position[2].setConstant(std::nan(""));
    lost.bodies.velocity[3].setConstant(std::nan(""));
    PictureOptions options = front();
    options.title = "not UTF-8: \xff";
    EXPECT_EQ(colour_at(paint(lost, options), {1, 1}), white);
    EXPECT_EQ(sketch_of(lost, {View::iso, Quantity::speed}).beyond, 1u);
}

TEST(PictureWithoutCairo, IsRefusedByName)
{
    if (can_paint()) GTEST_SKIP() << "this build has cairo";
    try {
        paint(row<2>(), front());
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("TALUS_CAIRO"), std::string::npos);
    }
}

} // namespace
} // namespace talus::report
