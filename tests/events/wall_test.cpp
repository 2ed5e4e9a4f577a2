// Contacts with walls of every kind, at rest and in motion: found where a fine scan of the gap finds them, none missed.
#include "events/clouds.hpp"

namespace talus::events {
namespace {

// The first time at which the gap closes, by a scan of 20 µs and bisection.
template <int D>
double scanned(const Wall<D>& wall, const Flight<D>& ball, const Vec<D>& gravity, double until)
{
    const auto gap = [&](double time) { return wall.gap(place_at(ball, gravity, time), ball.radius, time); };
    constexpr double step = 2e-5;
    for (double time = ball.time; time < until; time += step) {
        if (gap(time + step) >= 0) continue;
        double low = time, high = time + step;
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            (gap(middle) >= 0 ? low : high) = middle;
        }
        return low;
    }
    return never;
}

template <int D>
Vec<D> random_vector(Random& random, double size)
{
    Vec<D> vector;
    for (double& component : vector) component = random.uniform(-size, size);
    return vector;
}

template <int D>
Wall<D> random_wall(ShapeKind kind, bool moves, Random& random)
{
    Wall<D> wall;
    wall.kind = kind;
    wall.place = random_vector<D>(random, 0.1);
    wall.direction = random_vector<D>(random, 1).normalized();
    if (kind == ShapeKind::segment) {
        wall.direction *= 0.2;
        wall.radius = 0.02;
    } else if (kind != ShapeKind::half_space) {
        wall.radius = 0.6;
    } else {
        wall.place -= 0.4 * wall.direction;
    }
    if (!moves) return wall;
    std::vector<ImposedTerm<D>> terms(2);
    terms[0].begin = 0.1;
    terms[0].end = 0.4;
    terms[0].velocity = random_vector<D>(random, 0.2);
    terms[1].oscillations.push_back({random_vector<D>(random, 0.02), random.uniform(20, 300), 0, random.uniform(0, 6)});
    wall.motion = WallMotion<D>(terms);
    return wall;
}

template <int D>
void expect_no_contact_missed(ShapeKind kind)
{
    Random random(5);
    int hits = 0;
    for (int k = 0; k < 300; ++k) {
        const Wall<D> wall = random_wall<D>(kind, k % 2 == 0, random);
        Flight<D> ball{};
        ball.radius = 0.03;
        ball.time = 0.05;
        ball.place = random_vector<D>(random, 0.3);
        ball.velocity = random_vector<D>(random, 2);
        const Vec<D> gravity = k % 3 == 0 ? Vec<D>(Vec<D>::Zero()) : random_vector<D>(random, 10);
        if (wall.gap(ball.place, ball.radius, ball.time) <= 0.01) continue; // starts outside, and outside the shaking
        const double until = 0.8, expected = scanned(wall, ball, gravity, until);
        const WallEvent found = next_contact(wall, ball, gravity, until);
        ASSERT_FALSE(found.is_look);
        if (expected == never) {
            if (found.time < until) { // the scan steps over what grazes
                EXPECT_NEAR(wall.gap(place_at(ball, gravity, found.time), ball.radius, found.time), 0, 1e-9) << k;
            }
            continue;
        }
        ++hits;
        EXPECT_NEAR(found.time, expected, 1e-9)
            << shape_name<D>(kind) << " " << k; // a scan may see a grazing blow late
    }
    EXPECT_GT(hits, 10);
}

TEST(WallContact, IsFoundWhereAScanFindsItInThePlane)
{
    for (const ShapeKind kind : {ShapeKind::half_space, ShapeKind::segment, ShapeKind::hollow_ball}) {
        expect_no_contact_missed<2>(kind);
    }
}

TEST(WallContact, IsFoundWhereAScanFindsItInSpace)
{
    for (const ShapeKind kind :
         {ShapeKind::half_space, ShapeKind::segment, ShapeKind::hollow_ball, ShapeKind::hollow_cylinder}) {
        expect_no_contact_missed<3>(kind);
    }
}

// Motion of a wall: pieces join, and velocities are those of the places.
TEST(WallMotion, IsSmoothFromPieceToPiece)
{
    ImposedTerm<2> ramp, shake;
    ramp.begin = 0.2;
    ramp.end = 0.5;
    ramp.velocity = {1, -2};
    shake.begin = 0.3;
    shake.end = 0.9;
    shake.oscillations.push_back({{0, 0.1}, 31.0, 0.3, 0.7});
    const WallMotion<2> motion({ramp, shake});
    for (double time = 0.001; time < 1.2; time += 0.0103) {
        const double h = 1e-6;
        const Vec<2> rate = (motion.displacement(time + h) - motion.displacement(time - h)) / (2 * h);
        EXPECT_LT((rate - motion.velocity(time)).norm(), 1e-6) << time; // third derivative × h²
    }
    EXPECT_EQ(motion.displacement(0.1), Vec<2>(0, 0));
    EXPECT_NEAR(motion.displacement(2)[0], 0.3, 1e-12);
    const double swing = 0.1 * (std::sin(31 * 0.6 + 0.7) - std::sin(0.7));
    EXPECT_NEAR(motion.displacement(2)[1], -0.6 + swing, 1e-12);
}

} // namespace
} // namespace talus::events
