// The local problem is solved to round-off: the law itself is checked, not a recorded answer.
#include "talus/base/random.hpp"
#include "talus/math/coulomb.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

using namespace talus;

namespace {

// A Delassus block as contacts make them: symmetric positive definite, tangents coupled with the normal.
template <int D>
Mat<D> random_block(Random& random, double coupling)
{
    Mat<D> a;
    for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) a(i, j) = (i == j ? 1.0 : coupling) * random.uniform(-1, 1);
    }
    return a * a.transpose() + 0.02 * Mat<D>::Identity();
}

template <int D>
void satisfies_the_law(double coupling, double friction)
{
    Random random(5);
    int sliding = 0, sticking = 0, apart = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Mat<D> frame = frame_of(Vec<D>(Vec<D>::Unit(0)));
        const LocalBlock<D> block = diagonalise<D>(frame, random_block<D>(random, coupling), friction);
        Vec<D> b;
        for (int i = 0; i < D; ++i) b[i] = random.uniform(-1, 1);
        const Vec<D> r = solve_exactly(block, b);
        const Vec<D> v = b + block * r;
        ASSERT_TRUE(r.allFinite());
        // round-off of b + W r
        const double tolerance = 1e-12 * (b.norm() + (block * r).norm() + block.mean_diagonal() * r.norm());
        EXPECT_LT(natural_map(block, r, v).norm(), tolerance) << "trial " << trial;
        const double tangential = r.template tail<D - 1>().norm();
        if (r[0] == 0) {
            ++apart;
        } else if (tangential < friction * r[0] * (1 - 1e-9)) {
            ++sticking;
        } else {
            ++sliding;
        }
    }
    EXPECT_GT(apart, 1000);
    if (friction > 0) {
        EXPECT_GT(sliding, 500);
        EXPECT_GT(sticking, 500);
    }
}

} // namespace

TEST(LocalProblem, IsSolvedToRoundOff2D) { satisfies_the_law<2>(0.5, 0.6); }
TEST(LocalProblem, IsSolvedToRoundOff3D) { satisfies_the_law<3>(0.5, 0.6); }
TEST(LocalProblem, IsSolvedForStrongCoupling2D) { satisfies_the_law<2>(3.0, 0.6); }
TEST(LocalProblem, IsSolvedForStrongCoupling3D) { satisfies_the_law<3>(3.0, 0.6); }
TEST(LocalProblem, IsSolvedForLargeFriction3D) { satisfies_the_law<3>(1.0, 10.0); }
TEST(LocalProblem, IsSolvedWithoutFriction2D) { satisfies_the_law<2>(1.0, 0.0); }
TEST(LocalProblem, IsSolvedWithoutFriction3D) { satisfies_the_law<3>(1.0, 0.0); }

TEST(LocalProblem, DiagonalisationKeepsTheOperator)
{
    Random random(2);
    for (int trial = 0; trial < 1000; ++trial) {
        const Mat<3> given = frame_of(Vec<3>(Vec<3>(random.uniform(-1, 1), 1, random.uniform(-1, 1)).normalized()));
        const Mat<3> w = random_block<3>(random, 1);
        Mat<3> frame = given;
        const LocalBlock<3> block = diagonalise<3>(frame, w, 0.5);
        EXPECT_LT((frame.transpose() * frame - Mat<3>::Identity()).norm(), 1e-14);
        EXPECT_NEAR(frame.determinant(), 1, 1e-14);
        const Vec<3> impulse(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); // in the world
        const Vec<3> expected = given * (w * (given.transpose() * impulse));
        const Vec<3> found = frame * (block * Vec<3>(frame.transpose() * impulse));
        EXPECT_LT((found - expected).norm(), 1e-13 * w.norm());
    }
}

TEST(LocalProblem, ProjectionHasTheExactSolutionAsFixedPoint)
{
    Random random(9);
    for (int trial = 0; trial < 1000; ++trial) {
        Mat<3> frame = frame_of(Vec<3>(Vec<3>::Unit(0)));
        const LocalBlock<3> block = diagonalise<3>(frame, Mat<3>(Vec<3>(1, 3.5, 3.5).asDiagonal()), 0.4);
        const Vec<3> b(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const Vec<3> exact = solve_exactly(block, b);
        EXPECT_LT((solve_by_projection(block, b, exact) - exact).norm(), 1e-14);
    }
}

TEST(Cone, ProjectionIsTheNearestPointOfTheCone)
{
    Random random(4);
    for (int trial = 0; trial < 2000; ++trial) {
        const double friction = random.uniform(0, 2);
        const Vec<3> r(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const Vec<3> p = project_on_cone<3>(r, friction);
        EXPECT_LE(p.tail<2>().norm(), friction * p[0] + 1e-14);
        // the rest is in the polar cone and orthogonal to the projection
        EXPECT_NEAR((r - p).dot(p), 0, 1e-14);
        EXPECT_LE(r[0] - p[0] + friction * (r - p).tail<2>().norm(), 1e-14);
    }
}

// A body that cannot turn, or moves along one axis only: W has rank 1 or 2, and what cannot give way keeps its
// velocity. Where it can, the law holds.
TEST(Coulomb, BlocksThatGiveWayInSomeDirectionsOnly)
{
    Random random(6);
    const auto vector = [&] { return Vec<3>(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec<3> a = vector(), c = vector();
        const bool line = trial % 2 == 0;
        const Mat<3> w = a * a.transpose() + (line ? 0.0 : 1.0) * c * c.transpose();
        Mat<3> frame = Mat<3>::Identity();
        const LocalBlock<3> block = diagonalise<3>(frame, w, random.uniform(0, 1.5));
        // the free velocity is one that impulses can make
        const Vec<3> b = frame.transpose() * (w * vector());
        const Vec<3> r = solve_exactly(block, b);
        ASSERT_TRUE(r.allFinite()) << trial;
        EXPECT_LE(r.tail<2>().norm(), block.friction * r[0] * (1 + 1e-12)) << trial;
        const Vec<3> v = b + frame.transpose() * w * frame * r;
        // ‖W r‖ may be 1e4 of b where the block is badly conditioned along the normal
        EXPECT_GE(v[0], -1e-8 * (b.norm() + (v - b).norm())) << trial;
        EXPECT_LE(std::abs(v[0] * r[0]), 1e-8 * (b.norm() + (v - b).norm()) * (1 + r[0])) << trial;
    }
}

TEST(Cone, WithoutFrictionIsTheHalfLine)
{
    EXPECT_EQ(project_on_cone<3>({-1e30, 0, 0}, 0.0).norm(), 0);
    EXPECT_EQ((project_on_cone<3>({2, 3, 4}, 0.0) - Vec<3>(2, 0, 0)).norm(), 0);
}
