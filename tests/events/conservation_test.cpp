// What impacts keep: energy without losses, momentum without walls, the mirror image, and the ledger always.
#include "events/clouds.hpp"

namespace talus::events {
namespace {

TEST(HardBalls, KeepEnergyWithoutLosses)
{
    HardBalls<2> balls = make_cloud<2>({.balls = 200, .restitution = 1});
    const double start = kinetic(balls);
    EnergyLedger energy;
    balls.advance(30, energy);
    EXPECT_GT(balls.tally.impacts, 10000);
    EXPECT_NEAR(kinetic(balls) / start, 1, 1e-12);
    EXPECT_EQ(energy.impact, 0);
    EXPECT_EQ(energy.friction, 0);
}

TEST(HardBalls, WhatTheyLoseIsInTheLedger)
{
    HardBalls<3> balls = make_cloud<3>({.balls = 200, .largest = 0.2, .restitution = 0.8, .friction = 0.4});
    const double start = kinetic(balls);
    EnergyLedger energy;
    balls.advance(20, energy);
    EXPECT_GT(energy.impact, 0.2 * start);
    EXPECT_GT(energy.friction, 0.05 * start);
    EXPECT_NEAR((kinetic(balls) + energy.impact + energy.friction) / start, 1, 1e-12);
}

TEST(HardBalls, KeepMomentumAndAngularMomentumWithoutWalls)
{
    HardBalls<3> balls = make_cloud<3>({.balls = 100, .largest = 0.3, .restitution = 0.7, .friction = 0.5});
    balls.walls.clear();
    balls.begin(0, Vec<3>::Zero());
    const auto momenta = [&] {
        Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
        for (std::size_t p = 0; p < balls.size(); ++p) {
            const double mass = 1 / balls.body(p).inverse_mass;
            const Vec<3> momentum = mass * balls.velocity(p, balls.now());
            sum.head<3>() += momentum;
            sum.tail<3>() += balls.place(p, balls.now()).cross(momentum) + balls.body(p).spin / balls.body(p).turning;
        }
        return sum;
    };
    const auto before = momenta();
    EnergyLedger energy;
    balls.advance(3, energy);
    EXPECT_GT(balls.tally.impacts, 10);
    EXPECT_LT((momenta() - before).norm(), 1e-12 * before.norm());
}

// Left and right swapped: the same numbers with another sign, to the bit.
TEST(HardBalls, DoTheSameInTheMirror)
{
    HardBalls<2> balls = make_cloud<2>({.balls = 80, .restitution = 0.95, .friction = 0.3, .gravity = 0.2});
    HardBalls<2> mirrored;
    mirrored.materials = balls.materials;
    mirrored.walls = {balls.walls[1], balls.walls[0], balls.walls[2], balls.walls[3]};
    for (int wall : {0, 1}) {
        mirrored.walls[std::size_t(wall)].place[0] *= -1;
        mirrored.walls[std::size_t(wall)].direction[0] *= -1;
    }
    for (std::size_t p = 0; p < balls.size(); ++p) {
        Flight<2> flight = balls.ball(p);
        flight.place[0] *= -1;
        flight.velocity[0] *= -1;
        mirrored.add(flight, balls.body(p));
    }
    mirrored.begin(0, balls.gravity());
    EnergyLedger energy, mirrored_energy;
    balls.advance(4, energy);
    mirrored.advance(4, mirrored_energy);
    EXPECT_GT(balls.tally.impacts, 200);
    EXPECT_EQ(balls.tally.impacts, mirrored.tally.impacts);
    EXPECT_EQ(energy.impact, mirrored_energy.impact);
    std::vector<Vec<2>> places(balls.size()), images(balls.size());
    for (std::size_t p = 0; p < balls.size(); ++p) {
        places[std::size_t(balls.body(p).body)] = balls.place(p, 4);
        images[std::size_t(mirrored.body(p).body)] = mirrored.place(p, 4);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(places[i][0], -images[i][0]);
        EXPECT_EQ(places[i][1], images[i][1]);
    }
}

// Oblique blow on a wall (Walton 1993): it sticks where μ (1 + e) |v_n| is more than what stops the sliding, v_t/3 of a
// disk, else it slides.
TEST(HardBalls, SlideOrStickAsCoulombSays)
{
    for (const double friction : {0.1, 0.6}) {
        HardBalls<2> balls;
        balls.materials = one_material(0.5, friction);
        add_ball<2>(balls, {0, 1}, {1, -1}, 0.1);
        balls.walls.push_back(plane<2>({0, 0}, {0, 1}));
        balls.begin(0, Vec<2>(0, 0));
        EnergyLedger energy;
        balls.advance(1.5, energy);
        const double impulse = std::min(friction * 1.5, 1.0 / 3); // per mass, of 1 + R²m/I = 3
        EXPECT_NEAR(balls.velocity(0, 1.5)[1], 0.5, 1e-15);
        EXPECT_NEAR(balls.velocity(0, 1.5)[0], 1 - impulse, 1e-15);
        EXPECT_NEAR(balls.body(0).spin[0], -2 * impulse / 0.1, 1e-13);
    }
}

TEST(EventQueue, GivesTheEarliestAndOfEqualsTheLowestRank)
{
    Random random(3);
    std::vector<double> times(1000);
    std::vector<std::int32_t> ranks(1000);
    for (std::size_t k = 0; k < times.size(); ++k) {
        times[k] = std::floor(random.uniform(0, 100)); // many are equal
        ranks[k] = std::int32_t((7 * k + 3) % 1000);
    }
    EventQueue queue;
    queue.assign(times, ranks);
    for (int change = 0; change < 5000; ++change) {
        std::size_t first = 0;
        for (std::size_t k = 1; k < times.size(); ++k) {
            if (times[k] < times[first] || (times[k] == times[first] && ranks[k] < ranks[first])) first = k;
        }
        ASSERT_EQ(queue.first(), std::int32_t(first));
        ASSERT_EQ(queue.first_time(), times[first]);
        times[first] += std::floor(random.uniform(0, 50));
        queue.move(std::int32_t(first), times[first]);
        const std::size_t other = std::size_t(random.uniform() * 1000);
        times[other] = std::floor(random.uniform(0, 100));
        queue.move(std::int32_t(other), times[other]);
    }
}

} // namespace
} // namespace talus::events
