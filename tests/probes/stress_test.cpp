// Internal moments, mean stress, and Moreau's diameters on lattices whose stress is known.
#include "probes/forces_scene.hpp"
#include "talus/probes/diameter_check.hpp"
#include "talus/probes/internal_moment.hpp"
#include "talus/probes/stress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

TEST(InternalMoment, SqueezedDiskIsUnderCompressionAlongTheLoad)
{
    ForcesScene<2> scene;
    const auto disk = scene.add_ball(0.5, {3, 4});
    const auto press = scene.add(scene.shapes.add_half_space({0, 1}), {0, 0}, all_imposed<2>);
    scene.push(disk, press, {3, 3.5}, {0.25, 10});
    scene.push(press, disk, {3, 4.5}, {0.25, 10}); // on the wall: its opposite acts on the disk
    const std::vector<Mat<2>> moments = internal_moments(scene.sample(), scene.contacts, scene.dt);
    Mat<2> expected; // columns are levers: both forces have an arm along y alone
    expected << 0, -0.25, 0, -10;
    EXPECT_NEAR((moments[0] - expected).norm(), 0, 1e-14);
    EXPECT_EQ(moments[1].norm(), 0) << "a wall has none";
}

// Balls of diameter 1 on the square or cubic lattice, each pushed by its neighbours with pressure[k] along axis k.
template <int D>
ForcesScene<D> lattice(int side, const Vec<D>& pressure)
{
    ForcesScene<D> scene;
    const auto ball = scene.shapes.add_ball(0.5);
    const int count = int(std::lround(std::pow(side, D)));
    for (int k = 0; k < count; ++k) {
        Vec<D> cell;
        for (int axis = 0, rest = k; axis < D; ++axis, rest /= side) cell[axis] = rest % side;
        scene.add(ball, cell);
    }
    for (int k = 0; k < count; ++k) {
        for (int axis = 0, step = 1; axis < D; ++axis, step *= side) {
            if (k / step % side + 1 == side) continue;
            const Vec<D> e = Vec<D>::Unit(axis);
            scene.push(k, k + step, scene.bodies.position[std::size_t(k)] + 0.5 * e, -pressure[axis] * e);
        }
    }
    return scene;
}

template <int D>
Mat<D> mean_stress_in(const Region<D>& region, const ForcesScene<D>& scene)
{
    const Snapshot<D> snapshot(scene.bodies, scene.shapes, scene.contacts, scene.dt);
    return mean_stress(View<D>::of_region(snapshot, region)).value();
}

// Of `rows` lattice rows along a diameter, one more or less at the rim.
template <int D>
void expect_sinusoids(int side, const Vec<D>& pressure, double rows)
{
    const ForcesScene<D> scene = lattice<D>(side, pressure);
    const double radius = 0.5 * rows;
    const Region<D> region = Region<D>::ball(Vec<D>::Constant(0.5 * side + 0.13), radius);
    const Mat<D> stress = mean_stress_in(region, scene);
    Mat<D> exact = Mat<D>::Zero();
    exact.diagonal() = -pressure;
    EXPECT_LT((stress - exact).norm() / exact.norm(), 1 / rows);
    const DiameterCheck check = check_diameters<D>(region, exact, scene.sample(), scene.contacts, scene.dt);
    EXPECT_EQ(check.diameters.size(), 21u);
    EXPECT_LT(check.deviation, 1 / rows);
    double shear = 0;
    for (const DiameterTraction& diameter : check.diameters) {
        const double c = std::cos(diameter.angle), s = std::sin(diameter.angle);
        if (D == 2) {
            EXPECT_NEAR(diameter.predicted_normal, -pressure[0] * c * c - pressure[1] * s * s, 1e-12);
            EXPECT_NEAR(diameter.predicted_tangential, (pressure[0] - pressure[1]) * c * s, 1e-12);
        }
        shear = std::max(shear, std::abs(diameter.tangential));
    }
    EXPECT_GT(shear, 0.3) << "of half the difference of the pressures, 0.5";
    // a wrong tensor is seen
    EXPECT_GT(check_diameters<D>(region, Mat<D>(1.3 * exact), scene.sample(), scene.contacts, scene.dt).deviation, 0.2);
}
TEST(DiameterCheck, ContactForcesOfALatticeLieOnTheSinusoidsOfItsStress)
{
    expect_sinusoids<2>(60, {2, 1}, 50);
    expect_sinusoids<3>(24, {2, 1, 3}, 20);
}

TEST(DiameterCheck, AxisChoosesTheCutsInSpace)
{
    const ForcesScene<3> scene = lattice<3>(24, {2, 1, 3});
    const Region<3> region = Region<3>::ball(Vec<3>::Constant(12.13), 10);
    Mat<3> exact = Mat<3>::Zero();
    exact.diagonal() = -Vec<3>(2, 1, 3);
    const auto extremes = [&](const Vec<3>& axis) { // of the predicted normal traction
        const DiameterCheck check =
            check_diameters<3>(region, exact, scene.sample(), scene.contacts, scene.dt, {60, axis});
        EXPECT_LT(check.deviation, 0.05);
        double low = 0, high = -9;
        for (const DiameterTraction& d : check.diameters) {
            low = std::min(low, d.predicted_normal);
            high = std::max(high, d.predicted_normal);
        }
        return std::pair(low, high);
    };
    EXPECT_NEAR(extremes(Vec<3>::Unit(0)).first, -3, 1e-2);
    EXPECT_NEAR(extremes(Vec<3>::Unit(0)).second, -1, 1e-2);
    EXPECT_NEAR(extremes(Vec<3>::Unit(1)).second, -2, 1e-2);
    EXPECT_NEAR(extremes(Vec<3>::Unit(2)).first, -2, 1e-2);
}

} // namespace
} // namespace talus
