// Magnetic dipoles: energy of a chain, forces and torques against the energy, balance, the cut-off, what is refused.
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"

#include <fmt/format.h>

namespace talus {
namespace {

constexpr double mu0_over_4pi = 1e-7; // [T m/A]

template <int D>
std::string vector(double along, double z = 0)
{
    return D == 2 ? fmt::format("[{}, 0]", along) : fmt::format("[{}, 0, {}]", along, z);
}

template <int D>
std::string start(const std::string& method, double dt)
{
    return fmt::format("[scene]\ndimension = {}\nmethod = \"{}\"\ndt = {}\nduration = 1\n[materials.iron]\ndensity = "
                       "7800\n[contact]\nfriction = 0\nrestitution = 1\n",
                       D, method, dt) +
           (method == "dem" ? "[dem]\nstiffness = 10\n" : "");
}

// Magnets at random places and in random directions, not in contact; the first is fixed.
template <int D>
std::string cloud(const std::string& driver, const std::string& method = "nscd", double dt = 1e-4)
{
    const std::string ball = D == 2 ? "disk" : "sphere";
    return start<D>(method, dt) +
           fmt::format("[[bodies]]\nname = \"fixed\"\nshape = \"{}\"\nradius = 0.01\nposition = {}\nmotion = "
                       "\"fixed\"\nmaterial = \"iron\"\nmass = 1\n",
                       ball, vector<D>(-0.05, 0.01)) +
           fmt::format("[[generators]]\nname = \"free\"\ntype = \"lattice\"\nradius = 0.01\nspacing = 0.05\njitter = "
                       "0.4\ncount = 8\nmaterial = \"iron\"\nlower = {}\nupper = {}\n",
                       D == 2 ? "[0, 0]" : "[0, 0, 0]", D == 2 ? "[0.15, 0.15]" : "[0.1, 0.1, 0.1]") +
           "[[drivers]]\ntype = \"dipoles\"\nseed = 3\n" + driver +
           fmt::format("groups = [{{ body = \"fixed\", moment = {} }}, {{ body = \"free\", moment = {}, directions = "
                       "\"random\" }}]\n",
                       vector<D>(D == 2 ? 1.5 : 0.15), vector<D>(D == 2 ? 3 : 0.3));
}

template <int D>
void load_dipoles(Simulation<D>& simulation)
{
    clear_loads(simulation.bodies);
    simulation.add_loads({0, 0});
}

// N balls in a row, moments along it: U = −2 μ₀M²/(4π d³) Σ_k (N − k)/k³; across it: half of that, and positive.
template <int D>
void expect_energy_of_a_chain()
{
    const double moment = 0.7, diameter = 0.02;
    const int count = 12;
    double sum = 0;
    for (int k = 1; k < count; ++k) sum += (count - k) / std::pow(k, 3);
    const double unit = mu0_over_4pi * moment * moment / std::pow(diameter, 3);
    for (const bool along : {true, false}) {
        std::string text = start<D>("nscd", 1e-3);
        text += fmt::format("[[generators]]\nname = \"chain\"\ntype = \"lattice\"\nradius = 0.01\nspacing = "
                            "0.02\nmaterial = \"iron\"\nlower = {}\nupper = {}\n",
                            D == 2 ? "[0, 0]" : "[0, 0, 0]",
                            D == 2 ? "[0.2400001, 0.0200001]" : "[0.2400001, 0.0200001, 0.0200001]");
        text += fmt::format("[[drivers]]\ntype = \"dipoles\"\nalpha = 1e-6\ngroups = [{{ body = \"chain\", moment = {} "
                            "}}]\n", // as far as 31 diameters: nothing is cut off
                            along    ? vector<D>(moment)
                            : D == 2 ? "[0, 0.7]"
                                     : "[0, 0.7, 0]");
        auto simulation = simulation_of<D>(text);
        ASSERT_EQ(simulation.bodies.size(), std::size_t(count));
        const double exact = (along ? -2 : 1) * unit * sum;
        EXPECT_NEAR(simulation.potential_energy(), exact, 1e-12 * std::abs(exact));
    }
}
TEST(Dipoles, EnergyOfAChainIsItsClosedForm)
{
    expect_energy_of_a_chain<2>();
    expect_energy_of_a_chain<3>();
}

template <int D>
void expect_loads_are_the_gradient(const std::string& driver)
{
    auto simulation = simulation_of<D>(cloud<D>(driver));
    BodyTable<D>& bodies = simulation.bodies;
    Random random(5);
    for (std::size_t i = 0; i < bodies.size(); ++i) { // moments turn with their bodies
        Ang<D> turn;
        for (int axis = 0; axis < angular<D>; ++axis) turn[axis] = random.uniform(-3, 3);
        bodies.orientation[i] = Rotation<D>::from_vector(turn);
    }
    load_dipoles(simulation);
    const auto force = bodies.force;
    const auto torque = bodies.torque;
    const double h = 1e-6;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        for (int axis = 0; axis < D; ++axis) {
            const Vec<D> before = bodies.position[i];
            const auto energy_at = [&](double shift) {
                bodies.position[i] = before + shift * Vec<D>::Unit(axis);
                return simulation.potential_energy();
            };
            EXPECT_NEAR(force[i][axis], -(energy_at(h) - energy_at(-h)) / (2 * h), 1e-6 * force[i].norm());
            bodies.position[i] = before;
        }
        for (int axis = 0; axis < angular<D>; ++axis) {
            const Rotation<D> before = bodies.orientation[i];
            const auto energy_at = [&](double angle) {
                bodies.orientation[i] = before.turned(Ang<D>(angle * Ang<D>::Unit(axis)));
                return simulation.potential_energy();
            };
            EXPECT_NEAR(torque[i][axis], -(energy_at(h) - energy_at(-h)) / (2 * h), 1e-6 * torque[i].norm());
            bodies.orientation[i] = before;
        }
    }
}
TEST(Dipoles, ForcesAndTorquesAreTheGradientOfTheEnergy)
{
    for (const std::string driver : {"alpha = 1e-6\n", "alpha = 0.01\n"}) {
        expect_loads_are_the_gradient<2>(driver);
        expect_loads_are_the_gradient<3>(driver);
    }
    expect_loads_are_the_gradient<2>("field = [0.01, \"20 mT\"]\n");
    expect_loads_are_the_gradient<3>("field = [0.01, \"20 mT\", 0.003]\n");
}

// Σ F = 0 and Σ (x × F + torque) = 0: only both together balance, neither pair forces nor torques alone are central.
template <int D>
void expect_balance()
{
    auto simulation = simulation_of<D>(cloud<D>("alpha = 1e-3\n"), {"bodies[0].motion=\"free\""});
    load_dipoles(simulation);
    Vec<D> force = Vec<D>::Zero();
    Ang<D> spin = Ang<D>::Zero(), orbit = Ang<D>::Zero();
    double size = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        force += simulation.bodies.force[i];
        orbit += moment(simulation.bodies.position[i], simulation.bodies.force[i]);
        spin += simulation.bodies.torque[i];
        size += simulation.bodies.force[i].norm();
    }
    EXPECT_LT(force.norm(), 1e-13 * size);
    EXPECT_LT((orbit + spin).norm(), 1e-13 * size);
    EXPECT_GT(spin.norm(), 1e-4 * size);
}
TEST(Dipoles, ForcesAndTorquesOfAllBodiesBalance)
{
    expect_balance<2>();
    expect_balance<3>();
}

TEST(Dipoles, NothingIsFeltBeyondTheCutOff)
{
    for (const double alpha : {0.1, 0.01, 1e-4}) {
        const double reach = 0.025 * std::pow(alpha, -0.25); // radii of 1 and 1.5 cm
        for (const double factor : {0.999, 1.001}) {
            const auto body = [&](const char* name, double radius, double x) {
                return fmt::format("[[bodies]]\nname = \"{}\"\nshape = \"disk\"\nradius = {}\nposition = [{}, "
                                   "0]\nmaterial = \"iron\"\n",
                                   name, radius, x);
            };
            auto simulation = simulation_of<2>(
                start<2>("nscd", 1e-3) + body("a", 0.01, 0) + body("b", 0.015, factor * reach) +
                fmt::format("[[drivers]]\ntype = \"dipoles\"\nalpha = {}\ngroups = [{{ body = \"a\", moment = [1, 0] "
                            "}}, {{ body = \"b\", moment = [0, 1] }}]\n",
                            alpha));
            load_dipoles(simulation);
            EXPECT_EQ(simulation.bodies.force[0].norm() > 0, factor < 1) << alpha;
            EXPECT_EQ(simulation.bodies.torque[1].norm() > 0, factor < 1) << alpha;
        }
    }
}

// A needle in a uniform field swings: for small angles with the period 2π √(I/(M B)).
TEST(Dipoles, NeedleInAFieldSwingsWithItsPeriod)
{
    for (const std::string method : {"nscd", "dem"}) {
        auto simulation =
            simulation_of<2>(start<2>(method, 1e-3) +
                             "[[bodies]]\nname = \"needle\"\nshape = \"disk\"\nradius = 0.01\nmass = "
                             "1\nrotation = 0.01\nmaterial = \"iron\"\n[[drivers]]\ntype = \"dipoles\"\nfield = "
                             "[\"0.1 T\", 0]\ngroups = [{ body = \"needle\", moment = [0.05, 0] }]\n");
        const double inertia = 0.5 * 1 * 1e-4, period = 2 * M_PI * std::sqrt(inertia / (0.05 * 0.1));
        const double start = simulation.potential_energy();
        EXPECT_NEAR(start, -0.005 * std::cos(0.01), 1e-15);
        double before = 0.01, crossing = 0;
        for (int step = 0; crossing == 0 && step < 100000; ++step) {
            simulation.step();
            const double now = simulation.bodies.orientation[0].angle();
            if (before > 0 && now <= 0) crossing = simulation.clock.time() - 1e-3 * now / (now - before);
            before = now;
        }
        // the step is a six hundredth of a period, the amplitude 0.01: both give parts of 1e-5
        EXPECT_NEAR(crossing, period / 4, 3e-5 * period) << method;
        EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-4 * 0.5 * 0.005 * 1e-4) << method;
    }
}

// In 3D the moments of balls turn about any axis, also where smooth contact divides a step of the clock.
template <int D>
void expect_ledger_of_dipoles(const std::string& method)
{
    const auto imbalance = [&](double dt) {
        auto simulation = simulation_of<D>(cloud<D>("alpha = 1e-6\n", method, dt));
        double worst = 0, kinetic = 0;
        while (simulation.clock.time() < 0.2) {
            simulation.step();
            worst = std::max(worst, std::abs(simulation.energy_imbalance()));
            kinetic = std::max(kinetic, simulation.kinetic_energy());
        }
        EXPECT_GT(kinetic, 0);
        EXPECT_EQ(simulation.energy.impact, 0) << "no contacts in this test";
        return worst / kinetic;
    };
    const double coarse = imbalance(2e-3), fine = imbalance(1e-3);
    EXPECT_LT(coarse, 0.02) << method;
    EXPECT_NEAR(coarse / fine, 4, 0.6) << method << ": half the step, a quarter of the error";
}
TEST(Dipoles, LedgerClosesToSecondOrder)
{
    for (const std::string method : {"nscd", "dem"}) {
        expect_ledger_of_dipoles<2>(method);
        expect_ledger_of_dipoles<3>(method);
    }
}
TEST(Dipoles, MomentsTurnWithinAStepOfTheClock)
{
    // forty steps of the integrator in one of the clock, or one in each: the same motion
    auto whole = simulation_of<3>(cloud<3>("alpha = 1e-6\n", "dem", 0.02), {"dem.dt=5e-4"});
    auto parts = simulation_of<3>(cloud<3>("alpha = 1e-6\n", "dem", 5e-4), {"dem.dt=5e-4"});
    advance(whole, 0.2);
    advance(parts, 0.2);
    for (std::size_t i = 0; i < whole.bodies.size(); ++i) {
        EXPECT_NEAR((whole.bodies.position[i] - parts.bodies.position[i]).norm(), 0, 1e-12);
        EXPECT_NEAR((whole.bodies.orientation[i].matrix() - parts.bodies.orientation[i].matrix()).norm(), 0, 1e-10);
    }
}

template <int D>
void expect_same_bits_on_threads()
{
    const int before = thread_count();
    std::uint64_t alone = 0;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        auto simulation = simulation_of<D>(cloud<D>("alpha = 1e-3\n"),
                                           {"generators[0].count=400", D == 2 ? "generators[0].upper=[1.1, 1.1]"
                                                                              : "generators[0].upper=[0.4, 0.4, 0.4]"});
        advance(simulation, 0.005);
        if (threads == 1) alone = simulation.state_hash();
        EXPECT_EQ(simulation.state_hash(), alone) << threads;
    }
    set_thread_count(before);
}
TEST(Dipoles, BitsAreTheSameForAnyNumberOfThreads)
{
    expect_same_bits_on_threads<2>();
    expect_same_bits_on_threads<3>();
}

TEST(Dipoles, RandomDirectionsFollowTheSeed)
{
    const auto energy = [](const std::string& seed) {
        return simulation_of<3>(cloud<3>(""), {"drivers[0].seed=" + seed}).potential_energy();
    };
    EXPECT_EQ(energy("3"), energy("3"));
    EXPECT_NE(energy("3"), energy("4"));
}

TEST(Dipoles, CutOffLargerThanTheBoxIsRefused)
{
    const auto box = [](const std::string& alpha, double upper) {
        return cloud<2>("alpha = " + alpha + "\n") +
               fmt::format("[[generators]]\nname = \"box\"\ntype = \"container\"\nlower = [-0.1, -0.1]\nupper = [{}, "
                           "0.5]\nopen = [\"top\"]\nmaterial = \"iron\"\n",
                           upper);
    };
    const std::string refused = refusal<2>(box("1e-5", 0.2)); // 2 cm × 17.8 in 30 cm
    EXPECT_TRUE(has(refused, "drivers[0].alpha = 1e-05")) << refused;
    EXPECT_TRUE(has(refused, "0.356 m, is larger than the box of 0.3 m: alpha must be at least 1.98e-05")) << refused;
    EXPECT_EQ(refusal<2>(box("2e-5", 0.2)), "");
    EXPECT_EQ(refusal<2>(cloud<2>("alpha = 1e-9\n")), "") << "nothing bounds this one";
}

TEST(Dipoles, AlphaAboveATenthIsRefused)
{
    const std::string refused = refusal<2>(cloud<2>("alpha = 0.2\n"));
    EXPECT_TRUE(has(refused, "drivers[0].alpha = 0.2")) << refused;
    EXPECT_TRUE(has(refused, "(0, 0.1]")) << refused;
}

TEST(Dipoles, WallsCannotBeMagnets)
{
    const std::string refused =
        refusal<2>(start<2>("nscd", 1e-3) + "[[bodies]]\nname = \"floor\"\nshape = \"half_space\"\nnormal = [0, "
                                            "1]\nmotion = \"fixed\"\nmaterial = \"iron\"\n[[drivers]]\ntype = "
                                            "\"dipoles\"\ngroups = [{ body = \"floor\", moment = [1, 0] }]\n");
    EXPECT_TRUE(has(refused, "without bounds")) << refused;
}

} // namespace
} // namespace talus
