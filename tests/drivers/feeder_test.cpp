// Feeders: as many grains as asked for, when asked for, without overlap, and the same ones every time.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

// no gravity and no speed: grains stay where they appeared
template <int D>
std::string feeder(const std::string& keys)
{
    const bool flat = D == 2;
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 10\nseed = 5\n[materials.sand]\n" +
           "density = 2600\n[[generators]]\nname = \"feeder\"\ntype = \"feeder\"\nmaterial = \"sand\"\n" +
           (flat ? "lower = [0, 1]\nupper = [0.2, 1.2]\n" : "lower = [0, 0, 1]\nupper = [0.1, 0.1, 1.1]\n") + keys;
}

template <int D>
void expect_no_overlaps(const Simulation<D>& simulation)
{
    const auto& bodies = simulation.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double apart = bounding_radius(simulation.shapes, bodies.shape[i]) +
                                 bounding_radius(simulation.shapes, bodies.shape[j]);
            EXPECT_GE((bodies.position[i] - bodies.position[j]).norm(), apart * (1 - 1e-12));
        }
    }
}

TEST(Feeder, FeedsAtItsRateUntilItsNumberIsReached)
{
    auto simulation = simulation_of<2>(feeder<2>("radius = 0.002\nrate = 100\ncount = 25\nstart = \"50 ms\"\n"));
    for (int step = 0; step < 400; ++step) {
        const double time = simulation.clock.time(); // of the start of the step: grains appear there
        simulation.step();
        const double since = time - 0.05;
        const auto due = since < -1e-9 ? 0 : std::min<long>(25, long(since * 100 + 1e-6) + 1);
        EXPECT_NEAR(double(simulation.bodies.size()), double(due), 1.0) << "at " << time; // half a step of slack
        if (step == 49) {
            EXPECT_EQ(simulation.bodies.size(), 0u);
        }
        if (step == 50) {
            EXPECT_EQ(simulation.bodies.size(), 1u) << "the first appears at its start";
        }
    }
    EXPECT_EQ(simulation.bodies.size(), 25u);
}

template <int D>
void expect_grains_free_of_overlap(const std::string& keys, std::size_t count)
{
    auto simulation = simulation_of<D>(feeder<D>(keys));
    advance(simulation, 0.3);
    EXPECT_EQ(simulation.bodies.size(), count);
    expect_no_overlaps(simulation);
    const Vec<D> lower = D == 2 ? Vec<D>(Vec<D>::Unit(1)) : Vec<D>(Vec<D>::Unit(D - 1));
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        const double radius = bounding_radius(simulation.shapes, simulation.bodies.shape[i]);
        EXPECT_GE(radius, 0.004);
        EXPECT_LE(radius, 0.008);
        const Vec<D> place = simulation.bodies.position[i] - lower;
        EXPECT_GE(place.minCoeff(), 0);
        EXPECT_LE(place.maxCoeff(), D == 2 ? 0.2 : 0.1);
    }
}

TEST(Feeder, GrainsAppearWithoutOverlapWithinTheBox)
{
    expect_grains_free_of_overlap<2>("radius = [0.004, 0.008]\nrate = 1000\ncount = 100\n", 100);
    expect_grains_free_of_overlap<3>("radius = [0.004, 0.008]\nrate = 1000\ncount = 100\n", 100);
}

// a wall through the box, or one that moves into it
TEST(Feeder, GrainsAppearBesideWalls)
{
    for (const char* wall : {"shape = \"half_space\"\nnormal = [0.6, 0.8]\nposition = [0.1, 1.1]",
                             "shape = \"hollow_disk\"\nradius = 0.12\nposition = [0.1, 1.1]",
                             "shape = \"half_space\"\nnormal = [1, 0]\nposition = [-0.1, 1.1]\nname = \"ram\""}) {
        const bool moves = std::string(wall).ends_with("\"ram\"");
        auto simulation = simulation_of<2>(
            feeder<2>("radius = [0.004, 0.008]\nrate = 200\ncount = 50\n") +
            "[[bodies]]\nmaterial = \"sand\"\nmotion = \"fixed\"\n" + wall +
            (moves ? "\n[[drivers]]\ntype = \"velocity\"\nbody = \"ram\"\nvelocity = [0.8, 0]\n" : "\n"));
        std::size_t fed = simulation.bodies.size();
        while (simulation.clock.time() < 0.3) {
            simulation.step();
            const BodyTable<2>& bodies = simulation.bodies;
            for (; fed < bodies.size(); ++fed) { // the ram has gone on for a step
                const double apart = wall_distance(simulation.shapes, bodies.shape[0], bodies.position[0],
                                                   bodies.orientation[0], bodies.position[fed]);
                EXPECT_GE(apart, simulation.shapes[bodies.shape[fed]].radius - (moves ? 0.8e-3 : 0)) << wall;
            }
        }
        EXPECT_GT(fed, 20u) << wall;
    }
}

// more than the box holds: the rest waits for a free place, for ever here
TEST(Feeder, GrainsWithoutAPlaceWait)
{
    auto simulation = simulation_of<2>(feeder<2>("radius = 0.03\nrate = 1000\ncount = 100\n"));
    advance(simulation, 0.3);
    EXPECT_GT(simulation.bodies.size(), 3u);
    EXPECT_LT(simulation.bodies.size(), 16u) << "0.2 × 0.2 m² hold no more";
    expect_no_overlaps(simulation);
}

TEST(Feeder, SameSeedSameGrains)
{
    const std::string scene = feeder<3>(
        "radius = [0.004, 0.008]\nrate = 500\ncount = 60\nvelocity = [0, 0, -1]\n[[drivers]]\ntype = \"gravity\"\n");
    const auto hash = [&](const std::vector<std::string>& sets) {
        auto simulation = simulation_of<3>(scene, sets);
        advance(simulation, 0.15);
        return simulation.state_hash();
    };
    EXPECT_EQ(hash({}), hash({}));
    EXPECT_NE(hash({}), hash({"scene.seed=6"}));
}

TEST(Feeder, GoesOnWithTheSameGrainsFromWhatItSaved)
{
    const std::string scene = feeder<2>("radius = [0.004, 0.008]\nrate = 500\ncount = 60\n");
    auto whole = simulation_of<2>(scene), second = simulation_of<2>(scene);
    advance(whole, 0.05);
    // as a checkpoint carries it
    second.bodies = whole.bodies;
    second.shapes = whole.shapes;
    second.clock = whole.clock;
    for (std::size_t d = 0; d < whole.drivers.size(); ++d) second.drivers[d]->restore(whole.drivers[d]->save());
    advance(whole, 0.12);
    advance(second, 0.12);
    EXPECT_EQ(whole.bodies.size(), 60u);
    EXPECT_EQ(whole.state_hash(), second.state_hash());
}

TEST(Feeder, GrainsComeWithTheirVelocityAndSpin)
{
    auto simulation =
        simulation_of<2>(feeder<2>("radius = 0.005\nrate = 1\ncount = 1\nvelocity = [0, -0.5]\nspin = 3\n"));
    simulation.step();
    ASSERT_EQ(simulation.bodies.size(), 1u);
    EXPECT_EQ(simulation.bodies.velocity[0], Vec<2>(0, -0.5));
    EXPECT_EQ(simulation.bodies.spin[0][0], 3);
    EXPECT_NEAR(simulation.bodies.mass[0], 2600 * M_PI * 25e-6, 1e-12);
}

} // namespace
} // namespace talus
