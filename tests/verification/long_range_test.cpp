// Forces of long range with known answers: V27 (dipoles), V28 (comet), Kepler's third law, V30 (mean field and tree).
#include "benchmarks/long_range_clouds.hpp"
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

constexpr double au = 1.495978707e11, year = 365.25 * 86400; // [m], [s]

// The force on the second of two dipoles of 1 A m², the first at the origin, the second `distance` along x.
template <int D>
Vec<D> dipole_force(double distance, const std::string& moment)
{
    const auto body = [&](const char* name, double x) {
        return fmt::format("[[bodies]]\nname = \"{}\"\nshape = \"{}\"\nradius = 0.01\nposition = {}\nmaterial = "
                           "\"iron\"\n",
                           name, D == 2 ? "disk" : "sphere",
                           D == 2 ? fmt::format("[{}, 0]", x) : fmt::format("[{}, 0, 0]", x));
    };
    auto simulation = simulation_of<D>(
        fmt::format("[scene]\ndimension = {}\ndt = 1e-3\nduration = 1\n[materials.iron]\ndensity = 7800\n", D) +
        body("a", 0) + body("b", distance) +
        fmt::format("[[drivers]]\ntype = \"dipoles\"\nalpha = 1e-8\ngroups = [{{ body = \"a\", moment = {0} }}, {{ "
                    "body = \"b\", moment = {0} }}]\n",
                    moment));
    simulation.add_loads({0, 0});
    EXPECT_EQ(simulation.bodies.force[0], -simulation.bodies.force[1]);
    return simulation.bodies.force[1];
}

template <int D>
void expect_v27()
{
    const std::string along = D == 2 ? "[1, 0]" : "[1, 0, 0]", across = D == 2 ? "[0, 1]" : "[0, 1, 0]";
    const Vec<D> x = Vec<D>::Unit(0);
    EXPECT_LT((dipole_force<D>(0.1, along) + 6e-3 * x).norm(), 1e-12 * 6e-3) << "coaxial dipoles attract";
    EXPECT_LT((dipole_force<D>(0.1, across) - 3e-3 * x).norm(), 1e-12 * 3e-3) << "side by side they repel";
    for (const double distance : {0.05, 0.2, 0.4}) {
        const double ratio = std::pow(0.1 / distance, 4);
        EXPECT_LT((dipole_force<D>(distance, along) + ratio * 6e-3 * x).norm(), 1e-12 * ratio * 6e-3);
    }
}

struct Orbit {
    double period = 0, fastest = 0, slowest = 1e300; // [s], [m/s]
};

// Bodies start on the positive x axis and move up: a period ends when they cross it upwards again.
std::vector<Orbit> orbits(Simulation<2> simulation, double until)
{
    const BodyTable<2>& bodies = simulation.bodies;
    std::vector<Orbit> found(bodies.size());
    std::vector<double> before(bodies.size(), 0);
    while (simulation.clock.time() < until) {
        simulation.step();
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            const double y = bodies.position[i][1], speed = bodies.velocity[i].norm();
            const bool crosses = before[i] < 0 && y >= 0;
            if (crosses && found[i].period == 0) {
                found[i].period = simulation.clock.time() - simulation.clock.dt * y / (y - before[i]);
            }
            found[i].fastest = std::max(found[i].fastest, speed);
            found[i].slowest = std::min(found[i].slowest, speed);
            before[i] = y;
        }
    }
    return found;
}

} // namespace

TEST(V27Dipoles, AttractAndRepelWithTheForcesOfTheFormula)
{
    expect_v27<2>();
    expect_v27<3>();
}

// the step is a twenty-thousandth of the period, a 600th of the passage at the sun: its error is of the order of 1e-6
TEST(V28Comet, ComesBackAfterAYearWithTheSpeedsOfItsOrbit)
{
    for (const std::vector<std::string>& sets :
         {std::vector<std::string>{}, {"scene.method=\"dem\"", "dem.fastest=100", "contact.restitution=1"}}) {
        const Orbit comet = orbits(library_simulation<2>("forces/comet", sets), 1.01 * year)[1];
        EXPECT_NEAR(comet.period / year, 1, 1e-4);
        EXPECT_NEAR(comet.fastest * year / au, 27.388, 1e-4 * 27.388);
        EXPECT_NEAR(comet.slowest * year / au, 1.4415, 1e-4 * 1.4415);
    }
}

TEST(Kepler, PeriodsGoAsThePowerThreeHalvesOfTheAxes)
{
    const std::vector<Orbit> planets = orbits(library_simulation<2>("forces/kepler"), 4.01 * year);
    EXPECT_NEAR(planets[1].period / year, 1, 1e-6);
    EXPECT_NEAR(planets[2].period / year, 2, 2e-6);
    EXPECT_NEAR(planets[3].period / year, 4, 4e-6);
}

// Two masses of any ratio go round each other in 2π √(a³/(G (m₁ + m₂))).
TEST(Kepler, TwoBodiesGoRoundTheirCommonCentre)
{
    const double period = 2 * M_PI / std::sqrt(0.01 * 3); // a = 1 m, G = 0.01, 3 kg
    const double speed = 2 * M_PI / period;
    const auto body = [&](double mass, double x, double v) {
        return fmt::format("[[bodies]]\nshape = \"sphere\"\nradius = 0.05\nmass = {}\nposition = [{}, 0, 0]\nvelocity "
                           "= [0, {}, 0]\nmaterial = \"rock\"\n",
                           mass, x, v);
    };
    auto simulation = simulation_of<3>(
        fmt::format("[scene]\ndimension = 3\ndt = {}\nduration = 100\n[materials.rock]\ndensity = 3000\n",
                    period / 10000) +
        body(2, -1.0 / 3, -speed / 3) + body(1, 2.0 / 3, speed * 2 / 3) +
        "[[drivers]]\ntype = \"gravitation\"\nconstant = 0.01\n");
    const Vec<3> place = simulation.bodies.position[1];
    const Ang<3> angular_momentum = simulation.angular_momentum();
    advance(simulation, period);
    EXPECT_LT((simulation.bodies.position[1] - place).norm(), 1e-6 * 2 * M_PI * 2 / 3); // along the circle
    EXPECT_LT((simulation.angular_momentum() - angular_momentum).norm(), 1e-12 * angular_momentum.norm());
    EXPECT_LT(simulation.momentum().norm(), 1e-12 * speed);
}

namespace {

// What docs/long-range.md states of 10 000 charges that fill a cube or a square.
template <int D>
void expect_v30(bool both_signs)
{
    const Sources<D> cloud = random_cloud<D>(10000, both_signs, 1);
    const Felt<D> exact = felt_by(direct_sum<D>(), cloud);
    const double exact_energy = energy_of(cloud, exact);
    double energy_scale = 0;
    for (std::size_t k = 0; k < cloud.size(); ++k) {
        energy_scale += 0.5 * std::abs(cloud.strength[k] * exact.potential[k]);
    }
    std::vector<double> errors;
    for (const double angle : {0.8, 0.4, 0.2}) {
        const Felt<D> felt = felt_by(tree_of_cells<D>(angle), cloud);
        errors.push_back(force_error(cloud, felt, exact));
        EXPECT_LT(errors.back(), (both_signs ? 0.05 : 0.02) * std::pow(angle, 3)) << angle;
        EXPECT_LT(std::abs(energy_of(cloud, felt) - exact_energy), 0.02 * std::pow(angle, 3) * energy_scale);
    }
    EXPECT_LT(errors[1], errors[0] / 5) << "half the angle, at most a fifth of the error";
    EXPECT_LT(errors[2], errors[1] / 5);
    // larger cells have more neighbours that are taken exactly, and more cells are far from what they stand for
    const double large = force_error(cloud, felt_by(effective_cells<D>(1.0 / 4), cloud), exact);
    const double middle = force_error(cloud, felt_by(effective_cells<D>(1.0 / 8), cloud), exact);
    const double small = force_error(cloud, felt_by(effective_cells<D>(1.0 / 16), cloud), exact);
    EXPECT_LT(large, middle);
    EXPECT_LT(middle, small);
    EXPECT_LT(small, 0.5);
}

} // namespace

TEST(V30MeanField, ErrorsOfOneSignFallAsTheDocumentationStates)
{
    expect_v30<2>(false);
    expect_v30<3>(false);
}
TEST(V30MeanField, ErrorsOfBothSignsFallAsTheDocumentationStates)
{
    expect_v30<2>(true);
    expect_v30<3>(true);
}

// --- the scenes of scenes/forces/

TEST(MagneticChain, HangsTogetherWhileItIsShaken)
{
    auto simulation = library_simulation<3>("forces/magnetic-chain");
    advance(simulation, 0.5);
    const std::vector<Vec<3>>& place = simulation.bodies.position; // the hook, and the chain from below
    const std::size_t last = place.size() - 1;
    double swing = 0;
    for (std::size_t i = 1; i <= last; ++i) {
        const Vec<3>& above = place[i < last ? i + 1 : 0];
        EXPECT_NEAR((above - place[i]).norm(), 5e-3, 1e-6) << i;
        swing = std::max(swing, std::abs(place[i][0]));
    }
    EXPECT_GT(swing, 1e-4);
    EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-2 * std::abs(simulation.energy.driver_work));
}

// In units of μ₀M²/(4π d³) a dipole of the endless lattice has −2.55 in the ground state; those at a wall have less.
TEST(MagneticLattice, TurnsIntoRows)
{
    for (const char* seed : {"drivers[0].seed=1", "drivers[0].seed=2"}) {
        auto simulation = library_simulation<2>("forces/magnetic-lattice", {seed});
        const double unit = 1e-7 * 0.02 * 0.02 / std::pow(5e-3, 3);
        advance(simulation, 1);
        const double each = simulation.potential_energy() / (64 * unit);
        EXPECT_GT(each, -2.55) << seed;
        EXPECT_LT(each, -2.1) << seed;
        EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-3 * 64 * unit) << seed;
    }
}

template <int D>
void expect_steps(const std::string& scene, const std::vector<std::string>& sets)
{
    auto simulation = library_simulation<D>(scene, sets);
    for (int step = 0; step < 5; ++step) EXPECT_EQ(simulation.step().non_finite, -1) << scene;
    EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-3 * std::abs(simulation.energy.start)) << scene;
}
TEST(ScenesOfForces, HoldAtOtherSizesAndSeeds)
{
    expect_steps<3>("forces/magnetic-chain", {"generators[0].lower=[-0.0025, -0.0025, -0.1]"});
    expect_steps<2>("forces/magnetic-lattice",
                    {"generators[0].upper=[0.06, 0.05]", "generators[1].upper=[0.06, 0.05]", "drivers[0].seed=9"});
    expect_steps<2>("forces/dipoles-assemble", {"scene.seed=4", "drivers[0].seed=4", "generators[1].count=40"});
    expect_steps<3>("forces/charged-cloud",
                    {"scene.seed=4", "generators[1].count=500", "generators[2].count=100", "drivers[0].angle=0.3"});
}
