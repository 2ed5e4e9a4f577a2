#include "talus/bodies/body_table.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

Body<3> book() // three different moments: turning about the middle one is unstable
{
    Body<3> body;
    body.mass = 2;
    body.inertia = {1, 2, 3};
    body.spin = {0.01, 5, 0.02};
    return body;
}

Ang<3> angular_momentum(const BodyTable<3>& bodies)
{
    return inertia_in_world(bodies.orientation[0], bodies.inertia[0]) * bodies.spin[0];
}

// largest change of the kinetic energy of a free book over one second
double energy_error(double dt)
{
    BodyTable<3> bodies;
    bodies.add(book());
    const double start = kinetic_energy(bodies, 0);
    double error = 0;
    for (int step = 0; step < int(1 / dt + 0.5); ++step) {
        turn(bodies, 0, dt);
        error = std::max(error, std::abs(kinetic_energy(bodies, 0) / start - 1));
    }
    return error;
}

} // namespace

TEST(FreeRotation, KeepsTheAngularMomentumOfATumblingBook)
{
    BodyTable<3> bodies;
    bodies.add(book());
    const Ang<3> start = angular_momentum(bodies);
    double least = 5;
    for (int step = 0; step < 20000; ++step) {
        turn(bodies, 0, 1e-3);
        least = std::min(least, (bodies.orientation[0].inverse() * bodies.spin[0])[1]);
    }
    EXPECT_LT((angular_momentum(bodies) - start).norm(), 1e-11 * start.norm()); // round-off of 20 000 turns
    EXPECT_LT(least, -4.5);                                                     // it flipped: Dzhanibekov
}

TEST(FreeRotation, KeepsTheEnergyToSecondOrder)
{
    const double coarse = energy_error(4e-3), fine = energy_error(2e-3);
    EXPECT_LT(fine, 1e-5);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

TEST(FreeRotation, OfASphereIsExact)
{
    BodyTable<3> bodies;
    Body<3> sphere;
    sphere.mass = 1;
    sphere.inertia.setConstant(1);
    sphere.spin = {0, 0, M_PI / 2};
    bodies.add(sphere);
    for (int step = 0; step < 1000; ++step) turn(bodies, 0, 1e-3);
    const Vec<3> turned = bodies.orientation[0] * Vec<3>(1, 0, 0);
    EXPECT_LT((turned - Vec<3>(0, 1, 0)).norm(), 1e-13);
}

TEST(ImposedFreedoms, LeaveTheInverseMass)
{
    BodyTable<3> bodies;
    Body<3> body = book();
    body.orientation = Rotation<3>::from_vector({0.3, -0.7, 0.4});
    body.imposed = 0b010001; // x and the rotation about y
    bodies.add(body);
    const Vec<3> mass = inverse_mass(bodies, 0);
    EXPECT_EQ(mass[0], 0);
    EXPECT_EQ(mass[1], 0.5);
    const AngMat<3> inverse = inverse_inertia(bodies, 0);
    EXPECT_EQ(inverse.row(1).norm() + inverse.col(1).norm(), 0);
    // on the free axes it inverts the restricted inertia
    const AngMat<3> inertia = inertia_in_world(bodies.orientation[0], bodies.inertia[0]);
    EXPECT_NEAR(inverse(0, 0) * inertia(0, 0) + inverse(0, 2) * inertia(2, 0), 1, 1e-14);
    EXPECT_NEAR(inverse(0, 0) * inertia(0, 2) + inverse(0, 2) * inertia(2, 2), 0, 1e-14);
}
