// The social force on people among obstacles: the sum of Helbing's law over all pairs, however it is found.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

namespace talus {
namespace {

struct Law {
    double force = 150, range = 0.1, wall_force = 300, wall_range = 0.2, anisotropy = 0.3, sight = 0.9;
};

// People, walls, a pillar and a polygon at random, not too near each other; some stand still.
std::string crowd(std::uint64_t seed, int people, double side, const Law& law, const std::string& more)
{
    Random random(seed);
    std::string toml = piece::start({.dt = "0.01", .duration = "1", .contact = "friction = 0"});
    toml += piece::body("segment", fmt::format("from = [0, 0]\nto = [{}, 0]\nradius = 0.05\nmotion = \"fixed\"", side));
    toml += piece::body("segment", "from = [0, 0.2]\nto = [0, 3]\nradius = 0.05\nmotion = \"fixed\"");
    toml += piece::body("disk", "radius = 0.6\nposition = [-2, 2]\nmotion = \"fixed\"");
    toml += piece::body("polygon", "vertices = [[-3, 3], [-1, 3], [-2, 4]]\nmotion = \"fixed\"");
    std::vector<Vec<2>> places;
    while (int(places.size()) < people) {
        const Vec<2> place(random.uniform(0.5, side), random.uniform(0.5, side));
        const auto is_near = [&](const Vec<2>& other) { return (place - other).norm() < 0.51; };
        if (std::ranges::any_of(places, is_near)) continue;
        places.push_back(place);
        const double fast = random.uniform() < 0.2 ? 0 : 1;
        toml += piece::body("disk", fmt::format("radius = {}\nposition = [{}, {}]\nvelocity = [{}, {}]",
                                                random.uniform(0.15, 0.25), place.x(), place.y(),
                                                fast * random.uniform(-1, 1), fast * random.uniform(-1, 1)));
    }
    return toml + more +
           fmt::format("[[drivers]]\ntype = \"social_force\"\nstrength = {}\nrange = {}\nwall_strength = {}\n"
                       "wall_range = {}\nanisotropy = {}\nsight = {}\n",
                       law.force, law.range, law.wall_force, law.wall_range, law.anisotropy, law.sight);
}

std::vector<Vec<2>> expected_forces(const Simulation<2>& simulation, const Law& law)
{
    const BodyTable<2>& bodies = simulation.bodies;
    std::vector<Vec<2>> forces(bodies.size(), Vec<2>::Zero());
    ContactTable<2> near;
    const auto all_pairs = make_detector<2>("all_pairs");
    near.detect(bodies, simulation.shapes, *all_pairs, law.sight);
    const auto push = [&](std::int32_t on, std::int32_t by, double gap, const Vec<2>& away) {
        if (bodies.is_passive(std::size_t(on))) return;
        const bool is_wall = bodies.is_passive(std::size_t(by));
        const Vec<2>& v = bodies.velocity[std::size_t(on)];
        const double facing = v.norm() > 0 ? -away.dot(v) / v.norm() : 0;
        forces[std::size_t(on)] += (is_wall ? law.wall_force : law.force) *
                                   std::exp(-gap / (is_wall ? law.wall_range : law.range)) *
                                   (law.anisotropy + (1 - law.anisotropy) * 0.5 * (1 + facing)) * away;
    };
    for (std::size_t k = 0; k < near.size(); ++k) {
        push(near.candidate[k], near.antagonist[k], near.gap[k], near.normal[k]);
        push(near.antagonist[k], near.candidate[k], near.gap[k], -near.normal[k]);
    }
    return forces;
}

void expect_sum_of_pairs(Simulation<2>& simulation, const Law& law)
{
    clear_loads(simulation.bodies);
    for (const auto& driver : simulation.drivers) driver->apply(simulation.bodies, simulation.shapes, simulation.clock);
    const std::vector<Vec<2>> expected = expected_forces(simulation, law);
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, expected[i].norm());
        // round-off of a sum of some dozen pushes of up to A e^(overlap/B)
        EXPECT_LT((simulation.bodies.force[i] - expected[i]).norm(), 1e-10) << i;
    }
    EXPECT_GT(largest, 10) << "nobody is near anybody";
}

TEST(SocialForce, IsTheSumOverAllWhoAreInSight)
{
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Law law;
        law.anisotropy = seed % 2 == 0 ? 1 : 0.3;
        law.sight = 0.3 * double(seed);
        Simulation<2> simulation = simulation_of<2>(crowd(seed, 120, 8, law, ""));
        expect_sum_of_pairs(simulation, law);
    }
}

// The map of obstacles is kept from step to step: it must follow those that move, and people who go beyond it.
TEST(SocialForce, SeesObstaclesThatHaveMovedAndPeopleFarAway)
{
    const Law law;
    Simulation<2> simulation = simulation_of<2>(crowd(3, 60, 6, law, ""));
    expect_sum_of_pairs(simulation, law);
    simulation.bodies.position[1] += Vec<2>(2, 1);
    simulation.bodies.orientation[1] = simulation.bodies.orientation[1].turned(Ang<2>::Constant(0.7));
    expect_sum_of_pairs(simulation, law);
    simulation.bodies.position[4] = Vec<2>(-2.9, 2);   // beside the pillar
    simulation.bodies.position[5] = Vec<2>(1e6, -1e6); // lost
    expect_sum_of_pairs(simulation, law);
}

TEST(SocialForce, ActsOnOtherShapesToo)
{
    const Law law;
    Simulation<2> simulation = simulation_of<2>(
        crowd(4, 60, 6, law, piece::body("polygon", "vertices = [[-0.9, 3], [-0.5, 3], [-0.7, 3.3]]\nmass = 50")));
    expect_sum_of_pairs(simulation, law);
}

TEST(SocialForce, HasTheSameBitsOnAnyNumberOfThreads)
{
    const int before = thread_count();
    const Law law;
    Simulation<2> simulation = simulation_of<2>(crowd(5, 1500, 30, law, ""));
    std::vector<std::vector<Vec<2>>> forces;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        clear_loads(simulation.bodies);
        simulation.drivers[0]->apply(simulation.bodies, simulation.shapes, simulation.clock);
        forces.push_back(simulation.bodies.force);
    }
    set_thread_count(before);
    EXPECT_EQ(forces[0], forces[1]);
    EXPECT_EQ(forces[0], forces[2]);
}

} // namespace
} // namespace talus
