// Integrators on problems with closed answers: an oscillator, a damped one, a body that tumbles. Orders are measured.
#include "talus/integrators/integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace talus;

namespace {

// One body on a spring of ω = 2 rad/s along x, with damping, and its twin as a rotation about z.
class Oscillator final : public Accelerations {
  public:
    Motion motion;
    double omega = 2, damping = 0; // [rad/s], [1/s]
    int evaluations = 0;

    explicit Oscillator(double damped = 0) : damping(damped)
    {
        for (LaneColumn* column :
             {&motion.place, &motion.velocity, &motion.acceleration, &motion.angle, &motion.spin, &motion.turning}) {
            column->assign(record_size, 0);
        }
        motion.place[0] = motion.angle[2] = 1;
        motion.place[3] = 0.1; // a radius and an inverse mass, which must stay
        motion.spin[3] = 7;
        Oscillator::find(0, Moment::within, {});
        evaluations = 0;
    }
    void find(double, Moment, const Then& then) override
    {
        ++evaluations;
        motion.acceleration[0] = -omega * omega * motion.place[0] - damping * motion.velocity[0];
        motion.turning[2] = -omega * omega * motion.angle[2] - damping * motion.spin[2];
        if (then) then(0, 1);
    }
    double energy() const { return 0.5 * std::pow(motion.velocity[0], 2) + 0.5 * std::pow(omega * motion.place[0], 2); }
    // x(t) from x = 1 at rest
    double exact(double time) const
    {
        const double decay = 0.5 * damping, own = std::sqrt(omega * omega - decay * decay);
        return std::exp(-decay * time) * (std::cos(own * time) + decay / own * std::sin(own * time));
    }
};

double error(const IntegratorKind& kind, double h, double damping)
{
    Oscillator oscillator(damping);
    const std::int64_t steps = std::llround(3 / h);
    kind.make()->advance(oscillator.motion, h, steps, oscillator);
    EXPECT_EQ(oscillator.motion.place[3], 0.1) << kind.name;
    EXPECT_EQ(oscillator.motion.spin[3], 7) << kind.name;
    // the rotation is the same problem
    EXPECT_NEAR(oscillator.motion.angle[2], oscillator.motion.place[0], 1e-12) << kind.name;
    return std::abs(oscillator.motion.place[0] - oscillator.exact(3));
}

double order(const IntegratorKind& kind, double damping)
{
    return std::log2(error(kind, 0.02, damping) / error(kind, 0.01, damping));
}

class EveryIntegrator : public testing::TestWithParam<IntegratorKind> {};

std::string name_of(const testing::TestParamInfo<IntegratorKind>& info) { return info.param.name; }

} // namespace

// Halving h divides the error by 2^order; where a scheme is better than it claims at h ω = 0.04, the next term shows.
TEST_P(EveryIntegrator, HasTheOrderItClaims)
{
    const double measured = order(GetParam(), 0);
    EXPECT_GT(measured, GetParam().order - 0.1);
    EXPECT_LT(measured, GetParam().order + 0.5);
}

// Forces that depend on the velocity: leapfrog takes it half a step late, symplectic Euler is of first order anyway.
TEST_P(EveryIntegrator, KeepsItsOrderWithDampingButForLeapfrog)
{
    const int expected = GetParam().name == "leapfrog" ? 1 : GetParam().order;
    EXPECT_NEAR(order(GetParam(), 0.5), expected, 0.2);
}

TEST_P(EveryIntegrator, GivesTheSameInOneGoAndInParts)
{
    Oscillator whole, parts;
    GetParam().make()->advance(whole.motion, 0.05, 40, whole);
    const auto integrator = GetParam().make();
    for (int part = 0; part < 4; ++part) integrator->advance(parts.motion, 0.05, 10, parts);
    // round-off: leapfrog's kick is two halves where parts meet
    EXPECT_NEAR(whole.motion.place[0], parts.motion.place[0], 1e-13);
    EXPECT_NEAR(whole.motion.velocity[0], parts.motion.velocity[0], 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Integrator, EveryIntegrator, testing::ValuesIn(integrator_kinds()), name_of);

// V26: the numerical frequency is (2/h) asin(ω h/2), the energy is bounded, and h > 2/ω is unstable.
TEST(V26Leapfrog, OscillatesAtItsNumericalFrequency)
{
    const double h = 0.3;
    Oscillator oscillator;
    const double numerical = 2 / h * std::asin(0.5 * oscillator.omega * h);
    const auto integrator = leapfrog().make();
    double worst = 0, most = 0;
    for (int step = 1; step <= 1000; ++step) {
        integrator->advance(oscillator.motion, h, 1, oscillator);
        worst = std::max(worst, std::abs(oscillator.motion.place[0] - std::cos(numerical * h * step)));
        most = std::max(most, std::abs(oscillator.energy() / 2 - 1));
    }
    EXPECT_LT(worst, 1e-10);
    EXPECT_LT(most, 0.1); // (h ω/2)² = 0.09: it does not grow
}

TEST(V26Leapfrog, IsUnstableBeyondTwoOverOmega)
{
    for (const double factor : {0.999, 1.001}) {
        Oscillator oscillator;
        leapfrog().make()->advance(oscillator.motion, 2 / oscillator.omega * factor, 2000, oscillator);
        const bool grows = std::abs(oscillator.motion.place[0]) > 100;
        EXPECT_EQ(grows, factor > 1) << oscillator.motion.place[0];
    }
}

TEST(Integrator, AsksAsOftenAsItSays)
{
    for (const IntegratorKind& kind : integrator_kinds()) {
        if (kind.name == "newmark") continue; // it repeats until it settles
        Oscillator oscillator;
        kind.make()->advance(oscillator.motion, 0.01, 10, oscillator);
        const int to_start = kind.name == "gear" ? 3 : 0; // its derivatives
        EXPECT_EQ(oscillator.evaluations, 10 * kind.evaluations + to_start) << kind.name;
    }
}
