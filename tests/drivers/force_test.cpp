// Forces: a lid under pressure finds its balance, an alternating force gives its impulse, drag decays.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

template <int D>
std::string pressed_grain(const std::string& solver = "[solver]\ntolerance = 1e-12\n")
{
    const bool flat = D == 2;
    const auto vector = [&](const std::string& last) { return flat ? "[0, " + last + "]" : "[0, 0, " + last + "]"; };
    return "[scene]\ndimension = " + std::to_string(D) +
           "\ndt = \"1 ms\"\nduration = 1\n[materials.steel]\ndensity = 7850\n" + "[contact]\nfriction = 0.3\n" +
           "[[bodies]]\nname = \"floor\"\nshape = \"half_space\"\nmotion = \"fixed\"\nmaterial = \"steel\"\nnormal = " +
           vector("1") + "\n[[bodies]]\nname = \"grain\"\nshape = " + (flat ? "\"disk\"" : "\"sphere\"") +
           "\nradius = \"1 cm\"\nmaterial = \"steel\"\nposition = " + vector("0.01") +
           "\n[[bodies]]\nname = \"lid\"\nshape = \"half_space\"\nmass = 5\nmaterial = \"steel\"\nmotion = [\"" +
           (flat ? "y" : "z") + "\"]\nnormal = " + vector("-1") + "\nposition = " + vector("0.021") +
           "\n[[drivers]]\ntype = \"force\"\nbody = \"lid\"\nforce = " + vector("-100") + "\n" + solver;
}

template <int D>
void expect_lid_in_balance()
{
    auto simulation = simulation_of<D>(pressed_grain<D>());
    advance(simulation, 0.5);
    const int up = D - 1;
    EXPECT_NEAR(simulation.bodies.velocity[2][up], 0, 1e-9);
    EXPECT_NEAR(simulation.bodies.reaction[2][up], 100, 1e-6) << "what the grain gives is what was laid on";
    EXPECT_NEAR(simulation.bodies.reaction[0][up], -100, 1e-6) << "and the floor bears it";
    EXPECT_NEAR(simulation.bodies.position[2][up], 0.02, 1e-5) << "one diameter above the floor";
    EXPECT_EQ(simulation.bodies.position[2][0], 0) << "it slides along one axis only";
    EXPECT_EQ(simulation.bodies.velocity[2][0], 0);
}

TEST(Force, LidUnderAForceComesToBalanceOnADisk) { expect_lid_in_balance<2>(); }
TEST(Force, LidUnderAForceComesToBalanceOnASphere) { expect_lid_in_balance<3>(); }

std::string free_disk(const std::string& rest)
{
    return "[scene]\ndimension = 2\ndt = \"0.1 ms\"\nduration = 1\n[materials.steel]\ndensity = 7850\n[[bodies]]\n"
           "name = \"grain\"\nshape = \"disk\"\nradius = 0.1\nmass = 2\nvelocity = [3, 0]\nspin = 5\n"
           "material = \"steel\"\n" +
           rest;
}

TEST(Force, ConstantForceAndTorqueAccelerate)
{
    auto simulation = simulation_of<2>(free_disk("[[drivers]]\ntype = \"force\"\nbody = \"grain\"\nforce = [0, "
                                                 "4]\ntorque = \"0.02 N m\"\nfrom = 0.1\nuntil = 0.4\n"));
    advance(simulation, 0.5);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 3, 1e-12);
    EXPECT_NEAR(simulation.bodies.velocity[0][1], 4 * 0.3 / 2, 1e-11);
    EXPECT_NEAR(simulation.bodies.spin[0][0], 5 + 0.02 * 0.3 / (0.5 * 2 * 0.01), 1e-11);
    const double kinetic = simulation.kinetic_energy() - 0.5 * 2 * 9 - 0.5 * 0.01 * 25;
    EXPECT_NEAR(simulation.energy.load_work, kinetic, 1e-10);
}

// the force is taken at the middle of the step: the error of the impulse is (2πfh)²/24 of it
TEST(Force, AlternatingForceGivesItsImpulse)
{
    const double frequency = 10, phase = 0.7, amplitude = 50;
    auto simulation = simulation_of<2>(free_disk(
        "[[drivers]]\ntype = \"force\"\nbody = \"grain\"\nforce = [0, 50]\nfrequency = \"10 Hz\"\nphase = 0.7\n"));
    const double pulsation = 2 * M_PI * frequency;
    const double scale = amplitude / pulsation / 2;
    for (int step = 0; step < 2000; ++step) {
        simulation.step();
        const double exact = scale * (std::cos(phase) - std::cos(pulsation * simulation.clock.time() + phase));
        EXPECT_NEAR(simulation.bodies.velocity[0][1], exact, 2 * scale * std::pow(pulsation * 1e-4, 2) / 24 + 1e-12);
    }
}

double speed_after_drag(double dt)
{
    auto simulation = simulation_of<2>(free_disk("[[drivers]]\ntype = \"drag\"\ncoefficient = 4\n"),
                                       {"scene.dt=" + std::to_string(dt)});
    advance(simulation, 0.5);
    return simulation.bodies.velocity[0][0];
}

TEST(Drag, DecaysToFirstOrderInTheTimeStep)
{
    const double exact = 3 * std::exp(-4 * 0.5 / 2);
    const double coarse = speed_after_drag(0.01) - exact, fine = speed_after_drag(0.005) - exact;
    EXPECT_LT(std::abs(coarse), 0.02 * exact);
    EXPECT_NEAR(coarse / fine, 2, 0.1) << "half the step, half the error";
    EXPECT_NEAR(speed_after_drag(0.01), 3 / std::pow(1 + 4 * 0.01 / 2, 50), 1e-12) << "the force is that of the end";
}

// c h of 0.02 to 2e4 masses: no overshoot, and in the end a fall at m g/c + g h, the speed of balance to first order
TEST(Drag, OfAnyStrengthEndsAtTheSpeedOfBalance)
{
    const double dt = 0.01;
    const std::string gravity = "[[drivers]]\ntype = \"gravity\"\n";
    for (const double coefficient : {4.0, 400.0, 4e6}) {
        const std::string drag =
            "[[drivers]]\ntype = \"drag\"\nrotational = 3e5\ncoefficient = " + std::to_string(coefficient) + "\n";
        for (const std::string& drivers : {drag + gravity, gravity + drag}) {
            auto simulation = simulation_of<2>(free_disk(drivers), {"scene.dt=0.01"});
            double before = 3;
            for (int step = 0; step < 2000; ++step) {
                simulation.step();
                const double sideways = simulation.bodies.velocity[0][0];
                EXPECT_TRUE(sideways >= 0 && sideways <= before) << coefficient;
                before = sideways;
            }
            EXPECT_NEAR(simulation.bodies.velocity[0][1], -9.81 * (2 / coefficient + dt), 1e-9); // 2 kg
            EXPECT_NEAR(simulation.bodies.spin[0][0], 0, 1e-12);
            EXPECT_NEAR(simulation.energy_imbalance(), 0, 1e-9 * simulation.energy.start);
        }
    }
}

TEST(Drag, SlowsRotationsToo)
{
    auto simulation = simulation_of<2>(free_disk("[[drivers]]\ntype = \"drag\"\ncoefficient = 0\nrotational = 0.05\n"));
    advance(simulation, 0.2);
    EXPECT_NEAR(simulation.bodies.spin[0][0], 5 * std::exp(-0.05 * 0.2 / 0.01), 5e-4);
    EXPECT_EQ(simulation.bodies.velocity[0][0], 3);
}

} // namespace
} // namespace talus
