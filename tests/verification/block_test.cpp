// Blocks on planes: sliding (V5), sticking (V6), tipping (V13), and the weight that a column carries (V10).
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// A box of the given width (along the slope) and height on a half-space that goes down towards +x.
std::string block_on_slope(int dimension, double slope, double friction, double width, double height)
{
    const double s = std::sin(slope), c = std::cos(slope);
    const bool plane = dimension == 2;
    const auto vector = [&](double x, double up, double across) {
        return plane ? fmt::format("[{:.17g}, {:.17g}]", x, up)
                     : fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, across, up);
    };
    const std::string box = fmt::format("size = {}\nposition = {}\nrotation = {}", vector(width, height, 0.15),
                                        vector(0.5 * height * s, 0.5 * height * c, 0),
                                        plane ? fmt::format("{:.17g}", -slope) : fmt::format("[0, {:.17g}, 0]", slope));
    return piece::start({.dimension = dimension, .duration = "10", .contact = fmt::format("friction = {}", friction)}) +
           piece::body("half_space", fmt::format("normal = {}\nmotion = \"fixed\"", vector(s, c, 0))) +
           piece::body("box", box) + piece::gravity + "[solver]\ntolerance = 1e-13\nsweeps = 5000\n";
}

template <int D>
double speed_down_slope(const Simulation<D>& simulation, double slope)
{
    return simulation.bodies.velocity[1][0] * std::cos(slope) - simulation.bodies.velocity[1][D - 1] * std::sin(slope);
}

template <int D>
void expect_sliding()
{
    auto simulation = simulation_of<D>(block_on_slope(D, 30 * degree, 0.3, 0.2, 0.1));
    advance(simulation, 0.5);
    // g (sin 30° − 0.3 cos 30°); the scheme is exact for a constant acceleration
    EXPECT_NEAR(speed_down_slope(simulation, 30 * degree) / 0.5, 2.356287, 1e-6);
    EXPECT_NEAR(simulation.bodies.spin[1].norm(), 0, 1e-9); // it does not turn
}

template <int D>
void expect_rest()
{
    auto simulation = simulation_of<D>(block_on_slope(D, 30 * degree, 0.6, 0.2, 0.1));
    const Vec<D> start = simulation.bodies.position[1];
    advance(simulation, 2);
    EXPECT_LT((simulation.bodies.position[1] - start).norm(), 1e-10);
}

// Whether a slab of b/h = 0.4 tips over its lower edge on this slope.
template <int D>
bool tips(double slope)
{
    auto simulation = simulation_of<D>(block_on_slope(D, slope, 1.0, 0.2, 0.5));
    advance(simulation, 0.5);
    return simulation.bodies.spin[1].norm() > 1e-4;
}

// A column of boxes at rest on a floor, listed from the floor.
std::string column(int dimension, int boxes)
{
    std::string scene = piece::start({.dimension = dimension}) + piece::floor(dimension) + piece::gravity +
                        "[solver]\ntolerance = 1e-13\nsweeps = 100000\n";
    for (int k = 0; k < boxes; ++k) {
        scene += fmt::format("[[bodies]]\nshape = \"box\"\nmaterial = \"stone\"\nsize = {}\nposition = {}\n",
                             dimension == 2 ? "[0.2, 0.1]" : "[0.2, 0.15, 0.1]",
                             dimension == 2 ? fmt::format("[0, {}]", 0.05 + 0.1 * k)
                                            : fmt::format("[0, 0, {}]", 0.05 + 0.1 * k));
    }
    return scene;
}

template <int D>
void expect_weights()
{
    constexpr int boxes = 8;
    auto simulation = simulation_of<D>(column(D, boxes));
    for (int step = 0; step < 20; ++step) simulation.step();
    const double weight = simulation.bodies.mass[1] * 9.81;
    const ContactTable<D>& contacts = simulation.contacts;
    std::vector<double> carried(boxes, 0.0), points(boxes, 0.0);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const int level = std::min(contacts.candidate[k], contacts.antagonist[k]); // body below
        carried[level] += contacts.impulse[k].dot(contacts.normal[k]) / simulation.clock.dt;
        points[level] += 1;
    }
    for (int k = 0; k < boxes; ++k) {
        EXPECT_EQ(points[k], D == 2 ? 2 : 4) << "level " << k;
        EXPECT_NEAR(carried[k] / weight, boxes - k, 1e-8) << "level " << k;
    }
}

} // namespace

TEST(V5BlockOnIncline, SlidesAtTheClosedFormAcceleration)
{
    expect_sliding<2>();
    expect_sliding<3>();
}

TEST(V6BlockOnIncline, StaysAtRestBelowTheFrictionAngle)
{
    expect_rest<2>();
    expect_rest<3>();
}

TEST(V10Column, EachFaceCarriesTheWeightAbove)
{
    expect_weights<2>();
    expect_weights<3>();
}

TEST(V13Slab, TipsWhenTheSlopeExceedsItsProportions)
{
    const double limit = std::atan(0.2 / 0.5);
    EXPECT_FALSE(tips<2>(limit - 0.1 * degree));
    EXPECT_TRUE(tips<2>(limit + 0.1 * degree));
    EXPECT_FALSE(tips<3>(limit - 0.1 * degree));
    EXPECT_TRUE(tips<3>(limit + 0.1 * degree));
}
