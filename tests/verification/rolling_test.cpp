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

TEST(RollingFriction, SlowsARollingSphereAtTheRateOfItsMoment)
{
    // rolling without slip with a moment μ_r N against it: (1 + 2/5) m a = −μ_r m g / R
    const double rolling_friction = 1e-3, radius = 0.05;
    auto simulation = library_simulation<3>("moreau/slide-to-roll-sphere",
                                            {"bodies[0].spin=[0,20,0]", "contact.friction=0.8",
                                             fmt::format("contact.rolling_friction={}", rolling_friction)});
    advance(simulation, 0.2);
    const double expected = 1 - 0.2 * rolling_friction * 9.81 / radius / 1.4;
    EXPECT_NEAR(simulation.bodies.velocity[0][0], expected, 1e-6);
}

TEST(RollingFriction, HoldsASphereOnASlopeUpToItsAngle)
{
    // rolls where tan θ > μ_r/R = 0.02
    for (const double slope : {0.018, 0.022}) {
        auto simulation = library_simulation<3>("moreau/slide-to-roll-sphere",
                                                {"bodies[0].velocity=[0,0,0]", "contact.friction=0.8",
                                                 "contact.rolling_friction=1e-3",
                                                 fmt::format("drivers[0].acceleration=[{},0,-9.81]", slope * 9.81)});
        advance(simulation, 0.2);
        const double speed = simulation.bodies.velocity[0][0];
        if (slope < 0.02) {
            EXPECT_NEAR(speed, 0, 1e-10);
        } else {
            EXPECT_NEAR(speed, 0.2 * 9.81 * (slope - 0.02) / 1.4, 1e-6);
        }
    }
}
