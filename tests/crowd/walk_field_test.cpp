// Distances against geometry; walkers who follow the field.
#include "talus/base/random.hpp"
#include "talus/crowd/walk_field.hpp"
#include "talus/exec/parallel.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

constexpr double radius = 0.2; // [m] of a person

void add_walls(Obstacles& obstacles, std::initializer_list<Vec<2>> corners)
{
    for (const Vec<2>* corner = corners.begin(); corner + 1 != corners.end(); ++corner) {
        obstacles.add_wall(corner[0], corner[1]);
    }
}

// 10 × 10 m; the door, 2 m wide, is in the middle of the right wall, x = 10.
Obstacles room_with_door()
{
    Obstacles obstacles;
    add_walls(obstacles, {{10, 6}, {10, 10}, {0, 10}, {0, 0}, {10, 0}, {10, 4}});
    return obstacles;
}
const Door right_door{{10, 4}, {10, 6}};

// The largest error of the distance to a door of length 2 m on the side of an empty room.
double largest_error_in_empty_room(double cell)
{
    const WalkField field(make_ground(Obstacles(), {{{0, 0}, {10, 10}}, cell, 0.5}),
                          std::vector<Door>{{{10, 4}, {10, 6}}});
    double largest = 0;
    for (std::size_t c = 0; c < field.ground().size(); ++c) {
        const Vec<2> point = field.ground().centre(c);
        const double exact = std::hypot(10 - point.x(), point.y() - std::clamp(point.y(), 4.0, 6.0));
        largest = std::max(largest, std::abs(field.distances()[c] - exact));
    }
    return largest;
}

// Of first order, since the straight ways around a door reach a fixed number of cells; a finer cell has the smaller
// error, and it stays below a thirtieth of the cell.
TEST(WalkField, DistanceInAnEmptyRoomIsEuclids)
{
    double before = std::numeric_limits<double>::infinity();
    for (const double cell : {0.1, 0.05, 0.025}) {
        const double error = largest_error_in_empty_room(cell);
        EXPECT_LT(error, cell / 30);
        EXPECT_GT(before / error, 1.5) << "cell " << cell; // 2 in the limit
        before = error;
    }
}

TEST(WalkField, InterpolatesBetweenCellsToTheErrorOfTheField)
{
    const WalkField field(make_ground(Obstacles(), {{{0, 0}, {10, 10}}, 0.1, 0.2}), std::vector<Door>{right_door});
    Random random(5);
    for (int k = 0; k < 2000; ++k) {
        const Vec<2> point(random.uniform(0.05, 9.95), random.uniform(0.05, 9.95));
        const Vec<2> exit(10, std::clamp(point.y(), 4.0, 6.0));
        EXPECT_NEAR(field.distance(point), (exit - point).norm(), 0.01) << point.transpose();
        // at the edge of the fan around an end of the door the rate of turning jumps by 1/r: interpolation between
        // cells misses a quarter of cell/r; differences miss one degree
        const double angle = M_PI / 180 + 0.1 / (4 * (exit - point).norm());
        EXPECT_GT(field.direction(point).dot((exit - point).normalized()), std::cos(angle)) << point.transpose();
        EXPECT_NEAR(field.direction(point).norm(), 1, 1e-12);
    }
}

// Round the end of a wall: two tangents to the circle of the person's radius around it, and the arc between them.
double way_round(const Vec<2>& from, const Vec<2>& end, const Vec<2>& to, double clearance)
{
    const double a = (from - end).norm(), b = (to - end).norm();
    const double angle = std::acos((from - end).dot(to - end) / (a * b));
    const double arc = 2 * M_PI - angle - std::acos(clearance / a) - std::acos(clearance / b);
    return std::sqrt(a * a - clearance * clearance) + std::sqrt(b * b - clearance * clearance) + clearance * arc;
}
TEST(WalkField, DistanceRoundACornerIsTheShortestPath)
{
    Obstacles obstacles;
    add_walls(obstacles, {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}});
    obstacles.add_wall({5, 0}, {5, 6}); // its end is at (5, 6)
    // blocked cells make the circle a polygon: about two cells more for a turn
    const WalkField field(make_ground(obstacles, {{{0, 0}, {10, 10}}, 0.025, radius}),
                          std::vector<Door>{{{9, 2}, {9, 2}}});
    Random random(8);
    for (int k = 0; k < 500; ++k) {
        const Vec<2> from(random.uniform(0.3, 4.6), random.uniform(0.3, 4));
        const double exact = way_round(from, {5, 6}, {9, 2}, radius);
        EXPECT_NEAR(field.distance(from), exact, 0.01 * exact) << from.transpose();
    }
}

// Walls from the left and from the right in turn: the way is close to its width for each of them.
Obstacles labyrinth(int turns)
{
    Obstacles obstacles;
    add_walls(obstacles, {{0, 0}, {10, 0}, {10, turns + 1.0}, {0, turns + 1.0}, {0, 0}});
    for (int k = 1; k <= turns; ++k) {
        obstacles.add_wall(k % 2 ? Vec<2>(0, k) : Vec<2>(1, k), k % 2 ? Vec<2>(9, k) : Vec<2>(10, k));
    }
    return obstacles;
}
TEST(WalkField, FindsTheWayThroughALabyrinth)
{
    // inner tangents of the circles around the ends of two walls, from (9, 1) to (1, 2) and so on, and arcs between
    // them
    const double between = std::sqrt(64 + 1 - 4 * radius * radius);
    const double tilt = std::atan2(1, 8) - std::asin(2 * radius / std::sqrt(65.0));
    const double arc = radius * (M_PI - 2 * tilt);
    // the tangents from the start and to the door
    const Vec<2> start(0.5, 0.5);
    const double first = std::hypot(8.5, 0.5), tangent = std::sqrt(first * first - radius * radius);
    const double first_tilt = std::atan2(0.5, 8.5) - std::asin(radius / first);
    const double first_arc = radius * (M_PI - tilt - first_tilt);
    const double exact = 2 * tangent + 8 * between + 7 * arc + 2 * first_arc;
    // cells make a polygon of each circle, outside of it: a few cells more for half a turn, 3 % of the way with cells
    // of 0.1 m, and less with smaller ones
    const auto excess = [&](double cell) {
        const WalkField field(make_ground(labyrinth(9), {{{0, 0}, {10, 10}}, cell, radius}),
                              std::vector<Door>{{{0.5, 9.5}, {0.5, 9.5}}});
        return field.distance(start) / exact - 1;
    };
    const double coarse = excess(0.1), medium = excess(0.05), fine = excess(0.0125);
    EXPECT_LT(coarse, 0.03);
    EXPECT_LT(medium, 0.7 * coarse);
    EXPECT_LT(fine, 0.7 * 0.7 * medium);
    EXPECT_LT(fine, 0.01);
    EXPECT_GT(fine, 0) << "shorter than the shortest way";
}

TEST(WalkField, ClosedRoomIsInfinitelyFar)
{
    Obstacles obstacles = room_with_door();
    add_walls(obstacles, {{2, 2}, {4, 2.3}, {3, 4.1}, {2, 2}});
    const WalkField field(make_ground(obstacles, {{{-1, -1}, {11, 11}}, 0.1, 0.1}), std::vector<Door>{right_door});
    const Vec<2> inside(3, 2.9);
    EXPECT_TRUE(std::isinf(field.distance(inside)));
    EXPECT_EQ(field.direction(inside), Vec<2>(0, 0));
    EXPECT_EQ(field.door(inside), -1);
    EXPECT_TRUE(std::isfinite(field.distance({3, 1.5})));
    EXPECT_TRUE(std::isfinite(field.distance({1, 3})));
}

TEST(WalkField, DoorNarrowerThanAPersonIsNone)
{
    Obstacles obstacles;
    add_walls(obstacles, {{10, 5.3}, {10, 10}, {0, 10}, {0, 0}, {10, 0}, {10, 5}});
    const std::vector<Door> doors{{{10, 5}, {10, 5.3}}};
    const Ground ground = make_ground(obstacles, {{{0, 0}, {10.5, 10}}, 0.1, radius});
    EXPECT_TRUE(free_parts(ground, doors).empty());
    EXPECT_TRUE(std::isinf(WalkField(ground, doors).distance({5, 5})));
}

struct Room {
    const char* name;
    Obstacles obstacles;
    Bounds<2> extent;
    std::vector<Door> doors;
};

std::vector<Room> rooms_to_walk()
{
    std::vector<Room> rooms;
    rooms.push_back({"one door", room_with_door(), {{0, 0}, {11, 10}}, {right_door}});
    Room column{"column before the door", room_with_door(), {{0, 0}, {11, 10}}, {right_door}};
    column.obstacles.add_disk({7, 5}, 1);
    rooms.push_back(column);
    Room corners{"sharp corners", room_with_door(), {{0, 0}, {11, 10}}, {right_door, {{0, 9}, {1, 10}}}};
    add_walls(corners.obstacles, {{6, 9}, {8, 5}, {6, 1}, {6.5, 5}, {6, 9}});
    add_walls(corners.obstacles, {{1, 1}, {4, 4}, {1, 7}});
    rooms.push_back(corners);
    rooms.push_back({"labyrinth", labyrinth(9), {{0, 0}, {10, 10}}, {{{0.5, 9.2}, {0.5, 9.8}}}});
    Room strewn{"strewn with furniture", room_with_door(), {{0, 0}, {11, 10}}, {right_door}};
    Random random(21);
    for (int k = 0; k < 12; ++k) {
        const Vec<2> place(random.uniform(1, 8), random.uniform(1, 9));
        const Vec<2> a = Rotation<2>(random.uniform(0, 6)) * Vec<2>(random.uniform(0.2, 0.6), 0);
        const Vec<2> b = 0.7 * Vec<2>(-a.y(), a.x());
        strewn.obstacles.add_polygon(std::vector<Vec<2>>{place - a - b, place + a - b, place + a + b, place - a + b});
    }
    rooms.push_back(strewn);
    return rooms;
}

// Steps of 5 cm along the field, from where a person's centre can be: outside of obstacles, also within their
// clearance.
TEST(WalkField, WalkersArriveAndNeverWalkIntoAWall)
{
    const double step = 0.05, cell = 0.1;
    for (const Room& room : rooms_to_walk()) {
        const WalkField field(make_ground(room.obstacles, {room.extent, cell, radius}), room.doors);
        Random random(11);
        int arrived = 0, walkers = 0;
        while (walkers < 2000) {
            Vec<2> place(random.uniform(room.extent.lower.x(), room.extent.upper.x()),
                         random.uniform(room.extent.lower.y(), room.extent.upper.y()));
            double clearance = room.obstacles.nearest(place).distance;
            // nearer to a wall than half a cell's diagonal the cell's centre may lie beyond it
            if (clearance < 0.5 * std::sqrt(2.0) * cell || !std::isfinite(field.distance(place))) continue;
            ++walkers;
            const Vec<2> start = place;
            const double far = field.distance(place);
            int steps = 0;
            // a fifth more than the way, for the steps out of a clearance
            while (field.distance(place) > step && steps < 1.2 * far / step + 20) {
                place += step * field.direction(place);
                ++steps;
                const double now = room.obstacles.nearest(place).distance;
                // people keep their distance to about a cell, and those who are nearer do not go nearer
                ASSERT_GT(now, std::min(clearance, radius - cell) - 1e-9)
                    << room.name << ": from " << start.transpose() << " at " << place.transpose();
                clearance = now;
            }
            arrived += field.distance(place) <= step;
            EXPECT_LE(field.distance(place), step)
                << room.name << ": from " << start.transpose() << ", lost at " << place.transpose() << " way " << far;
        }
        EXPECT_EQ(arrived, walkers) << room.name;
    }
}

TEST(WalkField, MirroredRoomHasTheMirroredField)
{
    const auto room = [](double sign) {
        Obstacles obstacles;
        const auto at = [&](double x, double y) { return Vec<2>(sign * x, y); };
        const auto wall = [&](double x0, double y0, double x1, double y1) {
            obstacles.add_wall(at(x0, y0), at(x1, y1));
        };
        wall(-5, 0, 5, 0);
        wall(5, 0, 5, 3.3);
        wall(5, 4.9, 5, 8);
        wall(5, 8, -5, 8);
        wall(-5, 8, -5, 0);
        wall(1, 2, 3, 6);
        obstacles.add_disk(at(-2, 4), 1);
        const std::vector<Door> doors{{at(5, 3.3), at(5, 4.9)}};
        return WalkField(make_ground(obstacles, {{{-6, 0}, {6, 8}}, 0.1, radius}), doors);
    };
    const WalkField field = room(1), mirrored = room(-1);
    const Ground& ground = field.ground();
    for (int j = 0; j < ground.ny; ++j) {
        for (int i = 0; i < ground.nx; ++i) {
            const std::size_t c = ground.index(i, j), m = ground.index(ground.nx - 1 - i, j);
            ASSERT_EQ(ground.blocked[c], mirrored.ground().blocked[m]);
            if (ground.blocked[c] || std::isinf(field.distances()[c])) continue;
            // a front of some hundred cells, each with the round-off of T = 10 m
            ASSERT_NEAR(field.distances()[c], mirrored.distances()[m], 1e-12) << ground.centre(c).transpose();
        }
    }
}

TEST(WalkField, DoorThatCostsMoreIsLeftToThoseNearIt)
{
    Obstacles obstacles;
    const WalkField field(make_ground(obstacles, {{{0, 0}, {10, 2}}, 0.1, radius}),
                          std::vector<Door>{{{0, 0}, {0, 2}}, {{10, 0}, {10, 2}, 4}});
    // x = 4 + 10 − x: as far to either
    EXPECT_EQ(field.door({6.8, 1}), 0);
    EXPECT_EQ(field.door({7.2, 1}), 1);
    EXPECT_NEAR(field.distance({9, 1}), 5, 1e-9);
    EXPECT_NEAR(field.direction({6.5, 1}).x(), -1, 1e-9);
    EXPECT_NEAR(field.direction({7.5, 1}).x(), 1, 1e-9);
}

TEST(WalkField, SlowGroundIsWalkedRound)
{
    const Ground ground = make_ground(Obstacles(), {{{0, 0}, {10, 10}}, 0.1, radius});
    std::vector<double> slowness(ground.size(), 1);
    for (std::size_t c = 0; c < ground.size(); ++c) {
        if ((ground.centre(c) - Vec<2>(5, 5)).cwiseAbs().maxCoeff() < 1) slowness[c] = 3;
    }
    const std::vector<Door> doors{{{10, 5}, {10, 5}}};
    const WalkField field(ground, doors, slowness);
    // from (0, 5): through the square 10 + 2·2 m, past its corners 2 hypot(4, 1) + 2 m
    const double round = 2 * std::hypot(4, 1) + 2;
    EXPECT_NEAR(field.distance({0.05, 5}), round - 0.05, 0.01 * round);
    EXPECT_GT(std::abs(field.direction({1, 5.3}).y()), 0.1);
    // all ground twice as slow: twice the time everywhere
    const auto evenly = [&](double slow) { return WalkField(ground, doors, std::vector<double>(ground.size(), slow)); };
    const WalkField twice = evenly(2), once = evenly(1);
    for (std::size_t c = 0; c < ground.size(); ++c) {
        ASSERT_NEAR(twice.distances()[c], 2 * once.distances()[c], 1e-11);
    }
}

TEST(WalkField, IsTheSameForAnyNumberOfThreads)
{
    const Room room = rooms_to_walk()[2];
    const int before = thread_count();
    const auto field = [&](int threads) {
        set_thread_count(threads);
        return WalkField(make_ground(room.obstacles, {room.extent, 0.05, radius}), room.doors);
    };
    const WalkField one = field(1), three = field(3);
    set_thread_count(before);
    for (std::size_t c = 0; c < one.ground().size(); ++c) {
        ASSERT_EQ(one.distances()[c], three.distances()[c]);
        ASSERT_EQ(one.directions()[c], three.directions()[c]);
    }
}

} // namespace
