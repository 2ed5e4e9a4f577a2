// The step of a moment is the solution for round bodies, and eight steps at once are one step, eight times.
#include "talus/base/random.hpp"
#include "talus/math/rolling.hpp"
#include "talus/math/wide.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

template <int N>
using Moment = Components<double, N>;

template <int N>
Moment<N> random_moment(Random& random)
{
    Moment<N> m;
    for (int i = 0; i < N; ++i) m[i] = random.uniform(-1, 1);
    return m;
}

// From any moment, with the spin that it gives: at rest below the limit, else at the limit against the spin.
template <int N>
void one_step_is_the_solution()
{
    Random random(11);
    int rolling = 0, sticking = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Moment<N> before = random_moment<N>(random);
        Moment<N> spin = random_moment<N>(random);
        const double compliance = random.uniform(0.1, 2), limit = trial % 10 == 0 ? 0 : random.uniform(0, 2);
        const Moment<N> m = projected_moment(before, spin, compliance, limit);
        for (int i = 0; i < N; ++i) spin[i] += compliance * (m[i] - before[i]);
        const double size = std::sqrt(dot(m, m)), speed = std::sqrt(dot(spin, spin));
        EXPECT_LE(size, limit * (1 + 1e-15)); // round-off of a norm
        if (size < limit * (1 - 1e-12)) {
            EXPECT_LT(speed, 1e-14);
            ++sticking;
        } else {
            EXPECT_NEAR(dot(m, spin), -limit * speed, 1e-14); // opposite
            ++rolling;
        }
        EXPECT_LT(rolling_map_squared(m, spin, compliance, limit), 1e-28);
    }
    EXPECT_GT(rolling, 500);
    EXPECT_GT(sticking, 500);
}

TEST(RollingLaw, OneStepIsTheSolutionForRoundBodies)
{
    one_step_is_the_solution<1>();
    one_step_is_the_solution<3>();
}

// The first lane has nothing that gives way, the second carries nothing, the third has no moment and no spin either.
template <int N>
void expect_the_bits_of_one_moment()
{
    Random random(12);
    for (int trial = 0; trial < 300; ++trial) {
        alignas(64) double m[N][wide_count], spin[N][wide_count], compliance[wide_count], limit[wide_count];
        for (int lane = 0; lane < wide_count; ++lane) {
            const Moment<N> one = random_moment<N>(random), other = random_moment<N>(random);
            for (int i = 0; i < N; ++i) {
                m[i][lane] = lane == 2 ? 0 : one[i];
                spin[i][lane] = lane == 2 ? 0 : other[i];
            }
            compliance[lane] = lane == 0 ? 0 : random.uniform(0.1, 2);
            limit[lane] = lane == 1 || lane == 2 ? 0 : random.uniform(0, 1);
        }
        Components<Wide, N> wide_m, wide_spin;
        for (int i = 0; i < N; ++i) {
            wide_m[i] = load(m[i]);
            wide_spin[i] = load(spin[i]);
        }
        const Components<Wide, N> step = projected_moment(wide_m, wide_spin, load(compliance), load(limit));
        alignas(64) double found[N][wide_count], map[wide_count];
        for (int i = 0; i < N; ++i) store(found[i], step[i]);
        store(map, rolling_map_squared(wide_m, wide_spin, load(compliance), load(limit)));
        for (int lane = 0; lane < wide_count; ++lane) {
            Moment<N> one_m, one_spin;
            for (int i = 0; i < N; ++i) {
                one_m[i] = m[i][lane];
                one_spin[i] = spin[i][lane];
            }
            const Moment<N> one = projected_moment(one_m, one_spin, compliance[lane], limit[lane]);
            for (int i = 0; i < N; ++i) EXPECT_EQ(found[i][lane], one[i]);
            EXPECT_EQ(map[lane], rolling_map_squared(one_m, one_spin, compliance[lane], limit[lane]));
        }
    }
}

TEST(RollingLaw, HasTheBitsOfOneContact)
{
    expect_the_bits_of_one_moment<1>();
    expect_the_bits_of_one_moment<3>();
}

} // namespace
