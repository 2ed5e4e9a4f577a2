// From sliding to rolling: V3, V4, V7; and rolling friction.
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

struct Rolling {
    double time = 0, distance = 0, speed = 0;
};

// when the contact point stops sliding: v = −R ω about the axis across
template <int D>
Rolling slide_until_rolling(Simulation<D>& simulation)
{
    const double radius = 0.05;
    for (;;) {
        simulation.step();
        const double turning = D == 2 ? -simulation.bodies.spin[0][0] : simulation.bodies.spin[0][angular<D> / 2];
        const double slip = simulation.bodies.velocity[0][0] - radius * turning;
        if (slip < 1e-9) break;
    }
    return {simulation.clock.time(), simulation.bodies.position[0][0], simulation.bodies.velocity[0][0]};
}

} // namespace

TEST(V3SlideToRoll, SphereRollsAtFiveSeventhsOfItsSpeed)
{
    auto simulation = library_simulation<3>("moreau/slide-to-roll-sphere");
    const Rolling rolling = slide_until_rolling(simulation);
    EXPECT_NEAR(rolling.speed, 5.0 / 7, 1e-3 * 5 / 7);
    EXPECT_NEAR(rolling.time, 2 / (7 * 0.2 * 9.81), 1e-3 * 0.1456);
    EXPECT_NEAR(rolling.distance, 12 / (49 * 0.2 * 9.81), 1e-3 * 0.1248);
    advance(simulation, 0.3);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], rolling.speed, 1e-9); // then it rolls on
}

TEST(V4SlideToRoll, DiskRollsAtTwoThirdsOfItsSpeed)
{
    auto simulation = library_simulation<2>("moreau/slide-to-roll-disk");
    const Rolling rolling = slide_until_rolling(simulation);
    EXPECT_NEAR(rolling.speed, 2.0 / 3, 1e-3 * 2 / 3);
    EXPECT_NEAR(rolling.time, 1 / (3 * 0.2 * 9.81), 1e-3 * 0.1699);
    EXPECT_NEAR(rolling.distance, 5 / (18 * 0.2 * 9.81), 1e-3 * 0.1416);
}

TEST(V7SpinningSphere, LeavesAtTwoSeventhsOfItsRimSpeed)
{
    auto simulation = library_simulation<3>("moreau/slide-to-roll-sphere",
                                            {"bodies[0].velocity=[0,0,0]", "bodies[0].spin=[0,20,0]"}); // R ω = 1 m/s
    advance(simulation, 0.3);
    EXPECT_NEAR(simulation.bodies.velocity[0][0], 2.0 / 7, 1e-3 * 2 / 7);
}

// A grain of 5 cm with a rolling friction of 1 mm, at rest or rolling without slip at 1 m/s: I/(m R²) is 2/5 or 1/2.
template <int D>
double speed_after(double seconds, double first_speed, double slope)
{
    const std::string along = fmt::format("{},{}", slope * 9.81, D == 2 ? "" : "0,");
    auto simulation =
        library_simulation<D>(D == 2 ? "moreau/slide-to-roll-disk" : "moreau/slide-to-roll-sphere",
                              {fmt::format("bodies[0].velocity=[{},{}]", first_speed, D == 2 ? "0" : "0,0"),
                               D == 2 ? fmt::format("bodies[0].spin={}", -first_speed / 0.05)
                                      : fmt::format("bodies[0].spin=[0,{},0]", first_speed / 0.05),
                               "contact.friction=0.8", "contact.rolling_friction=1e-3",
                               fmt::format("drivers[0].acceleration=[{}-9.81]", along)});
    while (simulation.clock.time() < seconds - 0.5 * simulation.clock.dt) {
        EXPECT_EQ(simulation.step().solve.solver, "auto");
    }
    return simulation.bodies.velocity[0][0];
}

template <int D>
constexpr double inertia = D == 2 ? 0.5 : 0.4;

// with a moment μ_r N against it: (1 + I/(m R²)) a = −μ_r g/R
TEST(RollingFriction, SlowsARollingGrainAtTheRateOfItsMoment)
{
    const double slowing = 0.2 * 9.81 * 0.02;
    EXPECT_NEAR(speed_after<2>(0.2, 1, 0), 1 - slowing / (1 + inertia<2>), 1e-6);
    EXPECT_NEAR(speed_after<3>(0.2, 1, 0), 1 - slowing / (1 + inertia<3>), 1e-6);
}

// it rolls where tan θ > μ_r/R = 0.02
TEST(RollingFriction, HoldsAGrainOnASlopeUpToItsAngle)
{
    EXPECT_NEAR(speed_after<2>(0.2, 0, 0.018), 0, 1e-10);
    EXPECT_NEAR(speed_after<3>(0.2, 0, 0.018), 0, 1e-10);
    const double gained = 0.2 * 9.81 * 0.002;
    EXPECT_NEAR(speed_after<2>(0.2, 0, 0.022), gained / (1 + inertia<2>), 1e-6);
    EXPECT_NEAR(speed_after<3>(0.2, 0, 0.022), gained / (1 + inertia<3>), 1e-6);
}
