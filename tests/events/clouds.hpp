// Clouds of balls for tests of events, and a reference that looks at all pairs after each impact.
#pragma once

#include "talus/base/random.hpp"
#include "talus/events/hard_balls.hpp"
#include "talus/math/mass_properties.hpp"

#include <gtest/gtest.h>

namespace talus::events {

struct Cloud {
    int balls = 40;
    double smallest = 0.03, largest = 0.1, room = 1.5; // [m] radii, half the width of the box
    double restitution = 0.9, friction = 0;
    double gravity = 0; // [m/s²] downwards
    std::uint64_t seed = 1;
};

inline MaterialTable one_material(double restitution, double friction)
{
    using scene::Value;
    Value stone = Value::table(), materials = Value::table(), contact = Value::table();
    stone.set("density", Value(1.0));
    materials.set("stone", stone);
    contact.set("restitution", Value(restitution));
    contact.set("friction", Value(friction));
    return MaterialTable(materials, contact);
}

template <int D>
void add_ball(HardBalls<D>& balls, const Vec<D>& place, const Vec<D>& velocity, double radius, double density = 1)
{
    Flight<D> flight{};
    flight.place = place;
    flight.velocity = velocity;
    flight.radius = radius;
    BallBody<D> body;
    body.body = std::int32_t(balls.size());
    const double mass = density * ball_volume<D>(radius);
    body.inverse_mass = 1 / mass;
    body.turning = 1 / ball_inertia<D>(mass, radius);
    balls.add(flight, body);
}

template <int D>
Wall<D> plane(const Vec<D>& place, const Vec<D>& normal)
{
    Wall<D> wall;
    wall.place = place;
    wall.direction = normal;
    wall.body = 1000;
    return wall;
}

// In a box of half-spaces around the origin.
template <int D>
HardBalls<D> make_cloud(const Cloud& cloud)
{
    HardBalls<D> balls;
    balls.materials = one_material(cloud.restitution, cloud.friction);
    balls.options.instant = 1e-12;
    Random random(cloud.seed);
    std::vector<Vec<D>> places;
    std::vector<double> radii;
    while (int(places.size()) < cloud.balls) {
        const double radius = random.uniform(cloud.smallest, cloud.largest);
        Vec<D> place, velocity;
        for (int axis = 0; axis < D; ++axis) {
            place[axis] = random.uniform(radius - cloud.room, cloud.room - radius);
            velocity[axis] = random.uniform(-1, 1);
        }
        bool is_free = true;
        for (std::size_t k = 0; k < places.size(); ++k) {
            is_free = is_free && (places[k] - place).norm() > radii[k] + radius;
        }
        if (!is_free) continue;
        places.push_back(place);
        radii.push_back(radius);
        add_ball<D>(balls, place, velocity, radius);
    }
    for (int axis = 0; axis < D; ++axis) {
        for (const double side : {1.0, -1.0}) { // the low wall first
            balls.walls.push_back(plane<D>(-side * cloud.room * Vec<D>::Unit(axis), side * Vec<D>::Unit(axis)));
            balls.walls.back().body += int(balls.walls.size());
        }
    }
    balls.begin(0, Vec<D>(-cloud.gravity * Vec<D>::Unit(D - 1)));
    return balls;
}

template <int D>
double kinetic(const HardBalls<D>& balls)
{
    double sum = 0;
    for (std::size_t p = 0; p < balls.size(); ++p) {
        sum += 0.5 / balls.body(p).inverse_mass * balls.velocity(p, balls.now()).squaredNorm();
        if (balls.body(p).turning > 0) sum += 0.5 / balls.body(p).turning * balls.body(p).spin.squaredNorm();
    }
    return sum;
}

// The smallest gap between two balls.
template <int D>
double least_gap(const HardBalls<D>& balls)
{
    double least = never;
    for (std::size_t p = 0; p < balls.size(); ++p) {
        for (std::size_t q = 0; q < p; ++q) {
            const double apart = (balls.place(p, balls.now()) - balls.place(q, balls.now())).norm();
            least = std::min(least, apart - balls.ball(p).radius - balls.ball(q).radius);
        }
    }
    return least;
}

} // namespace talus::events
