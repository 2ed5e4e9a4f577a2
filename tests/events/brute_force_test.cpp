// No collision is missed: the same impacts as found by looking at all pairs and walls after each of them, by other
// code.
#include "events/clouds.hpp"

namespace talus::events {
namespace {

template <int D>
struct Point {
    Vec<D> place, velocity;
    double radius, mass;
};

struct Hit {
    double time;
    std::int32_t first, second;
};

// First root of |x + v τ| = apart with closing motion.
template <int D>
double time_to_meet(const Point<D>& a, const Point<D>& b)
{
    const Vec<D> x = a.place - b.place, v = a.velocity - b.velocity;
    const double b2 = x.dot(v), apart = a.radius + b.radius;
    const double inside = b2 * b2 - v.squaredNorm() * (x.squaredNorm() - apart * apart);
    if (b2 >= 0 || inside < 0) return never;
    return std::max(0.0, (-b2 - std::sqrt(inside)) / v.squaredNorm());
}

// x + v τ + a τ²/2 = room − radius on the way out, towards `side` of an axis.
template <int D>
double time_to_wall(const Point<D>& a, const Vec<D>& gravity, int axis, double side, double room)
{
    const double h = room - a.radius - side * a.place[axis], u = side * a.velocity[axis], g = side * gravity[axis];
    if (g == 0) return u > 0 ? std::max(0.0, h) / u : never;
    const double inside = u * u + 2 * g * h;
    if (inside < 0) return never;
    for (const double root : {(-u - std::sqrt(inside)) / g, (-u + std::sqrt(inside)) / g}) {
        if (root >= -1e-13 && u + g * root > 0) return std::max(0.0, root);
    }
    return never;
}

// Impacts without friction until there are `count`.
template <int D>
std::vector<Hit> reference(const Cloud& cloud, std::size_t count)
{
    const HardBalls<D> start = make_cloud<D>(cloud);
    std::vector<Point<D>> points(start.size());
    for (std::size_t p = 0; p < start.size(); ++p) {
        points[std::size_t(start.body(p).body)] = {start.ball(p).place, start.ball(p).velocity, start.ball(p).radius,
                                                   1 / start.body(p).inverse_mass};
    }
    const Vec<D> gravity = start.gravity();
    double now = 0;
    std::vector<Hit> hits;
    while (hits.size() < count) {
        double least = never;
        std::size_t first = 0, second = 0;
        int axis = -1;
        double side = 0;
        for (std::size_t p = 0; p < points.size(); ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                const double time = time_to_meet(points[p], points[q]);
                if (time < least) least = time, first = q, second = p, axis = -1;
            }
            for (int k = 0; k < D; ++k) {
                for (const double s : {-1.0, 1.0}) {
                    const double time = time_to_wall(points[p], gravity, k, s, cloud.room);
                    if (time < least) least = time, first = p, axis = k, side = s;
                }
            }
        }
        for (Point<D>& point : points) {
            point.place += least * point.velocity + 0.5 * least * least * gravity;
            point.velocity += least * gravity;
        }
        now += least;
        Point<D>& a = points[first];
        if (axis >= 0) {
            a.velocity[axis] *= -cloud.restitution;
            hits.push_back({now, std::int32_t(first), 1001 + 2 * axis + (side > 0 ? 1 : 0)});
            continue;
        }
        Point<D>& b = points[second];
        const Vec<D> normal = (a.place - b.place).normalized();
        const double impulse =
            -(1 + cloud.restitution) * (a.velocity - b.velocity).dot(normal) / (1 / a.mass + 1 / b.mass);
        a.velocity += impulse / a.mass * normal;
        b.velocity -= impulse / b.mass * normal;
        hits.push_back({now, std::int32_t(first), std::int32_t(second)});
    }
    return hits;
}

template <int D>
void expect_same_impacts(const Cloud& cloud, std::size_t count)
{
    const std::vector<Hit> expected = reference<D>(cloud, count);
    HardBalls<D> balls = make_cloud<D>(cloud);
    std::vector<Hit> found;
    balls.on_impact = [&](const Impact<D>& impact) {
        // walls are listed from the low side of each axis: 1001, 1002, ...
        const bool swap = !impact.is_wall && impact.second < impact.first;
        found.push_back({impact.time, swap ? impact.second : impact.first, swap ? impact.first : impact.second});
    };
    EnergyLedger energy;
    for (int step = 1; found.size() < count && step < 100000; ++step) balls.advance(0.01 * step, energy);
    ASSERT_GE(found.size(), count);
    for (std::size_t k = 0; k < count; ++k) {
        ASSERT_EQ(found[k].first, expected[k].first) << "impact " << k << ", seed " << cloud.seed;
        ASSERT_EQ(found[k].second, expected[k].second) << "impact " << k << ", seed " << cloud.seed;
        // each impact of a ball multiplies what rounding made by about the free path over the radius
        ASSERT_NEAR(found[k].time, expected[k].time, 1e-6) << "impact " << k << ", seed " << cloud.seed;
    }
}

TEST(HardBalls, MissNoImpactOfRandomCloudsInThePlane)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        expect_same_impacts<2>({.seed = seed}, 100);
        expect_same_impacts<2>({.gravity = 2, .seed = seed}, 100);
        expect_same_impacts<2>({.balls = 60, .smallest = 0.005, .largest = 0.25, .seed = seed}, 100); // 1 : 50 in size
    }
}

TEST(HardBalls, MissNoImpactOfRandomCloudsInSpace)
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        expect_same_impacts<3>({.balls = 80, .largest = 0.2, .seed = seed}, 200);
        expect_same_impacts<3>({.balls = 80, .largest = 0.2, .gravity = 3, .seed = seed}, 200);
    }
}

// Long after the reference has lost its way: whoever is missed flies into another.
TEST(HardBalls, NeverOverlapHoweverLongTheyFly)
{
    for (const double gravity : {0.0, 1.0}) {
        HardBalls<2> balls = make_cloud<2>({.balls = 150, .restitution = 1, .gravity = gravity});
        EnergyLedger energy;
        for (int step = 1; step <= 200; ++step) {
            balls.advance(0.137 * step, energy);
            ASSERT_GT(least_gap(balls), -1e-12) << "t = " << balls.now(); // round-off of places of a metre
            for (std::size_t p = 0; p < balls.size(); ++p) {
                ASSERT_LT(balls.place(p, balls.now()).lpNorm<Eigen::Infinity>(), 1.5 - balls.ball(p).radius + 1e-12);
            }
        }
        EXPECT_GT(balls.tally.impacts, 3000);
    }
}

TEST(HardBalls, FlyFarFromEachOtherWithoutWalls)
{
    HardBalls<3> balls = make_cloud<3>({.balls = 100, .largest = 0.3});
    balls.walls.clear();
    balls.begin(0, Vec<3>::Zero());
    EnergyLedger energy;
    for (int step = 1; step <= 50; ++step) {
        balls.advance(step, energy);
        ASSERT_GT(least_gap(balls), -1e-12);
    }
    EXPECT_GT(balls.tally.impacts, 10);
}

} // namespace
} // namespace talus::events
