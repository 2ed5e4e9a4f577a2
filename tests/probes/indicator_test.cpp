// Each indicator on a sample put together by hand, whose answer is known.
#include "probes/measured_scene.hpp"
#include "talus/probes/inertial_number.hpp"
#include "talus/probes/profile.hpp"
#include "talus/probes/stress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

template <int D>
Gauge<D> showing(const std::vector<std::string>& indicators)
{
    return Gauge<D>::sample("all").showing(indicators);
}

// A contact at a place, along a direction, with a force on the candidate (over a step of 1 s).
template <int D>
void push(Scene<D>& scene, std::int32_t candidate, std::int32_t antagonist, const Vec<D>& point, const Vec<D>& normal,
          const Vec<D>& force)
{
    scene.touch(candidate, antagonist, 0);
    scene.contacts.point.back() = point;
    scene.contacts.normal.back() = normal;
    scene.contacts.impulse.back() = force;
}

// A ball of radius 1 squeezed along every axis by its own pair of fixed bodies.
template <int D>
Scene<D> squeezed_ball(const Vec<D>& forces)
{
    Scene<D> scene;
    scene.add_ball(1, Vec<D>::Zero());
    const auto plate = scene.shapes.add_ball(0.1);
    for (int axis = 0; axis < D; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            const Vec<D> out = side * Vec<D>::Unit(axis);
            const auto body = scene.add_fixed(plate, 1.1 * out);
            push<D>(scene, 0, body, out, -out, -forces[axis] * out);
        }
    }
    return scene;
}

template <int D>
void expect_stress_of_squeezed_ball()
{
    const Vec<D> forces = Vec<D>::LinSpaced(3, 3 + D - 1);
    const Scene<D> scene = squeezed_ball<D>(forces);
    const Reading reading = scene.read(showing<D>({"stress"}));
    const double volume = std::pow(2.0, D); // of the bounding box
    const std::string unit = pressure_unit<D>;
    EXPECT_NEAR(reading.at("stress_xx_" + unit), -2 * forces[0] / volume, 1e-14) << "compression is negative";
    EXPECT_NEAR(reading.at("pressure_" + unit), 2 * forces.mean() / volume, 1e-14);
    EXPECT_NEAR(reading.at("stress_xy_" + unit), 0, 1e-14);
    EXPECT_NEAR(reading.at("stress_1_" + unit), -2 * forces[D - 1] / volume, 1e-14) << "the most compressive first";
    EXPECT_NEAR(std::abs(reading.at(std::string("stress_1_along_") + axis_names[D - 1])), 1, 1e-14);
    EXPECT_NEAR(reading.at("stress_asymmetry"), 0, 1e-14);
}
TEST(Stress, OfASqueezedBallIsTheForceTimesItsDiameterOverTheVolume)
{
    expect_stress_of_squeezed_ball<2>();
    expect_stress_of_squeezed_ball<3>();
}

TEST(Stress, DeviatorIsHalfTheDifferenceIn2DAndVonMisesIn3D)
{
    const Reading flat = squeezed_ball<2>({1, 3}).read(showing<2>({"stress"}));
    EXPECT_NEAR(flat.at("deviator_Npm"), 0.5 * (3 - 1) * 2 / 4.0, 1e-14);
    const Reading solid = squeezed_ball<3>({1, 1, 4}).read(showing<3>({"stress"}));
    EXPECT_NEAR(solid.at("deviator_Pa"), (4 - 1) * 2 / 8.0, 1e-14) << "axisymmetric: the difference itself";
}

TEST(Stress, GaugesSideBySideAddUp)
{
    const Scene<2> scene = squeezed_ball<2>({2, 5});
    const auto moment_of = [&](const Gauge<2>& gauge) {
        const Snapshot<2> snapshot(scene.bodies, scene.shapes, scene.contacts, 1.0);
        const View<2> view = gauge.look(snapshot);
        return Mat<2>(mean_stress(view).value_or(Mat<2>::Zero()) * view.volume);
    };
    // the centre lies in the right one: the left one has a part of the grain and no centre, and no value
    const Mat<2> whole = moment_of(Gauge<2>::box("all", {-2, -2}, {2, 2}));
    const Mat<2> right = moment_of(Gauge<2>::box("right", {0, -2}, {2, 2}));
    EXPECT_NEAR((right - 0.5 * whole).norm(), 0, 1e-13) << "half of the grain, half of its moment";
}

template <int D>
void expect_affine_flow()
{
    Scene<D> scene;
    Mat<D> gradient;
    for (int k = 0; k < D * D; ++k) gradient.reshaped()[k] = 0.1 * (k + 1) * (k % 2 ? -1 : 1);
    const auto shape = scene.shapes.add_ball(0.3);
    for (int k = 0; k < 27; ++k) {
        Vec<D> place;
        for (int axis = 0, rest = k; axis < D; ++axis, rest /= 3) place[axis] = rest % 3 + 0.1 * (k % 5);
        scene.add(shape, place);
        scene.bodies.velocity.back() = Vec<D>::Ones() + gradient * place;
    }
    const Snapshot<D> snapshot(scene.bodies, scene.shapes, scene.contacts, 1.0);
    const View<D> view = Gauge<D>::sample("all").look(snapshot);
    EXPECT_LT((*velocity_gradient(view) - gradient).norm(), 1e-12);
    const Reading reading = scene.read(showing<D>({"inertia"}));
    EXPECT_NEAR(reading.at("strain_rate_ps"), Mat<D>(0.5 * (gradient + gradient.transpose())).norm(), 1e-12);
    EXPECT_FALSE(reading["inertial_number"]) << "without pressure there is nothing to compare with";
}
TEST(InertialNumber, FindsTheRateOfAnAffineFlow)
{
    expect_affine_flow<2>();
    expect_affine_flow<3>();
}

TEST(InertialNumber, HasTwoDefinitionsNamedApart)
{
    Scene<3> scene = squeezed_ball<3>({7, 7, 7});
    for (const Vec<3>& place : {Vec<3>(0.2, 0, 0), Vec<3>(0, 0.2, 0), Vec<3>(0, 0, 0.2)}) {
        scene.add_ball(1, place);
        scene.bodies.velocity.back() = 0.5 * place; // a rate of 0.5 along each axis
    }
    const Reading reading = scene.read(showing<3>({"inertia", "stress"}));
    const double rate = 0.5 * std::sqrt(3.0), pressure = reading.at("pressure_Pa");
    EXPECT_NEAR(reading.at("strain_rate_ps"), rate, 1e-12);
    EXPECT_NEAR(reading.at("inertial_number_ballast"), rate * std::sqrt(1 / pressure), 1e-12) << "mass 1";
    EXPECT_NEAR(reading.at("inertial_number"), rate * std::sqrt(1 / (pressure * 2)), 1e-12) << "diameter 2";
}

TEST(InertialNumber, SaysTheRegime)
{
    EXPECT_EQ(regime_of(0), "static");
    EXPECT_EQ(regime_of(9.9e-4), "static");
    EXPECT_EQ(regime_of(1e-3), "quasi-static");
    EXPECT_EQ(regime_of(0.099), "quasi-static");
    EXPECT_EQ(regime_of(0.1), "dynamic");
}

TEST(Fabric, OfNormalsAllAlongOneAxisIsThatAxis)
{
    Scene<3> scene;
    for (int k = 0; k < 4; ++k) scene.add_ball(0.5, {double(k), 0, 0});
    for (int k = 0; k < 3; ++k) scene.touch(k, k + 1, 1);
    const Reading reading = scene.read(showing<3>({"fabric"}));
    EXPECT_NEAR(reading.at("fabric_xx"), 1, 1e-15);
    EXPECT_NEAR(reading.at("fabric_yy"), 0, 1e-15);
    EXPECT_NEAR(reading.at("fabric_anisotropy"), 2.5, 1e-14);
    EXPECT_NEAR(std::abs(reading.at("fabric_along_x")), 1, 1e-14);
}

// Directions of density (1 + a cos 2(θ − θ0))/2π have the anisotropy a by definition.
TEST(Fabric, AnisotropyIsTheAmplitudeOfTheRose)
{
    constexpr double a = 0.4, major = 0.7;
    constexpr int count = 3600;
    Scene<2> scene;
    scene.add_ball(1, {0, 0});
    for (int k = 0; k < count; ++k) { // equal steps of the distribution function, by Newton
        const double target = (k + 0.5) / count;
        double angle = 2 * M_PI * target;
        for (int newton = 0; newton < 50; ++newton) {
            const double reached =
                (angle + 0.5 * a * (std::sin(2 * (angle - major)) + std::sin(2 * major))) / (2 * M_PI);
            angle -= (reached - target) / ((1 + a * std::cos(2 * (angle - major))) / (2 * M_PI));
        }
        const auto other = scene.add_ball(0.1, {1 + double(k), 0});
        push<2>(scene, 0, other, {0, 0}, {std::cos(angle), std::sin(angle)}, {std::cos(angle), std::sin(angle)});
    }
    const Reading reading = scene.read(showing<2>({"fabric"}));
    EXPECT_NEAR(reading.at("fabric_anisotropy"), a, 1e-4) << "the sum over 3600 directions stands for the integral";
    EXPECT_NEAR(std::abs(reading.at("fabric_along_x")), std::cos(major), 1e-3);
    const auto distributions =
        Gauge<2>::sample("all").distributions(Snapshot<2>(scene.bodies, scene.shapes, scene.contacts, 1.0));
    const auto rose = std::find_if(distributions.begin(), distributions.end(),
                                   [](const Distribution& d) { return d.name == "normals"; });
    ASSERT_NE(rose, distributions.end());
    for (std::size_t s = 0; s < rose->x.size(); ++s) {
        EXPECT_NEAR(rose->y[s], 1 + a * std::cos(2 * (rose->x[s] * M_PI / 180 - major)), 0.03) << rose->x[s];
    }
}

TEST(Forces, StrongNetworkIsAboveTheMean)
{
    Scene<2> scene;
    for (int k = 0; k < 4; ++k) scene.add_ball(0.5, {double(k), 0});
    for (int k = 0; k < 3; ++k) scene.touch(k, k + 1, k == 2 ? 4 : 1);
    scene.contacts.impulse[2][1] = 1.5; // some friction
    const Reading reading = scene.read(showing<2>({"forces", "load"}));
    EXPECT_DOUBLE_EQ(reading.at("mean_force_N"), 2);
    EXPECT_DOUBLE_EQ(reading.at("max_force_N"), 4);
    EXPECT_DOUBLE_EQ(reading.at("strong_contacts"), 1.0 / 3);
    EXPECT_DOUBLE_EQ(reading.at("strong_forces"), 4.0 / 6);
    EXPECT_DOUBLE_EQ(reading.at("friction_ratio"), 1.5 / 6);
    EXPECT_DOUBLE_EQ(reading.at("max_load_N"), 5) << "1 on one side, 4 on the other";
    EXPECT_DOUBLE_EQ(reading.at("mean_load_N"), (1 + 2 + 5 + 4) / 4.0);
}

TEST(Sizes, DiametersAreByVolume)
{
    Scene<3> scene; // volumes as 1 : 8 : 27, all in all 36
    for (int k = 1; k <= 3; ++k) scene.add_ball(0.5 * k, {5.0 * k, 0, 0});
    const Reading reading = scene.read(showing<3>({"sizes"}));
    EXPECT_DOUBLE_EQ(reading.at("d10_m"), 2) << "9 of 36 in the two smaller ones, 1 in the smallest";
    EXPECT_DOUBLE_EQ(reading.at("d50_m"), 3);
    EXPECT_DOUBLE_EQ(reading.at("d90_m"), 3);
}

TEST(Coordination, WithFrictionTwoNeighboursHoldAGrain)
{
    Scene<2> scene;
    const auto floor = scene.add_fixed(scene.shapes.add_half_space({0, 1}), {0, -5});
    for (int k = 0; k < 4; ++k) scene.add_ball(0.5, {double(k), 0});
    scene.touch(floor + 1, floor, 1);
    for (int k = 1; k < 4; ++k) scene.touch(floor + k, floor + k + 1, 1);
    EXPECT_FALSE(scene.measure().coordination_without_rattlers) << "without friction a chain is loose";
    scene.touch(floor + 4, floor, 1); // an arch
    scene.contacts.impulse.back()[1] = 0.3;
    EXPECT_DOUBLE_EQ(*scene.measure().coordination_without_rattlers, 2);
}

template <int D>
void expect_motion_and_reaction()
{
    Scene<D> scene;
    const auto body = scene.add_ball(1, Vec<D>::Constant(2));
    const auto grain = scene.add_ball(0.5, Vec<D>::Zero());
    const Gauge<D> gauge = Gauge<D>::on_body("sleeper", BodyId(body), scene.bodies);
    Ang<D> turn = Ang<D>::Zero();
    turn[angular<D> - 1] = 0.3;
    scene.bodies.orientation[body] = Rotation<D>::from_vector(turn);
    scene.bodies.position[body][D - 1] -= 0.25;
    scene.bodies.velocity[body] = Vec<D>::Constant(0.5);
    const Vec<D> lever = Vec<D>::Unit(0), force = 6 * Vec<D>::Unit(1) + Vec<D>::Unit(0);
    // contacts are those of the middle of the step, of 1 s here
    const Vec<D> centre = scene.bodies.position[body] - 0.5 * scene.bodies.velocity[body];
    push<D>(scene, grain, body, Vec<D>(centre + lever), Vec<D>::Unit(0), force);
    const Reading reading = scene.read(gauge);
    EXPECT_NEAR(reading.at("settlement_m"), 0.25, 1e-15);
    EXPECT_NEAR(reading.at("displacement_x_m"), 0, 1e-15);
    EXPECT_NEAR(reading.at("turn_rad"), 0.3, 1e-14);
    EXPECT_NEAR(reading.at("velocity_x_mps"), 0.5, 1e-15);
    EXPECT_NEAR(reading.at("reaction_y_N"), -6, 1e-15) << "the grain gets the force, the body its opposite";
    EXPECT_NEAR(reading.at("torque_z_Nm"), -6, 1e-15);
    EXPECT_EQ(reading.at("pushing_bodies"), 1);
}
TEST(BodyGauge, TellsMotionAndReaction)
{
    expect_motion_and_reaction<2>();
    expect_motion_and_reaction<3>();
}

TEST(Gauge, IsCarriedAndTurnedByItsBody)
{
    Scene<2> scene;
    const auto carrier = scene.add_fixed(scene.shapes.add_ball(0.1), {0, 0});
    scene.add_ball(0.2, {1, 0}); // where the gauge is at the start
    scene.add_ball(0.2, {3, 1}); // where it will be
    const auto gauge = Gauge<2>::box("carried", {0.5, -0.25}, {1.5, 0.25}).carried_by(BodyId(carrier), scene.bodies);
    EXPECT_EQ(scene.measure(gauge).grains, 1u);
    scene.bodies.position[carrier] = {3, 0};
    EXPECT_EQ(scene.measure(gauge).grains, 0u);
    scene.bodies.orientation[carrier] = Rotation<2>(M_PI / 2); // from the right of the body to above it
    EXPECT_EQ(scene.measure(gauge).grains, 1u);
    EXPECT_NEAR(scene.measure(gauge).solid_volume, M_PI * 0.04, 1e-14);
}

TEST(Gauge, SaysWhatMakesItsValuesDoubtful)
{
    Scene<2> scene;
    for (int k = 0; k < 9; ++k) scene.add_ball(0.5, {double(k % 3), double(k / 3)});
    const Snapshot<2> snapshot(scene.bodies, scene.shapes, scene.contacts, 1.0);
    const auto doubt = [&](const Gauge<2>& gauge) {
        const auto all = gauge.doubts(snapshot);
        return all.empty() ? std::string() : all.front();
    };
    EXPECT_EQ(doubt(Gauge<2>::sample("all")), "");
    EXPECT_EQ(doubt(Gauge<2>::box("good", {-1, -1}, {2, 2})), "");
    EXPECT_NE(doubt(Gauge<2>::box("off", {7, 7}, {8, 8})).find("outside the sample"), std::string::npos);
    EXPECT_NE(doubt(Gauge<2>::box("gap", {0.3, 0.3}, {0.7, 0.7})).find("no grain"), std::string::npos);
    EXPECT_NE(doubt(Gauge<2>::box("thin", {-1, -0.1}, {3, 0.1})).find("less than a grain"), std::string::npos);
    const Reading empty = scene.read(Gauge<2>::box("off", {7, 7}, {8, 8}));
    for (std::size_t c = 0; c < empty.columns().size(); ++c) {
        const Maybe value = empty.values()[c];
        EXPECT_TRUE(!value || std::isfinite(*value)) << empty.columns()[c];
    }
}

TEST(Gauge, EveryIndicatorFillsItsColumnsWhateverItSees)
{
    const auto expect_all = [](const auto& scene, const auto& gauge) {
        const Reading reading = scene.read(gauge);
        EXPECT_EQ(reading.columns().size(), reading.values().size());
    };
    Scene<3> nothing, one;
    one.add_ball(1, {0, 0, 0});
    for (const Scene<3>* scene : {&nothing, &one}) {
        expect_all(*scene, Gauge<3>::sample("all").showing(indicator_names(false)));
        expect_all(*scene, Gauge<3>::box("off", {5, 5, 5}, {6, 6, 6}).showing(indicator_names(false)));
        EXPECT_NO_THROW(
            Gauge<3>::sample("all").distributions(Snapshot<3>(scene->bodies, scene->shapes, scene->contacts, 1.0)));
    }
    expect_all(one, Gauge<3>::on_body("ball", BodyId(0), one.bodies));
}

TEST(Profiles, FollowAStackOfLayers)
{
    Scene<2> scene; // squares of side 1 and 0.5, layer by layer
    const auto large = scene.shapes.add_polytope(box<2>({1, 1})), small = scene.shapes.add_polytope(box<2>({0.5, 0.5}));
    for (int k = 0; k < 40; ++k) scene.add(k / 4 % 2 == 0 ? large : small, {double(k % 4), double(k / 4)});
    const auto found = profiles(Snapshot<2>(scene.bodies, scene.shapes, scene.contacts, 1.0), 1, 9);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].name, "compacity_profile");
    ASSERT_EQ(found[0].y.size(), 9u) << "9.75 m high, squares 1.06 m across in the mean";
    double solid = 0;
    for (const double compacity : found[0].y) solid += compacity * 4 * 9.75 / 9;
    EXPECT_NEAR(solid, 20 * 1 + 20 * 0.25, 1e-10) << "slabs share out the squares";
}

} // namespace
} // namespace talus
