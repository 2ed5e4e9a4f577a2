// The geometric deposit: grains rest on each other and on the floor, without overlap, as dense as such piles are.
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/sampling/drop_and_roll.hpp"

#include <algorithm>

namespace talus {
namespace {

template <int D>
std::string pile(const std::string& keys)
{
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.sand]\ndensity = 2600\n[[generators]]\nname = \"grains\"\n"
           "type = \"deposit\"\nmaterial = \"sand\"\n" +
           (D == 2 ? "lower = [0, 0]\nupper = [1, 1]\n" : "lower = [0, 0, 0]\nupper = [1, 1, 1]\n") + keys;
}

template <int D>
double radius_of(const Simulation<D>& simulation, std::size_t i)
{
    return bounding_radius(simulation.shapes, simulation.bodies.shape[i]);
}

// contacts are made to 1e-10 of the largest radius
template <int D>
void expect_apart_and_within(const Simulation<D>& simulation, double clearance = 1)
{
    const auto& position = simulation.bodies.position;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const double radius = clearance * radius_of(simulation, i);
        EXPECT_GE(position[i].minCoeff(), radius * (1 - 1e-9));
        EXPECT_LE(position[i].maxCoeff(), 1 - radius * (1 - 1e-9));
        for (std::size_t j = 0; j < i; ++j) {
            const double apart = radius + clearance * radius_of(simulation, j);
            EXPECT_GE((position[i] - position[j]).norm(), apart * (1 - 1e-9)) << i << " and " << j;
        }
    }
}

// Every ball has D supports (others that are lower, walls), or lies on the floor.
template <int D>
void expect_supported(const Simulation<D>& simulation)
{
    const auto& position = simulation.bodies.position;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const double radius = radius_of(simulation, i), slack = 1e-8 * radius;
        if (position[i][D - 1] < radius + slack) continue;
        int supports = 0;
        for (int axis = 0; axis + 1 < D; ++axis) {
            supports += position[i][axis] < radius + slack || position[i][axis] > 1 - radius - slack;
        }
        for (std::size_t j = 0; j < position.size(); ++j) {
            const double gap = (position[i] - position[j]).norm() - radius - radius_of(simulation, j);
            supports += j != i && gap < slack;
        }
        EXPECT_GE(supports, D) << "grain " << i;
    }
}

// Share of the middle of the box that is solid, by a fixed lattice of points.
template <int D>
double solid_fraction(const Simulation<D>& simulation, double top)
{
    BallCells<D> cells(0.2);
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        cells.add({simulation.bodies.position[i], radius_of(simulation, i)});
    }
    Random random(1);
    int solid = 0;
    constexpr int points = 40000;
    for (int k = 0; k < points; ++k) {
        Vec<D> point;
        for (int axis = 0; axis < D; ++axis) point[axis] = random.uniform(0.2, axis == D - 1 ? top : 0.8);
        bool inside = false;
        cells.visit_near(
            point, [&](const PlacedBall<D>& ball) { inside = inside || (ball.position - point).norm() < ball.radius; });
        solid += inside;
    }
    return double(solid) / points;
}

TEST(Deposit, GrainsRestOnOthersOrTheFloorWithoutOverlap)
{
    const auto flat = simulation_of<2>(pile<2>("radius = [0.01, 0.02]\ncount = 600\n"));
    EXPECT_EQ(flat.bodies.size(), 600u);
    expect_apart_and_within(flat);
    expect_supported(flat);
    const auto space = simulation_of<3>(pile<3>("radius = [0.04, 0.06]\ncount = 600\n"));
    EXPECT_EQ(space.bodies.size(), 600u);
    expect_apart_and_within(space);
    expect_supported(space);
}

// drop and roll: 0.82 in 2D and 0.58 in 3D far from walls (Visscher and Bolsterli 1972); looser near them
TEST(Deposit, IsAsDenseAsGrainsThatRollIntoPlace)
{
    const double flat = solid_fraction(simulation_of<2>(pile<2>("radius = [0.009, 0.011]\n")), 0.8);
    EXPECT_GT(flat, 0.78);
    EXPECT_LT(flat, 0.84);
    const double space = solid_fraction(simulation_of<3>(pile<3>("radius = [0.027, 0.033]\n")), 0.8);
    EXPECT_GT(space, 0.53);
    EXPECT_LT(space, 0.61);
}

TEST(Deposit, GrainsOfOneSizeInANarrowBoxStandOnEachOther)
{
    const std::string scene = pile<3>("radius = 0.05\n");
    auto tower = simulation_of<3>(scene, {"generators[0].upper=[0.1,0.1,1]"});
    ASSERT_EQ(tower.bodies.size(), 10u);
    for (int k = 0; k < 10; ++k) EXPECT_NEAR(tower.bodies.position[k][2], 0.05 + 0.1 * k, 1e-9);
}

TEST(Deposit, KeepsTheGapAskedFor)
{
    const auto loose = simulation_of<2>(pile<2>("radius = [0.02, 0.03]\ngap = 0.2\ncount = 200\n"));
    expect_apart_and_within(loose, 1.2);
    EXPECT_LT(solid_fraction(loose, 0.4), 0.84 / 1.44);
}

TEST(Deposit, FillsTheBoxAndRefusesMore)
{
    const auto full = simulation_of<2>(pile<2>("radius = 0.05\n"));
    EXPECT_GT(full.bodies.size(), 70u);
    EXPECT_LT(full.bodies.size(), 116u) << "not even the densest packing";
    EXPECT_TRUE(
        has(refusal<2>(pile<2>("radius = 0.05\ncount = 200\n")), "generators[0].count = 200: the box is full after "));
    EXPECT_TRUE(has(refusal<3>(pile<3>("radius = 0.6\n")), "less than the largest grain"));
    EXPECT_TRUE(has(refusal<3>(pile<3>("radius = 1e-5\n")), "holds more than 1e+09 grains"));
}

TEST(Deposit, IsTheSameForTheSameSeed)
{
    const std::string scene = pile<3>("shape = \"polyhedron\"\nsize = [0.04, 0.06]\ncount = 60\n");
    EXPECT_EQ(simulation_of<3>(scene).state_hash(), simulation_of<3>(scene).state_hash());
    EXPECT_NE(simulation_of<3>(scene).state_hash(), simulation_of<3>(scene, {"scene.seed=9"}).state_hash());
}

} // namespace
} // namespace talus
