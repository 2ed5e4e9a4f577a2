// What a scene gives that says nothing of its solver: V39, V40, V41.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/math/random_rotation.hpp"

#include <fmt/format.h>

#include <random>

using namespace talus;

namespace {

// 200 boxes of three proportions on a lattice in free space, without friction, that fly at each other's places.
Simulation<3> flying_boxes(unsigned seed, double restitution)
{
    std::string scene = piece::start({.dimension = 3,
                                      .dt = "5e-4",
                                      .materials = "steel = { density = 1000 }",
                                      .contact = fmt::format("friction = 0\nrestitution = {}", restitution)});
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1), size(0.03, 0.08);
    for (int k = 0; k < 200; ++k) {
        const Vec<3> place = 0.13 * Vec<3>(k % 6, k / 6 % 6, k / 36);
        scene += fmt::format("[[bodies]]\nshape = \"box\"\nmaterial = \"steel\"\nsize = [{}, {}, {}]\n"
                             "position = [{}, {}, {}]\nrotation = [{}, {}, {}]\nvelocity = [{}, {}, {}]\n",
                             size(random), size(random), size(random), place[0], place[1], place[2], any(random),
                             any(random), any(random), any(random), any(random), any(random));
    }
    return simulation_of<3>(scene);
}

} // namespace

TEST(V39ElasticPolyhedra, KeepTheirKineticEnergy)
{
    for (const unsigned seed : {1u, 2u}) {
        auto simulation = flying_boxes(seed, 1);
        const double start = simulation.kinetic_energy();
        std::size_t impacts = 0;
        for (int step = 0; step < 800; ++step) {
            const StepReport report = simulation.step();
            EXPECT_TRUE(report.solve.reached) << "step " << step << ", residual " << report.solve.residual;
            for (const auto& impulse : simulation.contacts.impulse) impacts += impulse.squaredNorm() > 0;
        }
        EXPECT_GT(impacts, 200u) << "the boxes meet in this test";
        // turning anisotropic bodies keeps angular momentum exactly and energy to O(h²): that part is the scheme's
        EXPECT_NEAR(simulation.kinetic_energy() - simulation.energy.turning, start, 1e-4 * start);
        EXPECT_LT(std::abs(simulation.energy.turning), 1e-4 * start);
    }
}

namespace {

struct Struck {
    double velocity[3];
    bool reached = true;
};

// A ball at 1 m/s strikes two that touch, in 2D and 3D, at any angle to the axes.
template <int D>
Struck strike_two(double restitution, double angle)
{
    const double radius = 0.05;
    const auto along = [&](double x) {
        const double c = std::cos(angle) * x, s = std::sin(angle) * x;
        return D == 2 ? fmt::format("[{:.17g}, {:.17g}]", c, s) : fmt::format("[{:.17g}, {:.17g}, 0]", c, s);
    };
    std::string scene = piece::start({.dimension = D,
                                      .materials = "steel = { preset = \"steel\" }",
                                      .contact = fmt::format("restitution = {}\nfriction = 0", restitution)});
    for (const double x : {-2 * radius - 5.3e-3, 0.0, 2 * radius}) {
        scene += fmt::format("[[bodies]]\nshape = \"{}\"\nmaterial = \"steel\"\nradius = {}\nposition = {}\n",
                             D == 2 ? "disk" : "sphere", radius, along(x));
        if (x < 0) scene += "velocity = " + along(1) + "\n";
    }
    auto simulation = simulation_of<D>(scene, {"quality.start_overlap=1e-6"});
    Struck struck;
    for (int step = 0; step < 20; ++step) struck.reached = simulation.step().solve.reached && struck.reached;
    for (int k = 0; k < 3; ++k) {
        struck.velocity[k] =
            std::cos(angle) * simulation.bodies.velocity[k][0] + std::sin(angle) * simulation.bodies.velocity[k][1];
    }
    return struck;
}

} // namespace

TEST(V40ThreeBalls, MoreausRestitutionOfOneThatStrikesTwo)
{
    // round-off of the places turned by the angle leaves the touching pair open or closed by 1e-17 m
    for (const double angle : {0.0, 0.3, 1.1, 2.5}) {
        for (const Struck& struck : {strike_two<2>(1, angle), strike_two<3>(1, angle)}) {
            EXPECT_TRUE(struck.reached) << "what an exact impact leaves is round-off, not a missed tolerance";
            if (angle != 0) continue;
            EXPECT_NEAR(struck.velocity[0], -1.0 / 3, 1e-10);
            EXPECT_NEAR(struck.velocity[1], 2.0 / 3, 1e-10);
            EXPECT_NEAR(struck.velocity[2], 2.0 / 3, 1e-10);
        }
        for (const Struck& struck : {strike_two<2>(0, angle), strike_two<3>(0, angle)}) {
            EXPECT_TRUE(struck.reached);
            for (const double velocity : struck.velocity) EXPECT_NEAR(velocity, 1.0 / 3, 1e-10);
        }
    }
}

namespace {

struct Shaken {
    double height; // of the top cube over the floor's mean place
    double drift;  // of the cube that went farthest sideways
    double turn;   // [rad] largest
};

// Ten cubes of 0.1 m on a floor that goes up and down by 2 mm at 20 Hz: 3.2 g, the stack leaves it in every period.
Shaken shake_stack(double dt)
{
    std::string scene =
        piece::start(
            {.dimension = 3, .dt = fmt::to_string(dt), .materials = "stone = { density = 2400 }", .contact = ""}) +
        piece::gravity +
        "[[drivers]]\ntype = \"vibration\"\nbody = \"floor\"\namplitude = [0, 0, 0.002]\n"
        "frequency = 20\n" +
        piece::floor(3, "stone", "name = \"floor\"");
    for (int k = 0; k < 10; ++k) {
        scene += piece::body("box", fmt::format("size = [0.1, 0.1, 0.1]\nposition = [0, 0, {}]", 0.05 + 0.1 * k));
    }
    auto simulation = simulation_of<3>(scene);
    advance(simulation, 1.0);
    Shaken shaken{simulation.bodies.position[10][2], 0, 0};
    for (std::size_t k = 1; k < 11; ++k) {
        const Vec<3>& place = simulation.bodies.position[k];
        shaken.drift = std::max(shaken.drift, std::hypot(place[0], place[1]));
        const Mat<3> axes = simulation.bodies.orientation[k].matrix();
        shaken.turn = std::max(shaken.turn, std::acos(std::clamp(0.5 * (axes.trace() - 1), -1.0, 1.0)));
    }
    return shaken;
}

} // namespace

TEST(V41ShakenStack, StaysInPlaceAndConvergesWithTheTimeStep)
{
    const Shaken coarse = shake_stack(1e-3), middle = shake_stack(5e-4), fine = shake_stack(2.5e-4);
    for (const Shaken& shaken : {coarse, middle, fine}) {
        EXPECT_LT(shaken.drift, 1e-3);
        EXPECT_LT(shaken.turn, 1e-2);
    }
    const double first = std::abs(coarse.height - middle.height), second = std::abs(middle.height - fine.height);
    EXPECT_LT(second, 0.5 * first + 1e-6) << coarse.height << " " << middle.height << " " << fine.height;
}
