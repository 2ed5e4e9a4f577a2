// The law at eight contacts at once is the law at one contact, eight times.
#include "talus/solvers/pairs/pair_batch.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace talus;

namespace {

template <int D>
struct EightContacts {
    using Layout = PackedPoint<D>;
    alignas(64) double point[Layout::stride] = {};
    LocalBlock<D> block[wide_count];
    Vec<D> impulse[wide_count], velocity[wide_count];

    explicit EightContacts(std::mt19937& random, double friction)
    {
        std::uniform_real_distribution<double> any(-1, 1);
        for (int lane = 0; lane < wide_count; ++lane) {
            Mat<D> root, frame = Mat<D>::Identity();
            for (double& entry : root.reshaped()) entry = any(random);
            block[lane] = diagonalise<D>(frame, root * root.transpose() + 0.05 * Mat<D>::Identity(), friction);
            const auto put = [&](int at, double value) { point[at * wide_count + lane] = value; };
            put(Layout::inverse_normal, block[lane].inverse_normal);
            put(Layout::friction, friction);
            for (int i = 0; i < D - 1; ++i) {
                put(Layout::coupling + i, block[lane].coupling[i]);
                put(Layout::schur + i, block[lane].schur[i]);
                put(Layout::inverse_schur + i, block[lane].inverse_schur[i]);
            }
            for (int i = 0; i < D; ++i) {
                impulse[lane][i] = any(random);
                velocity[lane][i] = any(random);
            }
        }
    }
    static WideVec<D> lanes(const Vec<D>* of)
    {
        WideVec<D> wide;
        for (int i = 0; i < D; ++i) {
            alignas(64) double lane[wide_count];
            for (int k = 0; k < wide_count; ++k) lane[k] = of[k][i];
            wide[i] = load(lane);
        }
        return wide;
    }
};

double lane_of(const Wide& wide, int lane)
{
    alignas(64) double lanes[wide_count];
    store(lanes, wide);
    return lanes[lane];
}

template <int D>
void expect_the_bits_of_one_contact()
{
    std::mt19937 random(7);
    for (const double friction : {0.0, 0.1, 0.7, 3.0, 10.0}) {
        for (int repeat = 0; repeat < 300; ++repeat) {
            const EightContacts<D> eight(random, friction);
            const WideVec<D> y = eight.lanes(eight.impulse), v = eight.lanes(eight.velocity);
            const CoulombLaw<Wide, D> law = law_at<D>(eight.point);
            const double accuracy = repeat % 2 == 0 ? 1e-2 : 1e-13;
            const WideVec<D> solved = law.solve(y, v, accuracy), projected = law.project(y, v), start = law.in_cone(y);
            const Wide residual = law.residual_squared(y, v);
            for (int lane = 0; lane < wide_count; ++lane) {
                const CoulombLaw<double, D> one = law_of(eight.block[lane]);
                const Components<double, D> r = components_of(eight.impulse[lane]),
                                            u = components_of(eight.velocity[lane]);
                for (int i = 0; i < D; ++i) {
                    EXPECT_EQ(lane_of(solved[i], lane), one.solve(r, u, accuracy)[i]);
                    EXPECT_EQ(lane_of(projected[i], lane), one.project(r, u)[i]);
                    EXPECT_EQ(lane_of(start[i], lane), one.in_cone(r)[i]);
                }
                EXPECT_EQ(lane_of(residual, lane), one.residual_squared(r, u));
                // w_nn once as it is, once as one over its inverse
                const double expected =
                    natural_map(eight.block[lane], eight.impulse[lane], eight.velocity[lane]).squaredNorm();
                EXPECT_NEAR(lane_of(residual, lane), expected, 1e-12 * (1 + expected));
            }
        }
    }
}

TEST(WideLaw, HasTheBitsOfOneContact2D) { expect_the_bits_of_one_contact<2>(); }
TEST(WideLaw, HasTheBitsOfOneContact3D) { expect_the_bits_of_one_contact<3>(); }

// Without friction the polar cone and the axis of the cone meet: r = 0 solves a contact that stands apart, at rest.
template <int D>
void expect_no_residual_apart()
{
    std::mt19937 random(8);
    for (const double friction : {0.0, 0.5}) {
        EightContacts<D> eight(random, friction);
        for (int lane = 0; lane < wide_count; ++lane) {
            eight.impulse[lane].setZero();
            eight.velocity[lane] = Vec<D>::Unit(0);
        }
        const Wide residual =
            law_at<D>(eight.point).residual_squared(eight.lanes(eight.impulse), eight.lanes(eight.velocity));
        for (int lane = 0; lane < wide_count; ++lane) EXPECT_EQ(lane_of(residual, lane), 0);
    }
}

TEST(WideLaw, SmoothContactsApartHaveNoResidual)
{
    expect_no_residual_apart<2>();
    expect_no_residual_apart<3>();
}

// Impulses of a contact that is left decay from step to step, down to where their squares vanish. What comes out is a
// number in the cone, of the size of what went in.
template <int D>
void expect_small_impulses_to_stay_small()
{
    std::mt19937 random(9);
    for (int exponent = -330; exponent <= 0; ++exponent) {
        EightContacts<D> eight(random, 0.5);
        const double impulses = std::pow(10.0, exponent);
        for (const double velocities : {1.0, impulses}) {
            Vec<D> y[wide_count], v[wide_count];
            for (int lane = 0; lane < wide_count; ++lane) {
                y[lane] = impulses * eight.impulse[lane];
                v[lane] = velocities * eight.velocity[lane];
            }
            const WideVec<D> r = law_at<D>(eight.point).solve(eight.lanes(y), eight.lanes(v), 1e-8);
            for (int lane = 0; lane < wide_count; ++lane) {
                Vec<D> one;
                for (int i = 0; i < D; ++i) one[i] = lane_of(r[i], lane);
                const double bound = (v[lane].norm() + y[lane].norm()) * 1e6 + 1e-150; // blocks are from 0.05 to some 5
                EXPECT_TRUE(one.allFinite()) << "1e" << exponent;
                EXPECT_LE(one.norm(), bound) << "1e" << exponent;
                EXPECT_LE(one.template tail<D - 1>().norm(), 0.5 * one[0] * (1 + 1e-6) + 1e-150) << "1e" << exponent;
            }
        }
    }
}

TEST(WideLaw, ImpulsesWhoseSquaresVanishStayNumbers)
{
    expect_small_impulses_to_stay_small<2>();
    expect_small_impulses_to_stay_small<3>();
}

TEST(Wide, LinesBecomeColumns)
{
    alignas(64) double lines[64], back[8];
    for (int i = 0; i < 64; ++i) lines[i] = i;
    Wide m[8];
    for (int i = 0; i < 8; ++i) m[i] = load(lines + 8 * i);
    transpose(m);
    for (int i = 0; i < 8; ++i) {
        store(back, m[i]);
        for (int j = 0; j < 8; ++j) EXPECT_EQ(back[j], 8 * j + i);
    }
}

} // namespace
