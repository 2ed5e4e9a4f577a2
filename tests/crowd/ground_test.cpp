// Blocked cells, and the way out of them.
#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/crowd/ground.hpp"
#include "talus/exec/parallel.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

std::int32_t add_fixed(BodyTable<2>& bodies, std::int32_t shape, const Vec<2>& position, double angle = 0)
{
    Body<2> body;
    body.position = position;
    body.orientation = Rotation<2>(angle);
    body.shape = shape;
    body.imposed = all_imposed<2>;
    return bodies.add(body);
}

Polytope<2> moved(Polytope<2> polytope, const Vec<2>& by)
{
    for (Vec<2>& vertex : polytope.vertices) vertex += by;
    for (Plane<2>& plane : polytope.planes) plane.offset += plane.normal.dot(by);
    return polytope;
}

// A disk, a turned segment with rounding, a turned box, an L of two boxes and a half-space.
struct Furniture {
    BodyTable<2> bodies;
    ShapeTable<2> shapes;
    Furniture()
    {
        add_fixed(bodies, shapes.add_ball(0.7), {2, 2});
        add_fixed(bodies, shapes.add_segment({1.5, 0}, 0.05), {6, 3}, 0.6);
        add_fixed(bodies, shapes.add_polytope(box<2>({2, 1})), {3, 7}, -0.4);
        add_fixed(bodies, shapes.add_cluster({moved(box<2>({1, 1}), {0.5, 0.5}), moved(box<2>({1, 3}), {1.5, 0.5})}),
                  {7, 7}, 0.3);
        add_fixed(bodies, shapes.add_half_space({0, 1}), {0, 0.5});
    }
};

// The least distance to many points of the surface of each body; inside: 0.
double sampled_distance(const Furniture& room, const Vec<2>& point)
{
    double least = std::numeric_limits<double>::infinity();
    const auto see = [&](const Vec<2>& surface) { least = std::min(least, (surface - point).norm()); };
    const auto see_edge = [&](const Vec<2>& from, const Vec<2>& to) {
        for (int k = 0; k <= 400; ++k) see(from + k / 400.0 * (to - from));
    };
    for (int k = 0; k < 2000; ++k)
        see(Vec<2>(2, 2) + 0.7 * Vec<2>(std::cos(k * M_PI / 1000), std::sin(k * M_PI / 1000)));
    const auto see_polytope = [&](std::int32_t body, const Polytope<2>& polytope) {
        const auto world = [&](std::size_t k) -> Vec<2> {
            return room.bodies.position[body] + room.bodies.orientation[body] * polytope.vertices[k];
        };
        for (std::size_t k = 0; k < polytope.vertices.size(); ++k) {
            see_edge(world(k), world((k + 1) % polytope.vertices.size()));
        }
    };
    const Vec<2> half = room.bodies.orientation[1] * Vec<2>(1.5, 0);
    double rod = std::numeric_limits<double>::infinity();
    for (int k = -400; k <= 400; ++k) rod = std::min(rod, (room.bodies.position[1] + k / 400.0 * half - point).norm());
    least = std::min(least, std::abs(rod - 0.05));
    see_polytope(2, room.shapes.polytopes[0]);
    see_polytope(3, room.shapes.polytopes[1]);
    see_polytope(3, room.shapes.polytopes[2]);
    return std::min(least, std::abs(point.y() - 0.5));
}

TEST(Obstacles, DistanceIsThatOfTheNearestPointOfASurface)
{
    const Furniture room;
    const Obstacles obstacles = obstacles_of(room.bodies, room.shapes, fixed_bodies(room.bodies));
    EXPECT_EQ(obstacles.size(), 6u) << "two parts of the cluster";
    Random random(3);
    for (int k = 0; k < 400; ++k) {
        const Vec<2> point(random.uniform(0, 10), random.uniform(0, 10));
        const Approach wall = obstacles.nearest(point);
        if (wall.distance < 0) continue; // edges within the cluster are no surface
        // points of a surface lie at most 0.01 m apart
        EXPECT_NEAR(wall.distance, sampled_distance(room, point), 0.005) << point.transpose();
        EXPECT_NEAR(wall.outward.norm(), 1, 1e-12);
        // straight away from it the distance grows by the way, at least from the same body
        const Approach further = obstacles.nearest(point + 1e-6 * wall.outward);
        if (further.body == wall.body) {
            EXPECT_NEAR(further.distance, wall.distance + 1e-6, 1e-10);
        }
    }
}

TEST(Obstacles, DistanceIsNegativeInside)
{
    const Furniture room;
    const Obstacles obstacles = obstacles_of(room.bodies, room.shapes, fixed_bodies(room.bodies));
    EXPECT_NEAR(obstacles.nearest({2, 2.1}).distance, -0.6, 1e-12);
    EXPECT_NEAR(obstacles.nearest({3, 7}).distance, -0.5, 1e-12);
    EXPECT_EQ(obstacles.nearest({3, 7}).body, 2);
    EXPECT_NEAR(obstacles.nearest({5, 0.2}).distance, -0.3, 1e-12);
}

TEST(Ground, BlocksCellsNearerThanTheClearance)
{
    const Furniture room;
    const Obstacles obstacles = obstacles_of(room.bodies, room.shapes, fixed_bodies(room.bodies));
    const Ground ground = make_ground(room.bodies, room.shapes, {{{0, 0}, {10, 10}}, 0.1, 0.25});
    ASSERT_EQ(ground.nx, 100);
    ASSERT_EQ(ground.ny, 100);
    for (std::size_t c = 0; c < ground.size(); ++c) {
        const double distance = obstacles.nearest(ground.centre(c)).distance;
        EXPECT_EQ(bool(ground.blocked[c]), distance < 0.25) << ground.centre(c).transpose();
        if (!ground.blocked[c]) {
            EXPECT_EQ(ground.refuge[c], std::int32_t(c));
            continue;
        }
        ASSERT_GE(ground.refuge[c], 0);
        EXPECT_FALSE(ground.blocked[ground.refuge[c]]);
        if (distance > 0 && distance < 0.24) { // people stand there, who need not go further than out of the clearance
            EXPECT_GE(obstacles.nearest(ground.centre(c) + ground.way_out[c]).distance, 0.25);
        }
    }
}

TEST(Ground, WayOutOfAThinWallStaysOnItsSide)
{
    Obstacles obstacles;
    const Vec<2> from(1, 1.03), to(9, 7.21);
    obstacles.add_wall(from, to);
    const Ground ground = make_ground(obstacles, {{{0, 0}, {10, 10}}, 0.1, 0.2});
    const Vec<2> normal = Vec<2>(from.y() - to.y(), to.x() - from.x()).normalized();
    for (std::size_t c = 0; c < ground.size(); ++c) {
        if (!ground.blocked[c]) continue;
        const double side = normal.dot(ground.centre(c) - from);
        const double along = (ground.centre(c) - from).dot(to - from) / (to - from).squaredNorm();
        if (along < 0 || along > 1) continue; // round its end
        EXPECT_GT(side * normal.dot(ground.centre(c) + ground.way_out[c] - from), 0);
        EXPECT_GT(side * normal.dot(ground.centre(std::size_t(ground.refuge[c])) - from), 0);
    }
}

TEST(Ground, MovingBodiesDoNotBlock)
{
    Furniture room;
    room.bodies.imposed[0] = 0;
    const Ground ground = make_ground(room.bodies, room.shapes, {{{0, 0}, {10, 10}}, 0.1, 0.25});
    EXPECT_FALSE(ground.blocked[ground.cell_at({2, 2})]);
}

TEST(Ground, RefusesCellsThatAWallWouldLeakThrough)
{
    EXPECT_THROW(make_ground(Obstacles(), {{{0, 0}, {10, 10}}, 0.3, 0.25}), InputError);
    EXPECT_THROW(make_ground(Obstacles(), {{{0, 0}, {0, 10}}, 0.1, 0.25}), InputError);
    EXPECT_THROW(make_ground(Obstacles(), {{{0, 0}, {1e6, 1e6}}, 0.1, 0.25}), InputError);
}

TEST(Ground, IsTheSameForAnyNumberOfThreads)
{
    const Furniture room;
    const int before = thread_count();
    set_thread_count(1);
    const Ground one = make_ground(room.bodies, room.shapes, {{{0, 0}, {10, 10}}, 0.05, 0.25});
    set_thread_count(3);
    const Ground three = make_ground(room.bodies, room.shapes, {{{0, 0}, {10, 10}}, 0.05, 0.25});
    set_thread_count(before);
    EXPECT_EQ(one.blocked, three.blocked);
    EXPECT_EQ(one.refuge, three.refuge);
    EXPECT_EQ(one.way_out, three.way_out);
}

} // namespace
