// Walls that turn in themselves, as the caps of a drum: neighbours stay the same.
#include "scenes_in_tests.hpp"
#include "talus/simulation/smooth_dem.hpp"

namespace talus {
namespace {

int lists_made(const std::string& spin)
{
    auto simulation = simulation_of<3>(
        "[scene]\ndimension = 3\nmethod = \"dem\"\ndt = \"1 ms\"\nduration = 1\n[materials]\nrock = { density = 2500 "
        "}\n"
        "[contact]\nrestitution = 0.5\n[dem]\nstiffness = 1e5\n"
        "[[bodies]]\nshape = \"sphere\"\nradius = \"1 cm\"\nposition = [0, 0, \"2 cm\"]\nmaterial = \"rock\"\n"
        "[[bodies]]\nname = \"cap\"\nshape = \"half_space\"\nnormal = [0, 0, 1]\nmotion = \"fixed\"\nmaterial = "
        "\"rock\"\n"
        "[[drivers]]\ntype = \"velocity\"\nbody = \"cap\"\nspin = " +
        spin + "\n");
    advance(simulation, 0.01);
    return dynamic_cast<const SmoothDem<3>&>(*simulation.engine).forces.lists_made();
}

TEST(TurningWalls, AHalfSpaceThatTurnsAboutItsNormalKeepsTheListsOfNeighbours)
{
    EXPECT_LE(lists_made("[0, 0, 2]"), 2);
    EXPECT_GT(lists_made("[0.1, 0, 0]"), 10) << "one that tilts may reach anything";
}

} // namespace
} // namespace talus
