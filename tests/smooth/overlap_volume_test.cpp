// dem.overlap = "volume": the push of two solids has a potential in their common volume (docs/smooth.md).
#include "io/made_up_run.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/load.hpp"
#include "talus/math/random_rotation.hpp"
#include "talus/shapes/common_volume.hpp"

#include <fmt/format.h>

#include <fstream>

using namespace talus;

namespace {

constexpr double edge = 0.1; // [m]

struct With {
    std::string dem = "", contact = "restitution = 1\nfriction = 0";
    int dimension = 3;
};

std::string start(const With& with = {})
{
    return piece::start(
               {.dimension = with.dimension, .dt = "1e-3", .more = "method = \"dem\"", .contact = with.contact}) +
           "[dem]\noverlap = \"volume\"\nfastest = 1\nstiffness = 4e6\n" + piece::lines(with.dem);
}

std::string cube(const std::string& keys) { return piece::body("box", "size = [0.1, 0.1, 0.1]\n" + keys); }

std::string at(const Vec<3>& x) { return fmt::format("position = [{}, {}, {}]", x[0], x[1], x[2]); }

// With corner, edge, face, and turned at random.
std::vector<Rotation<3>> attitudes()
{
    std::vector<Rotation<3>> all = {
        {},
        Rotation<3>::from_vector({0.25 * M_PI, 0, 0}),
        Rotation<3>::from_vector(std::acos(1 / std::sqrt(3.0)) * Vec<3>(1, -1, 0).normalized())};
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Random random{seed};
        all.push_back(random_rotation<3>(random));
    }
    return all;
}

constexpr double quarter = 4; // of the step of "auto": what is left is the law's, not the integrator's

constexpr double middle = 0.011, rim = 0.049; // [m] beside the centre of the cube below

// The kinetic energy that a bounce without loss left, over what there was.
double kept_energy(const std::string& below, const Rotation<3>& turn, double beside = middle,
                   const std::string& overlap = "volume")
{
    const std::string dem = fmt::format("damping = \"none\"\ndt = {}", 2.4e-5 / quarter);
    auto simulation = simulation_of<3>(
        start({.dem = dem}) + cube("velocity = [0, 0, -1]\nspin = [3, -2, 1]\nposition = [0, 0, 1]") + below,
        {fmt::format("dem.overlap=\"{}\"", overlap)});
    simulation.bodies.orientation[0] = turn;
    simulation.bodies.position[0] = {beside, 0.007, 0.002 - box<3>({edge, edge, edge}).bounds(turn).lower[2]};
    const double before = simulation.kinetic_energy();
    advance(simulation, 0.02);
    while (simulation.contacts.size() > 0 || std::abs(simulation.bodies.position[0][2]) < edge) {
        simulation.step();
        if (simulation.clock.time() > 1) return -1; // it stays
    }
    return simulation.kinetic_energy() / before;
}

const std::string fixed_cube = cube("position = [0, 0, -0.05]\nmotion = \"fixed\"");

} // namespace

// dV = −u·area − θ·(moment of the area): by differences, for two polyhedra that overlap in a corner.
TEST(OverlapVolume, GradientIsThatOfTheCommonVolume)
{
    const Polytope<3> solid = box<3>({1, 0.8, 0.6});
    const Rotation<3> turn = Rotation<3>::from_vector({0.3, -0.5, 0.8}), other = Rotation<3>::from_vector({-1, 0.2, 0});
    const Vec<3> here(0.1, 0.2, 0.75), there(0, 0, 0);
    const CommonVolume<3> common = common_volume<3>({solid, here, turn}, {solid, there, other});
    ASSERT_GT(common.volume, 1e-3);
    EXPECT_NEAR(common.volume, intersection_volume<3>({solid, here, turn}, {solid, there, other}), 1e-14);
    const Vec<3> moment = Vec<3>(common.point - here).cross(common.area) + common.twist;
    constexpr double h = 1e-5;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec<3> step = h * Vec<3>::Unit(axis);
        const auto volume = [&](double sign, bool turns) {
            const Vec<3> moved = turns ? here : Vec<3>(here + sign * step);
            const Rotation<3> turned = turns ? turn.turned(sign * step) : turn;
            return common_volume<3>({solid, moved, turned}, {solid, there, other}).volume;
        };
        EXPECT_NEAR((volume(1, false) - volume(-1, false)) / (2 * h), -common.area[axis], 1e-8) << axis;
        EXPECT_NEAR((volume(1, true) - volume(-1, true)) / (2 * h), -moment[axis], 1e-8) << axis;
    }
}

TEST(OverlapVolume, KeepsTheEnergyOfABounceOnAFloor)
{
    for (const Rotation<3>& turn : attitudes()) EXPECT_NEAR(kept_energy(piece::floor(3), turn), 1, 1e-6);
}

// A cube on its corner slips over the rim: springs at points jump there, volumes do not.
TEST(OverlapVolume, KeepsTheEnergyOfABounceOnACube)
{
    for (const double beside : {middle, rim}) {
        for (const Rotation<3>& turn : attitudes()) EXPECT_NEAR(kept_energy(fixed_cube, turn, beside), 1, 1e-6);
    }
    EXPECT_GT(std::abs(kept_energy(fixed_cube, attitudes()[2], rim, "points") - 1), 0.01);
}

// Restitution is that of [contact] where a face meets a floor: the dashpot knows the stiffness of the volume.
TEST(OverlapVolume, HasTheRestitutionThatIsAskedFor)
{
    auto simulation = simulation_of<3>(
        start({.dem = "integrator = \"velocity_verlet\"\ndt = 5e-6", .contact = "restitution = 0.5\nfriction = 0"}) +
        cube("velocity = [0, 0, -1]\nposition = [0, 0, 0.0505]") + piece::floor(3));
    advance(simulation, 0.05);
    EXPECT_NEAR(simulation.bodies.velocity[0][2], 0.5, 0.01);
}

TEST(OverlapVolume, KeepsMomentumAndAngularMomentumOfTwoFreeCubes)
{
    auto simulation = simulation_of<3>(
        start({.contact = "restitution = 0.6\nfriction = 0.4"}) +
        cube("velocity = [0, 0, -1]\nspin = [3, -2, 1]\nrotation = [0.4, 0.3, 0.9]\nposition = [0.03, 0.02, 0.17]") +
        cube("rotation = [1, -0.6, 0.2]\nspin = [-1, 4, 2]\nposition = [0, 0, 0]"));
    const auto momentum = [&] {
        Vec<3> sum = Vec<3>::Zero();
        for (int k : {0, 1}) sum += simulation.bodies.mass[k] * simulation.bodies.velocity[k];
        return sum;
    };
    const Vec<3> before = momentum(), angular_before = simulation.angular_momentum();
    const double energy = simulation.kinetic_energy();
    advance(simulation, 0.25);
    ASSERT_EQ(simulation.contacts.size(), 0u);
    EXPECT_LT(simulation.kinetic_energy(), 0.95 * energy) << "they met";
    EXPECT_LT((momentum() - before).norm(), 1e-12 * before.norm());
    // levers are those of the middle of a step
    EXPECT_LT((simulation.angular_momentum() - angular_before).norm(), 1e-6 * angular_before.norm());
}

TEST(OverlapVolume, MirrorImageGivesTheMirrorImage)
{
    const auto end = [&](double sign) {
        auto simulation = simulation_of<3>(
            start({.contact = "restitution = 0.6\nfriction = 0.4"}) +
            cube(fmt::format("velocity = [{0}, 0.1, -1]\nspin = [3, {1}, {2}]\nrotation = [0.4, {3}, {4}]\n",
                             0.2 * sign, -2 * sign, 1 * sign, 0.3 * sign, 0.9 * sign) +
                 at({0.01 * sign, 0.02, 0.12})) +
            fixed_cube);
        advance(simulation, 0.1);
        return simulation.bodies.position[0];
    };
    const Vec<3> right = end(1), left = end(-1);
    EXPECT_NEAR(left[0], -right[0], 1e-9);
    EXPECT_NEAR(left[1], right[1], 1e-9);
    EXPECT_NEAR(left[2], right[2], 1e-9);
}

TEST(OverlapVolume, GivesTheSameBitsOnOneAndTwoThreads)
{
    std::string scene = start({.contact = "restitution = 0.4\nfriction = 0.4"}) + piece::floor(3);
    for (int k = 0; k < 150; ++k) { // more than two chunks of pairs
        scene += cube(fmt::format("velocity = [0, 0, -1]\nrotation = [0.1, {}, 0.3]\n", 0.005 * k) +
                      at({0.16 * (k % 15), 0.16 * (k / 15), 0.085}));
    }
    const int before = thread_count();
    std::uint64_t hash[2];
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        auto simulation = simulation_of<3>(scene);
        advance(simulation, 0.02);
        hash[threads - 1] = simulation.state_hash();
        EXPECT_GT(simulation.contacts.size(), 30u);
    }
    set_thread_count(before);
    EXPECT_EQ(hash[0], hash[1]);
}

// It sinks until 4 k δ is its weight: the stiffness of the four points of a face.
TEST(OverlapVolume, CarriesACubeAtRest)
{
    auto simulation = simulation_of<3>(start({.contact = "restitution = 0.3\nfriction = 0.6"}) +
                                       cube("position = [0, 0, 0.05]") + piece::floor(3) + piece::gravity);
    advance(simulation, 0.5);
    const double weight = 9.81 * simulation.bodies.mass[0];
    EXPECT_LT(simulation.bodies.velocity[0].norm(), 1e-9);
    EXPECT_LT(simulation.bodies.spin[0].norm(), 1e-6);
    EXPECT_NEAR(-simulation.bodies.reaction[1][2], weight, 1e-6 * weight);
    EXPECT_NEAR(0.05 - simulation.bodies.position[0][2], weight / (4 * 4e6), 1e-6 * edge);
}

// The parts of a cluster push one by one.
TEST(OverlapVolume, KeepsTheEnergyOfACluster)
{
    const auto block = [](double x, double z) {
        std::string corners;
        for (int k = 0; k < 8; ++k) {
            corners += fmt::format("[{}, {}, {}],", x + 0.05 * (k & 1), 0.05 * (k >> 1 & 1), z + 0.05 * (k >> 2));
        }
        return "[" + corners + "]";
    };
    auto simulation = simulation_of<3>(
        start({.dem = "damping = \"none\"\ndt = 2e-6"}) +
        piece::body("cluster", fmt::format("parts = [{}, {}, {}]\nrotation = [0.3, 0.5, 0]\nposition = [0, 0, 0.12]\n"
                                           "velocity = [0, 0, -1]\nspin = [1, 5, 0]",
                                           block(0, 0), block(0.05, 0), block(0, 0.05))) +
        piece::floor(3));
    const double before = simulation.kinetic_energy();
    advance(simulation, 0.3);
    ASSERT_EQ(simulation.contacts.size(), 0u);
    EXPECT_GT(simulation.bodies.velocity[0][2], 0);
    EXPECT_NEAR(simulation.kinetic_energy() / before, 1, 1e-4);
}

// Polygons in the same way; the ledger counts what is stored.
TEST(OverlapVolume, KeepsTheEnergyInThePlane)
{
    for (const double turn : {0.0, 0.25 * M_PI, 0.3, 1.1}) {
        auto simulation = simulation_of<2>(start({.dem = "damping = \"none\"\ndt = 5e-6", .dimension = 2}) +
                                           piece::body("box", fmt::format("size = [0.1, 0.1]\nrotation = {}\n"
                                                                          "position = [0.01, 0.075]\nvelocity = [0, "
                                                                          "-1]\nspin = 2",
                                                                          turn)) +
                                           piece::body("box", "size = [0.3, 0.1]\nposition = [0, -0.05]\nmotion = "
                                                              "\"fixed\""));
        const double before = simulation.kinetic_energy();
        advance(simulation, 0.2);
        ASSERT_EQ(simulation.contacts.size(), 0u);
        EXPECT_GT(simulation.bodies.velocity[0][1], 0);
        EXPECT_NEAR(simulation.kinetic_energy() / before, 1, 1e-5) << turn;
        EXPECT_NEAR(simulation.energy_imbalance() / before, 0, 1e-5) << turn;
    }
}

TEST(OverlapVolume, RefusesWhatHasNoPotentialInTheVolume)
{
    const std::string falling = cube("position = [0, 0, 1]") + piece::floor(3);
    const auto refused = [&](const std::string& dem, const std::string& more, const std::string& why) {
        const std::string said = refusal_of([&] {
            io::load_simulation<3>(checked(io::parse_scene(start({.dem = dem}) + falling + more, "test.toml")));
        });
        EXPECT_NE(said.find(why), std::string::npos) << said;
    };
    refused("normal = \"hertz\"\nhertz_stiffness = 1e7\ntangential = \"none\"", "",
            "goes with dem.normal = \"spring\" only");
    refused("cohesion = \"short_range\"\ncohesion_force = 1\ncohesion_range = 1e-4", "",
            "goes with dem.cohesion = \"none\" only");
    const io::Scratch scratch;
    std::ofstream(scratch / "wall.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    refused("",
            piece::body("mesh", fmt::format("file = \"{}\"\nmotion = \"fixed\"\nposition = [0, 0, 3]",
                                            (scratch / "wall.obj").string())),
            "knows no volume of a mesh");
}
