// Impacts with known answers: V1, V2, V9.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// heights of the first three apexes of the lowest point, for a drop of `height`
std::vector<double> apexes(double height, double dt)
{
    auto simulation =
        library_simulation<3>("moreau/bouncing-ball", {fmt::format("scene.dt={}", dt),
                                                       fmt::format("bodies[0].position=[0,0,{}]", height + 0.05)});
    std::vector<double> found;
    double before = -1;
    while (found.size() < 3) {
        simulation.step();
        const double speed = simulation.bodies.velocity[0][2];
        if (before > 0 && speed <= 0) found.push_back(simulation.bodies.position[0][2] - 0.05);
        before = speed;
    }
    return found;
}

// mean over drop heights, so that where in a step the impact falls does not matter
double apex_error(double dt)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 16; ++k) {
        const double height = 1 + 0.01 * k;
        const auto found = apexes(height, dt);
        for (int n = 0; n < 3; ++n, ++count) sum += std::abs(found[n] / height - std::pow(0.25, n + 1));
    }
    return sum / count;
}

} // namespace

TEST(V1BouncingBall, ApexesFallByTheSquareOfRestitutionToFirstOrder)
{
    const double coarse = apex_error(2e-3), middle = apex_error(1e-3), fine = apex_error(5e-4);
    EXPECT_LT(fine, 2e-3); // the impact is seen up to h late, at 4.4 m/s: a fraction of 4.4 h of the height
    const double order = 0.5 * std::log2(coarse / fine);
    EXPECT_GT(order, 0.7) << coarse << " " << middle << " " << fine;
    EXPECT_LT(order, 1.5) << coarse << " " << middle << " " << fine;
}

TEST(V1BouncingBall, RestsAfterTheSumOfAllFlights)
{
    // at rest after t0 (1 + e)/(1 − e) = 3 sqrt(2/g)
    const double expected = 3 * std::sqrt(2 / 9.81);
    for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
        auto simulation = library_simulation<3>("moreau/bouncing-ball", {fmt::format("scene.dt={}", dt)});
        double last_motion = 0;
        while (simulation.clock.time() < 1.6) {
            simulation.step();
            if (std::abs(simulation.bodies.velocity[0][2]) > 2 * 9.81 * dt) last_motion = simulation.clock.time();
        }
        // each of some ten impacts is up to h late, and the flights below the speed looked for last another 8 h
        EXPECT_NEAR(last_motion, expected, 20 * dt) << "dt = " << dt;
        EXPECT_NEAR(expected, 1.3546, 5e-5);
    }
}

TEST(V2HeadOn, EqualMassesShareTheSpeedByRestitution)
{
    auto simulation = simulation_of<2>(
        piece::start({.materials = "steel = { preset = \"steel\" }", .contact = "restitution = 0.5"}) +
        piece::body("disk", "radius = 0.1\nposition = [0, 0]\nvelocity = [1, 0]", "steel") +
        piece::body("disk", "radius = 0.1\nposition = [0.3, 0]", "steel") + "[solver]\ntolerance = 1e-13\n");
    advance(simulation, 0.5);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 0.25, 1e-12); // (1 − e)/2
    EXPECT_NEAR(simulation.bodies.velocity[1][0], 0.75, 1e-12); // (1 + e)/2
}

TEST(V9ThreeBalls, ElasticImpactsPassTheSpeedThroughTheRow)
{
    auto simulation = simulation_of<3>(
        piece::start({.dimension = 3,
                      .materials = "steel = { preset = \"steel\" }",
                      .contact = "restitution = 1\nfriction = 0"}) +
        piece::body("sphere", "radius = 0.05\nposition = [0, 0, 0]\nvelocity = [1, 0, 0]", "steel") +
        piece::body("sphere", "radius = 0.05\nposition = [0.15, 0, 0]", "steel") +
        piece::body("sphere", "radius = 0.05\nposition = [0.3, 0, 0]", "steel") + "[solver]\ntolerance = 1e-13\n");
    advance(simulation, 0.5);
    const double expected[] = {0, 0, 1};
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(simulation.bodies.velocity[i][0], expected[i], 1e-10);
}
