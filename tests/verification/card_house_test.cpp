// V37: two cards that lean on each other at their corners.
//
// A card of length L, thickness t and weight G leans at θ from the vertical. It stands on its lower inner edge and
// touches the other one at its upper inner edge; by symmetry the force there is level, N. Moments about the foot:
// N L cos θ = G (L sin θ − t cos θ)/2, and the foot holds while N ≤ μ G: μ ≥ ½ tan θ − t/(2L).
#include "scenes_in_tests.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

struct House {
    int dimension = 2;
    double lean = 30 * degree;          // θ
    double length = 0.1, thick = 0.002; // [m] L, t
    double place = 0;                   // [m] of the mirror plane along x
    double overlap = 0;                 // [m] of the two corners
    bool right_first = false;           // order of the bodies
    bool along_y = false;               // in space: the cards lean along y, not x

    std::string name() const
    {
        return fmt::format("lean {}, length {}, thickness {}, at {}, overlap {}, {} first, along {}", lean / degree,
                           length, thick, place, overlap, right_first ? "right" : "left", along_y ? 'y' : 'x');
    }
    double least_friction() const { return 0.5 * std::tan(lean) - 0.5 * thick / length; }
};

std::string card(const House& house, double side)
{
    const double s = std::sin(house.lean), c = std::cos(house.lean);
    // the foot at height 0, the head at the mirror plane
    const double away = 0.5 * (house.length * s + house.thick * c - house.overlap);
    const double high = 0.5 * (house.length * c + house.thick * s);
    if (house.dimension == 2) {
        return fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{:.17g}, {:.17g}]\nmaterial = \"card\"\n"
                           "position = [{:.17g}, {:.17g}]\nrotation = {:.17g}\n",
                           house.thick, house.length, house.place + side * away, high, side * house.lean);
    }
    const double width = 0.6 * house.length, angle = side * house.lean;
    return house.along_y
               ? fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{:.17g}, {:.17g}, {:.17g}]\nmaterial = \"card\"\n"
                             "position = [0, {:.17g}, {:.17g}]\nrotation = [{:.17g}, 0, 0]\n",
                             width, house.thick, house.length, house.place + side * away, high, angle)
               : fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{:.17g}, {:.17g}, {:.17g}]\nmaterial = \"card\"\n"
                             "position = [{:.17g}, 0, {:.17g}]\nrotation = [0, {:.17g}, 0]\n",
                             house.thick, width, house.length, house.place + side * away, high, -angle);
}

template <int D>
Simulation<D> build(const House& house, double friction)
{
    const double swing = std::sqrt(house.length / 9.81); // [s] time scale of the fall
    const std::string up = D == 2 ? "[0, 1]" : "[0, 0, 1]";
    return simulation_of<D>(fmt::format(R"(
[scene]
dimension = {}
dt = {:.17g}
duration = 100
[materials]
card = {{ density = 900 }}
[contact]
friction = {:.17g}
[[bodies]]
shape = "half_space"
normal = {}
material = "card"
motion = "fixed"
[[drivers]]
type = "gravity"
[solver]
tolerance = 1e-12
sweeps = 20000
)",
                                        D, 1e-2 * swing, friction, up) +
                            card(house, house.right_first ? 1 : -1) + card(house, house.right_first ? -1 : 1));
}

template <int D>
bool stands(const House& house, double friction)
{
    auto simulation = build<D>(house, friction);
    const double swing = std::sqrt(house.length / 9.81);
    advance(simulation, 3 * swing);
    // friction that is 0.5 % short of 0.28 leaves some 1e-3 g: a slip of 4e-3 √(gL) by now, and growing
    const double speed = std::max(simulation.bodies.velocity[1].norm(), simulation.bodies.velocity[2].norm());
    return speed < 1e-4 * std::sqrt(9.81 * house.length);
}

// What the floor bears under each card, upwards [N].
template <int D>
std::array<double, 2> loads(const House& house, double friction)
{
    auto simulation = build<D>(house, friction);
    for (int step = 0; step < 100; ++step) simulation.step();
    std::array<double, 2> load{};
    const auto& contacts = simulation.contacts;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts.antagonist[k] != 0) continue;
        load[std::size_t(contacts.candidate[k] - 1)] += contacts.impulse[k][D - 1] / simulation.clock.dt;
    }
    return load;
}

template <int D>
void expect_house(const House& house)
{
    const double least = house.least_friction();
    EXPECT_TRUE(stands<D>(house, 1.005 * least)) << "at a friction of " << 1.005 * least;
    EXPECT_FALSE(stands<D>(house, 0.995 * least)) << "at a friction of " << 0.995 * least;
    const auto [first, second] = loads<D>(house, 1.1 * least);
    const double volume = house.length * house.thick * (D == 3 ? 0.6 * house.length : 1);
    EXPECT_NEAR(first, 900 * 9.81 * volume, 1e-9 * first);
    EXPECT_NEAR(second, first, 1e-9 * first);
}

// The same house in other sizes, places and orders.
std::vector<House> variants(int dimension)
{
    std::vector<House> houses;
    const auto add = [&](House house) {
        house.dimension = dimension;
        houses.push_back(house);
    };
    add({});
    add({.lean = 40 * degree, .place = 1e3});
    add({.lean = 20 * degree, .right_first = true});
    add({.length = 1e2, .thick = 10, .along_y = true}); // stout
    add({.length = 1e-4, .thick = 1e-7});
    add({.overlap = 1e-4});
    add({.overlap = -1e-8}); // a gap that closes in the first step
    return houses;
}

} // namespace

TEST(V37CardHouse, OfPolygonsStandsFromTheFrictionOfTheClosedForm)
{
    for (const House& house : variants(2)) {
        SCOPED_TRACE(house.name());
        expect_house<2>(house);
    }
}

TEST(V37CardHouse, OfPolyhedraStandsFromTheFrictionOfTheClosedForm)
{
    for (const House& house : variants(3)) {
        SCOPED_TRACE(house.name());
        expect_house<3>(house);
    }
}
