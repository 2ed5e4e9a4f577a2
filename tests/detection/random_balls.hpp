// Random and adversarial sets of balls and walls for the tests of detection; all seeded.
#pragma once

#include "talus/base/random.hpp"
#include "talus/detection/detector.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace talus::test {

template <int D>
struct Scene {
    explicit Scene(std::string name_of_scene) : name(std::move(name_of_scene)) {}

    std::string name;
    std::vector<Vec<D>> centre;
    std::vector<double> radius;
    std::vector<std::uint8_t> passive;
    std::vector<WallBound<D>> walls;
    double reach = 0;

    void add(const Vec<D>& c, double r, bool is_passive = false)
    {
        centre.push_back(c);
        radius.push_back(r);
        passive.push_back(is_passive);
    }
    void add_wall(std::function<double(const Vec<D>&)> distance, bool is_passive = true)
    {
        walls.push_back({std::int32_t(centre.size()), std::move(distance)});
        add(Vec<D>::Zero(), -1, is_passive);
    }
    void add_half_space(const Vec<D>& point, const Vec<D>& direction, bool is_passive = true)
    {
        const Vec<D> normal = direction.normalized();
        add_wall([point, normal](const Vec<D>& x) { return (x - point).dot(normal); }, is_passive);
    }
    void add_bowl(const Vec<D>& centre_of_bowl, double bowl_radius)
    {
        add_wall([centre_of_bowl, bowl_radius](const Vec<D>& x) { return bowl_radius - (x - centre_of_bowl).norm(); });
    }
    BallsAndWalls<D> seen() const { return {centre, radius, passive, walls, reach}; }
};

template <int D>
Vec<D> random_point(Random& random, double low, double high)
{
    Vec<D> point;
    for (int axis = 0; axis < D; ++axis) point[axis] = random.uniform(low, high);
    return point;
}

template <int D>
double box_for(std::size_t balls, double mean_volume, double fraction)
{
    return std::pow(double(balls) * mean_volume / fraction, 1.0 / D);
}

// What "find" promises, written as plainly as possible.
template <int D>
std::vector<Pair> promised_pairs(const BallsAndWalls<D>& seen)
{
    const auto usable = [&](std::size_t i) {
        return seen.radius[i] >= 0 && std::isfinite(seen.radius[i]) && seen.centre[i].allFinite();
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < seen.centre.size(); ++i) {
        for (std::size_t j = i + 1; j < seen.centre.size(); ++j) {
            if (seen.passive[i] && seen.passive[j]) continue;
            bool close = false;
            if (usable(i) && usable(j)) {
                const double limit = seen.radius[i] + seen.radius[j] + seen.reach;
                double square = 0;
                for (int axis = 0; axis < D; ++axis) square += std::pow(seen.centre[i][axis] - seen.centre[j][axis], 2);
                close = square <= limit * limit;
            }
            for (const WallBound<D>& wall : seen.walls) {
                const std::size_t ball = std::size_t(wall.body) == i ? j : i;
                if (std::size_t(wall.body) != i && std::size_t(wall.body) != j) continue;
                close = close || (usable(ball) && wall.distance(seen.centre[ball]) - seen.radius[ball] <= seen.reach);
            }
            if (close) pairs.push_back({std::int32_t(i), std::int32_t(j)});
        }
    }
    return pairs;
}

template <int D>
Scene<D> equal_grains(std::size_t balls, double fraction, double reach, std::uint64_t seed)
{
    Random random(seed);
    Scene<D> scene{"equal grains"};
    const double box = box_for<D>(balls, ball_volume<D>(0.5), fraction);
    for (std::size_t k = 0; k < balls; ++k) scene.add(random_point<D>(random, 0, box), 0.5);
    scene.reach = reach;
    return scene;
}

template <int D>
Scene<D> mixed_grains(std::size_t balls, double ratio, double reach, std::uint64_t seed)
{
    Random random(seed);
    Scene<D> scene{"sizes from 1 to " + std::to_string(int(ratio))};
    double volume = 0;
    std::vector<double> radius(balls);
    for (double& r : radius) {
        r = 0.5 * std::pow(ratio, std::pow(random.uniform(), 3)); // many small, few large
        volume += ball_volume<D>(r);
    }
    const double box = std::pow(volume / 0.6, 1.0 / D);
    for (const double r : radius) scene.add(random_point<D>(random, -box, 0), r);
    scene.reach = reach;
    return scene;
}

template <int D>
Scene<D> lattice(int side, double spacing, double radius, double jitter, std::uint64_t seed)
{
    Random random(seed);
    Scene<D> scene{"lattice"};
    const std::size_t balls = std::size_t(std::lround(std::pow(side, D)));
    for (std::size_t k = 0; k < balls; ++k) {
        Vec<D> point;
        std::size_t rest = k;
        for (int axis = 0; axis < D; ++axis, rest /= std::size_t(side))
            point[axis] = spacing * double(rest % std::size_t(side));
        if (jitter > 0) point += random_point<D>(random, -jitter, jitter);
        scene.add(point, radius);
    }
    return scene;
}

template <int D>
std::vector<Scene<D>> adversarial_scenes(std::uint64_t seed)
{
    Random random(seed);
    std::vector<Scene<D>> scenes;
    const auto scene = [&](const std::string& name) -> Scene<D>& { return scenes.emplace_back(name); };

    scenes.push_back(equal_grains<D>(600, 0.5, 0.0, seed));
    scenes.push_back(equal_grains<D>(600, 0.5, 0.05, seed + 1));
    scenes.push_back(equal_grains<D>(300, 0.001, 3.0, seed + 2));
    scenes.push_back(mixed_grains<D>(800, 20, 0.0, seed + 3));
    scenes.push_back(mixed_grains<D>(800, 20, 0.2, seed + 4));
    scenes.push_back(mixed_grains<D>(400, 1000, 0.01, seed + 5));
    {
        Scene<D>& s = scene("clusters");
        for (int cluster = 0; cluster < 8; ++cluster) {
            const Vec<D> middle = random_point<D>(random, -100, 100);
            for (int k = 0; k < 40; ++k) s.add(middle + random_point<D>(random, -1.5, 1.5), random.uniform(0.1, 0.4));
        }
        s.reach = 0.1;
    }
    for (const bool tilted : {false, true}) {
        Scene<D>& s = scene(tilted ? "collinear, tilted" : "collinear");
        Vec<D> direction = Vec<D>::Unit(D - 1);
        if (tilted) direction = random_point<D>(random, 0.1, 1).normalized();
        for (int k = 0; k < 100; ++k) s.add(direction * (0.97 * k), k % 7 == 0 ? 0.9 : 0.5);
        s.reach = 0.02;
    }
    for (const bool tilted : {false, true}) {
        Scene<D>& s = scene(tilted ? "coplanar, tilted" : "coplanar");
        Vec<D> normal = Vec<D>::Unit(0);
        if (tilted) normal = random_point<D>(random, 0.1, 1).normalized();
        for (int k = 0; k < 200; ++k) {
            const Vec<D> point = random_point<D>(random, 0, 12);
            s.add(point - normal * normal.dot(point), 0.5);
        }
    }
    {
        Scene<D> s = lattice<D>(D == 2 ? 20 : 8, 1.0, 0.5, 0, seed);
        s.name = "lattice, touching exactly";
        scenes.push_back(s);
        s.reach = 0.45;
        s.name = "lattice, diagonals within reach";
        scenes.push_back(s);
        s = lattice<D>(D == 2 ? 20 : 8, 0.96, 0.5, 0, seed);
        s.name = "lattice, overlapping by 4 % of the diameter";
        scenes.push_back(s);
        s = lattice<D>(D == 2 ? 20 : 8, 0.96, 0.5, 1e-12, seed);
        s.name = "lattice, jittered by rounding";
        scenes.push_back(s);
    }
    {
        Scene<D>& s = scene("identical centres");
        for (int k = 0; k < 60; ++k) s.add(Vec<D>::Constant(3.25), 0.5);
    }
    {
        Scene<D>& s = scene("identical centres, different radii, and neighbours");
        for (int k = 0; k < 30; ++k) s.add(Vec<D>::Constant(-1), 0.1 * (1 + k % 5));
        for (int k = 0; k < 60; ++k) s.add(random_point<D>(random, -3, 1), 0.3);
    }
    {
        Scene<D>& s = scene("one giant among dust");
        s.add(Vec<D>::Zero(), 50);
        for (int k = 0; k < 800; ++k) {
            const Vec<D> direction = random_point<D>(random, -1, 1).normalized();
            s.add(direction * random.uniform(49.5, 53), random.uniform(0.3, 0.5));
        }
        s.reach = 0.1;
    }
    {
        Scene<D>& s = scene("dust inside a giant");
        s.add(Vec<D>::Constant(0.1), 10);
        for (int k = 0; k < 200; ++k) s.add(random_point<D>(random, -4, 4), 0.2);
    }
    {
        Scene<D>& s = scene("all in one cell");
        for (int k = 0; k < 80; ++k) s.add(random_point<D>(random, 0, 0.4), 0.5);
    }
    {
        Scene<D>& s = scene("heap with grains lost far away");
        for (int k = 0; k < 400; ++k) s.add(random_point<D>(random, 0, D == 2 ? 20 : 8), 0.5);
        for (int k = 0; k < 20; ++k) s.add(random_point<D>(random, -1, 1) * std::pow(10.0, k), 0.5);
        s.add(Vec<D>::Constant(1e300), 0.5);
        s.add(Vec<D>::Constant(-1e300), 0.5);
        s.reach = 0.05;
    }
    {
        Scene<D>& s = scene("thin gas");
        for (int k = 0; k < 500; ++k) s.add(random_point<D>(random, 0, 1000), 0.5);
        for (int k = 0; k < 50; ++k) s.add(s.centre[std::size_t(k)] + Vec<D>::Unit(k % D), 0.5);
        s.reach = 1e-9;
    }
    {
        Scene<D>& s = scene("points without size");
        for (int k = 0; k < 100; ++k) s.add(random_point<D>(random, 0, 1), 0);
        for (int k = 0; k < 20; ++k) s.add(s.centre[std::size_t(k)], 0);
    }
    {
        Scene<D>& s = scene("lost to NaN and infinity");
        for (int k = 0; k < 100; ++k) s.add(random_point<D>(random, 0, D == 2 ? 9 : 4.5), 0.5);
        const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
        s.centre[7][0] = nan;
        s.centre[20][1] = inf;
        s.centre[30] = Vec<D>::Constant(-inf);
        s.radius[40] = inf;
        s.radius[50] = nan;
        s.add_half_space(Vec<D>::Zero(), Vec<D>::Unit(0), false);
        s.reach = 0.1;
    }
    {
        Scene<D>& s = scene("walls at odd angles and a bowl, some bodies passive");
        s.add_half_space(Vec<D>::Constant(0.3), random_point<D>(random, 0.2, 1));
        s.add_half_space(Vec<D>::Constant(7.0), random_point<D>(random, -1, -0.1), false);
        for (int k = 0; k < 400; ++k) {
            s.add(random_point<D>(random, 0, D == 2 ? 20 : 8), random.uniform(0.1, 0.5), random.uniform() < 0.4);
        }
        s.add_bowl(Vec<D>::Constant(4.0), 9.0);
        s.add_half_space(Vec<D>::Unit(D - 1), -Vec<D>::Unit(D - 1));
        s.reach = 0.07;
    }
    {
        Scene<D>& s = scene("mixed sizes in walls");
        s = mixed_grains<D>(500, 20, 0.1, seed + 9);
        s.name = "mixed sizes in walls";
        s.add_half_space(Vec<D>::Constant(-1), -Vec<D>::Unit(0), false);
        s.add_half_space(Vec<D>::Constant(-10), random_point<D>(random, -0.2, 1));
    }
    {
        Scene<D>& s = scene("far from the origin");
        s = equal_grains<D>(300, 0.5, 0.01, seed + 10);
        s.name = "far from the origin";
        for (Vec<D>& c : s.centre) c += Vec<D>::Constant(1e7);
    }
    for (std::size_t balls = 0; balls <= 20; ++balls) {
        if (balls > 4 && balls < 15) continue;
        Scene<D>& s = scene(std::to_string(balls) + " balls");
        for (std::size_t k = 0; k < balls; ++k) s.add(random_point<D>(random, 0, 2), 0.5);
        if (balls == 2) s.add_half_space(Vec<D>::Zero(), Vec<D>::Unit(0), false);
    }
    scene("walls only").add_half_space(Vec<D>::Zero(), Vec<D>::Unit(0), false);
    scenes.back().add_half_space(Vec<D>::Zero(), -Vec<D>::Unit(0), false);
    return scenes;
}

} // namespace talus::test
