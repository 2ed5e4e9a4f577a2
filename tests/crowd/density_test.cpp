// Voronoi cells with closed-form areas: lattices, walls, pillars, a person alone; maps by squares; levels of service.
#include "talus/base/random.hpp"
#include "talus/crowd/density.hpp"
#include "talus/exec/parallel.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

struct People {
    BodyTable<2> bodies;
    ShapeTable<2> shapes;

    std::size_t add(const Vec<2>& place, const Vec<2>& velocity = Vec<2>::Zero())
    {
        Body<2> body;
        body.position = place;
        body.velocity = velocity;
        body.mass = 75;
        body.inertia = Ang<2>(1);
        body.shape = shapes.add_ball(0.2);
        return std::size_t(bodies.add(body));
    }
    void add_obstacle(const Vec<2>& place, std::int32_t shape)
    {
        Body<2> body;
        body.position = place;
        body.imposed = all_imposed<2>;
        body.shape = shape;
        bodies.add(body);
    }
    void add_wall(const Vec<2>& from, const Vec<2>& to, double radius = 0)
    {
        add_obstacle(0.5 * (from + to), shapes.add_segment(0.5 * (to - from), radius));
    }
    void add_pillar(const Vec<2>& place, double radius) { add_obstacle(place, shapes.add_ball(radius)); }
    void add_room(const Vec<2>& lower, const Vec<2>& upper)
    {
        add_wall(lower, {upper.x(), lower.y()});
        add_wall({upper.x(), lower.y()}, upper);
        add_wall(upper, {lower.x(), upper.y()});
        add_wall({lower.x(), upper.y()}, lower);
    }
    std::vector<double> densities(const CellOptions& options = {}) const
    {
        return person_densities(bodies, shapes, options);
    }
    double total_area(const CellOptions& options = {}) const
    {
        double sum = 0;
        for (const PersonCell& cell : person_cells(bodies, shapes, options)) sum += cell.area;
        return sum;
    }
};

TEST(PersonDensity, OfASquareLatticeIsOneOverTheSpacingSquared)
{
    People people;
    const double a = 0.7;
    for (int j = 0; j < 9; ++j) {
        for (int i = 0; i < 9; ++i) people.add({i * a, j * a});
    }
    EXPECT_NEAR(people.densities()[4 * 9 + 4], 1 / (a * a), 1e-13);
}

TEST(PersonDensity, OfAHexagonalLattice)
{
    People people;
    const double a = 0.5;
    for (int j = 0; j < 11; ++j) {
        for (int i = 0; i < 11; ++i) people.add({(i + 0.5 * (j % 2)) * a, j * a * std::sqrt(3) / 2});
    }
    EXPECT_NEAR(people.densities()[5 * 11 + 5], 2 / (std::sqrt(3) * a * a), 1e-12);
}

TEST(PersonDensity, OfSomebodyAloneIsThatOfTheLargestCircle)
{
    People people;
    people.add({3, -2});
    EXPECT_NEAR(people.densities()[0], 1 / (4 * pi), 1e-15);
    EXPECT_NEAR(people.densities({.farthest = 1, .within = {}})[0], 1 / pi, 1e-15);
}

// Half of a circle, less the strip up to the wall: R² acos(d/R) − d √(R² − d²) lies behind the wall.
TEST(PersonDensity, IsCutAtAWallWhateverItsKind)
{
    const double distance = 0.4, r = 2;
    const double behind = r * r * std::acos(distance / r) - distance * std::sqrt(r * r - distance * distance);
    for (const int kind : {0, 1, 2}) {
        People people;
        people.add({0, distance});
        if (kind == 0) people.add_wall({-9, 0}, {9, 0});
        if (kind == 1) people.add_wall({-9, -0.3}, {9, -0.3}, 0.3);
        if (kind == 2) people.add_obstacle({5, 0}, people.shapes.add_half_space({0, 1}));
        EXPECT_NEAR(people.densities()[0], 1 / (pi * r * r - behind), 1e-14) << kind;
    }
}

// A disk of radius ρ at distance d hides the angle 2 asin(ρ/d); before it lies the kite of the tangents less its
// sector.
TEST(PersonDensity, IsCutBehindAPillar)
{
    People people;
    people.add({0, 0});
    const double rho = 0.3, d = 1.1, r = 2, half = std::asin(rho / d);
    people.add_pillar({d * std::cos(0.3), d * std::sin(0.3)}, rho);
    const double before = rho * std::sqrt(d * d - rho * rho) - rho * rho * (pi / 2 - half);
    EXPECT_NEAR(people.total_area(), r * r * (pi - half) + before, 1e-13);
}

TEST(PersonDensity, InARoundRoomIsOneOverItsArea)
{
    People people;
    people.add({0.5, 0.2});
    people.add_obstacle({0, 0}, people.shapes.add_hollow_ball(1));
    EXPECT_NEAR(people.total_area(), pi, 1e-13);
}

TEST(PersonDensity, AreasSumToThatOfTheRoom)
{
    Random random(3);
    for (int room = 0; room < 20; ++room) {
        People people;
        const Vec<2> size(2 + 6 * random.uniform(), 2 + 6 * random.uniform());
        for (int k = 0; k < 60; ++k) {
            people.add({size.x() * random.uniform(), size.y() * random.uniform()});
        }
        const CellOptions open{.farthest = 12, .within = Bounds<2>{Vec<2>::Zero(), size}};
        EXPECT_NEAR(people.total_area(open), size.x() * size.y(), 1e-11);
        people.add_room(Vec<2>::Zero(), size);
        EXPECT_NEAR(people.total_area({.farthest = 12, .within = {}}), size.x() * size.y(), 1e-11);
    }
}

TEST(PersonDensity, TheOtherSideOfAWallDoesNotCount)
{
    People people;
    people.add({0, 0.5});
    people.add_wall({-9, 0}, {9, 0});
    const double alone = people.densities()[0];
    people.add({0.1, -0.1});
    EXPECT_EQ(people.densities()[0], alone);
}

TEST(PersonDensity, OutlinesHaveTheAreaOfTheirCells)
{
    People people;
    Random random(5);
    for (int k = 0; k < 40; ++k) people.add({8 * random.uniform(), 8 * random.uniform()});
    people.add_room({-1, -1}, {9, 9});
    people.add_pillar({4, 10}, 1.5);
    for (const PersonCell& cell : person_cells(people.bodies, people.shapes, {.within = {}, .with_outlines = true})) {
        // chords of 3° miss 1 − sin φ/φ = 0.05 % of a circle
        EXPECT_NEAR(area_of(cell.outline), cell.area, 1e-3 * cell.area);
        double in_parts = 0;
        for (const double x : {-1.0, 4.0}) {
            for (const double y : {-1.0, 4.0}) in_parts += area_within(cell.outline, {{x, y}, {x + 5, y + 5}});
        }
        EXPECT_NEAR(in_parts, area_of(cell.outline), 1e-12);
    }
}

TEST(PersonDensity, HasTheSameBitsOnAnyNumberOfThreads)
{
    People people;
    Random random(7);
    for (int k = 0; k < 5000; ++k) people.add({40 * random.uniform(), 30 * random.uniform()});
    people.add_room({0, 0}, {40, 30});
    const int before = thread_count();
    set_thread_count(1);
    const std::vector<double> one = people.densities();
    set_thread_count(3);
    EXPECT_EQ(people.densities(), one);
    set_thread_count(before);
}

TEST(PersonDensity, NobodyAndOthersHaveNone)
{
    People people;
    EXPECT_TRUE(people.densities().empty());
    people.add_pillar({0, 0}, 1);
    EXPECT_EQ(people.densities(), std::vector<double>{0.0});
    people.add({0, 3});
    people.add({0, 3}); // at the same place: each has the ground that both share
    EXPECT_GT(people.densities()[1], 0);
    EXPECT_EQ(people.densities()[1], people.densities()[2]);
}

TEST(CrowdMap, CountsPersonsByAreaAndTime)
{
    People people;
    people.add({0.5, 0.5}, {1, 0});
    people.add({0.6, 0.5}, {0, 2});
    people.add({5, 5}, {3, 4}); // outside
    people.add_pillar({2.5, 1.5}, 0.1);
    CrowdMap map({{0, 0}, {3, 2}}, 0.5);
    ASSERT_EQ(map.nx(), 6);
    ASSERT_EQ(map.ny(), 4);
    map.add(people.bodies, people.shapes);
    people.bodies.position[0] = {2.9, 1.9};
    map.add(people.bodies, people.shapes);
    EXPECT_DOUBLE_EQ(map.density()[map.index(1, 1)], 3 / (0.25 * 2)); // two, then one
    EXPECT_DOUBLE_EQ(map.speed()[map.index(1, 1)], (1.0 + 2.0 + 2.0) / 3);
    EXPECT_DOUBLE_EQ(map.density()[map.index(5, 3)], 1 / (0.25 * 2));
    EXPECT_DOUBLE_EQ(map.speed()[map.index(5, 3)], 1);
    EXPECT_TRUE(std::isnan(map.speed()[0]));
    EXPECT_DOUBLE_EQ(map.service()[map.index(1, 1)], 5);
}

// Fruin gives the area of a person in square feet: 35, 25, 15, 10, 5.
TEST(LevelOfService, ChangesAtFruinsAreas)
{
    const double square_foot = 0.3048 * 0.3048; // [m²]
    int level = 0;
    for (const double area : {35, 25, 15, 10, 5}) {
        EXPECT_EQ(level_of_service(1 / (area * square_foot) - 1e-3), level);
        EXPECT_EQ(level_of_service(1 / (area * square_foot) + 1e-3), ++level);
    }
    EXPECT_EQ(service_names[std::size_t(level)], 'F');
}

} // namespace
} // namespace talus
