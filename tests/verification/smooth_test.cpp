// Smooth contact with known answers: V23, V24, V25, bounces, and what friction holds (FORCES; MODEL §6).
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/simulation/dem_advice.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/smooth_dem.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// Two balls of 1 g that meet head on at 1 m/s; `dem`: keys of [dem].
std::string two_grains(const std::string& dem, double restitution = 1, const std::string& dt = "1e-6")
{
    return piece::start({.dimension = 3,
                         .dt = dt,
                         .duration = "1",
                         .more = "method = \"dem\"",
                         .materials = "steel = { density = 7800, young = 1e9, poisson = 0.3 }",
                         .contact = fmt::format("friction = 0\nrestitution = {}", restitution)}) +
           "[dem]\n" + piece::lines(dem) +
           piece::body("sphere", "radius = 0.01\nmass = 0.001\nposition = [-0.0101, 0, 0]\nvelocity = [1, 0, 0]",
                       "steel") +
           piece::body("sphere", "radius = 0.01\nmass = 0.001\nposition = [0.0101, 0, 0]", "steel");
}

struct Impact {
    double time = 0, deepest = 0, restitution = 0; // [s], [m]
};

Impact impact_of(const std::string& scene)
{
    auto simulation = simulation_of<3>(scene);
    Impact impact;
    const auto gap = [&] { return (simulation.bodies.position[1] - simulation.bodies.position[0]).norm() - 0.02; };
    const auto speed = [&] { return simulation.bodies.velocity[1][0] - simulation.bodies.velocity[0][0]; };
    // where a straight line between two steps crosses 0
    double begin = 0, before = gap();
    for (int step = 0; step < 200000; ++step) {
        simulation.step();
        const double now = gap(), dt = simulation.clock.dt, time = simulation.clock.time();
        if (before > 0 && now <= 0) begin = time - dt * now / (now - before);
        if (before <= 0 && now > 0) {
            impact.time = time - dt * now / (now - before) - begin;
            impact.restitution = speed();
            return impact;
        }
        impact.deepest = std::max(impact.deepest, -now);
        before = now;
    }
    ADD_FAILURE() << "no end of the contact";
    return impact;
}

// A disk that falls on the floor: heights of the first `count` apexes of its lowest point.
std::vector<double> apexes(double height, int count, const std::string& dem, double restitution)
{
    auto simulation = simulation_of<2>(
        piece::start({.dt = "1e-4",
                      .duration = "100",
                      .more = "method = \"dem\"",
                      .contact = fmt::format("friction = 0\nrestitution = {}", restitution)}) +
        "[dem]\n" + piece::lines(dem) + piece::floor(2) +
        piece::body("disk", fmt::format("radius = 0.05\nposition = [0, {}]", 0.05 + height)) + piece::gravity);
    std::vector<double> found;
    double before = -1;
    while (int(found.size()) < count) {
        simulation.step();
        const double speed = simulation.bodies.velocity[1][1];
        if (before > 0 && speed <= 0) found.push_back(simulation.bodies.position[1][1] - 0.05);
        before = speed;
    }
    return found;
}

} // namespace

TEST(V23LinearContact, LastsHalfAPeriod)
{
    // two grains of 1 g, effective mass 0.5 g: π √(m/k) = 0.7025 ms
    const Impact impact = impact_of(two_grains("stiffness = 1e4\ndamping = \"none\"\ndt = 1e-6"));
    EXPECT_NEAR(impact.time, 0.7025e-3, 1e-3 * 0.7025e-3);
    EXPECT_NEAR(impact.restitution, 1, 1e-5);
    EXPECT_NEAR(impact.deepest, std::sqrt(0.5e-3 / 1e4), 1e-3 * impact.deepest); // m v² = k δ²
}

TEST(V24Damping, GivesTheRestitutionItIsAskedFor)
{
    EXPECT_NEAR(damping_ratio(0.5), 0.2155, 1e-3 * 0.2155);
    for (const double wanted : {0.2, 0.5, 0.8}) {
        // the dashpot of FORCES pulls at the end: the contact of its formula ends when the overlap does
        const Impact pulling = impact_of(two_grains("stiffness = 1e4\ndt = 1e-6", wanted));
        EXPECT_NEAR(pulling.restitution, wanted, 1e-3) << "as in FORCES";
        const Impact pushing =
            impact_of(two_grains("stiffness = 1e4\ndamping = \"restitution_push\"\ndt = 1e-6", wanted));
        EXPECT_NEAR(pushing.restitution, wanted, 1e-3) << "clamped";
        EXPECT_GT(pushing.time, 0);
    }
}

// With the η of FORCES a clamped dashpot would give 0.550 instead of 0.5 (MODEL §6): each variant has its own.
TEST(V24Damping, DiffersBetweenItsVariants)
{
    const auto viscosity = [](SlotKind kind) {
        const ContactLaw law{.restitution = 0.5};
        const Material steel{"steel", 7800};
        const scene::Value none = scene::Value::table();
        return kind.numbers({law, steel, steel, none, 1e4, false})[0];
    };
    EXPECT_NEAR(viscosity(restitution_damping()), 2 * 0.21546, 1e-4);
    EXPECT_GT(viscosity(pushing_damping()), 1.1 * viscosity(restitution_damping()));
}

TEST(V25Hertz, LastsAsLongAsTheClosedForm)
{
    for (const char* law : {"normal = \"hertz\"\nhertz_stiffness = 1e6\ntangential_stiffness = 1e4",
                            "normal = \"hertz_material\"\ntangential = \"mindlin\""}) {
        const Impact impact = impact_of(two_grains(std::string(law) + "\ndamping = \"none\"\ndt = 2e-7", 1, "2e-7"));
        EXPECT_NEAR(impact.time, 2.9433 * impact.deepest, 1e-3 * impact.time) << law; // v = 1 m/s
        EXPECT_NEAR(impact.restitution, 1, 1e-5) << law;
    }
    // two balls of E* = E/2(1 − ν²), R* = R/2: δ^{5/2} = 5/4 m v²/k with k = 4/3 E* √R*
    const double k = 4.0 / 3.0 * 1e9 / (2 * (1 - 0.09)) * std::sqrt(0.005);
    const Impact impact =
        impact_of(two_grains("normal = \"hertz_material\"\ntangential = \"mindlin\"\ndamping = \"none\"\ndt = 2e-7"));
    EXPECT_NEAR(impact.deepest, std::pow(1.25 * 0.5e-3 / k, 0.4), 1e-3 * impact.deepest);
}

TEST(V25Hertz, RestitutionIsIndependentOfTheSpeed)
{
    const std::string law = "normal = \"hertz_material\"\ntangential = \"mindlin\"\ndt = 2e-7";
    const Impact impact = impact_of(two_grains(law, 0.5, "2e-7"));
    EXPECT_NEAR(impact.restitution, 0.5, 2e-3); // Tsuji's damper: e is exact but for round-off and O(h)
}

TEST(SmoothBounce, KeepsItsHeightForAHundredBounces)
{
    // a fifth of the longest step: where in a step a contact begins and ends changes the energy by its square
    const std::vector<double> heights = apexes(0.002, 100, "damping = \"none\"\nstiffness = 2e7\ndt = 1e-5", 1);
    for (const double height : heights) EXPECT_NEAR(height, 0.002, 2e-3 * 0.002);
}

TEST(SmoothBounce, LosesTheSquareOfRestitution)
{
    const std::vector<double> heights = apexes(0.1, 4, "stiffness = 2e9", 0.8);
    // weight acts during the contact, too: it takes k g/(v ω) of the speed, a few thousandths here
    for (std::size_t n = 1; n < heights.size(); ++n) EXPECT_NEAR(heights[n] / heights[n - 1], 0.64, 0.01);
}

// The ledger: kinetic + potential (with what springs hold) is what went in less what was lost, to the error of the
// integrator.
TEST(SmoothLedger, ClosesWithEveryIntegrator)
{
    for (const IntegratorKind& kind : integrator_kinds()) {
        double imbalance[2];
        for (const int halved : {0, 1}) {
            auto simulation = simulation_of<2>(
                piece::start({.dt = "1e-3",
                              .duration = "1",
                              .more = "method = \"dem\"",
                              .contact = "friction = 0.4\nrestitution = 0.6"}) +
                fmt::format("[dem]\nstiffness = 1e6\ndt = {}\nintegrator = \"{}\"\n", halved ? 5e-6 : 1e-5, kind.name) +
                piece::floor(2) + piece::body("disk", "radius = 0.05\nposition = [0, 0.06]\nvelocity = [0.5, -1]") +
                piece::body("disk", "radius = 0.03\nposition = [0.085, 0.06]\nvelocity = [-1, 0]\nspin = 20") +
                piece::gravity);
            advance(simulation, 0.2);
            EXPECT_GT(simulation.energy.friction, 0) << kind.name;
            EXPECT_GT(simulation.energy.impact, 0) << kind.name;
            imbalance[halved] = std::abs(simulation.energy_imbalance()) / simulation.energy.dissipated();
        }
        EXPECT_LT(imbalance[1], 5e-3) << kind.name;
        EXPECT_LT(imbalance[1], 0.75 * imbalance[0] + 1e-6) << kind.name << ": falls with the step";
    }
}

TEST(SmoothMomentum, IsKeptByACollidingCluster)
{
    auto simulation = simulation_of<3>(
        piece::start({.dimension = 3,
                      .dt = "1e-4",
                      .more = "method = \"dem\"",
                      .contact = "friction = 0.5\nrestitution = 0.4"}) +
        "[dem]\nstiffness = 1e5\n" +
        piece::generator("lattice", "[0, 0, 0]", "[0.08, 0.08, 0.08]", "radius = 0.01\ncount = 27\nspacing = 0.0201") +
        piece::body("sphere",
                    "radius = 0.02\nposition = [-0.05, 0.035, 0.03]\nvelocity = [3, 0.2, 0.1]\nspin = [5, 20, -9]"));
    const Vec<3> momentum = simulation.momentum(), angular = simulation.angular_momentum();
    advance(simulation, 0.05);
    EXPECT_GT(simulation.contacts.size() + std::size_t(simulation.energy.friction > 0), 0u);
    EXPECT_LT((simulation.momentum() - momentum).norm(), 1e-12 * momentum.norm()); // V29
    // one common contact point; positions and velocities of leapfrog are half a kick apart in between, not at the end
    EXPECT_LT((simulation.angular_momentum() - angular).norm(), 1e-9 * angular.norm());
}

// A disk that slides: to 2/3 v0 at 0.1699 s after 0.1416 m (V4), whatever the friction law.
TEST(SmoothFriction, SlidesThenRolls)
{
    for (const char* law : {"tangential = \"history\"", "tangential = \"regularised\"\nsliding_viscosity = 1e4"}) {
        auto simulation = simulation_of<2>(
            piece::start({.dt = "1e-4", .more = "method = \"dem\"", .contact = "friction = 0.2\nrestitution = 0.1"}) +
            fmt::format("[dem]\nstiffness = 1e8\n{}\n", law) + piece::floor(2) +
            piece::body("disk", "radius = 0.1\nposition = [0, 0.1]\nvelocity = [1, 0]") + piece::gravity);
        double slid = 0;
        while (simulation.clock.time() < 0.3) {
            simulation.step();
            const double sliding = simulation.bodies.velocity[1][0] + 0.1 * simulation.bodies.spin[1][0];
            if (sliding > 5e-3) slid = simulation.clock.time();
        }
        EXPECT_NEAR(slid, 0.1699, 0.01 * 0.1699) << law; // the last half per cent of the speed is not looked for
        EXPECT_NEAR(simulation.bodies.velocity[1][0], 2.0 / 3, 2e-3) << law;
    }
}

// On a slope below the friction angle a spring with history holds a disk that cannot turn; friction that is
// proportional to the velocity lets it creep at m g sin θ/k_t.
TEST(SmoothFriction, HoldsAtRestOnlyWithHistory)
{
    const double angle = 20 * degree, viscosity = 500; // [N s/m]
    for (const bool history : {true, false}) {
        const std::string law = history
                                    ? "tangential = \"history\""
                                    : fmt::format("tangential = \"regularised\"\nsliding_viscosity = {}", viscosity);
        auto simulation = simulation_of<2>(
            piece::start({.dt = "1e-3", .more = "method = \"dem\"", .contact = "friction = 0.5\nrestitution = 0.2"}) +
            fmt::format("[dem]\nstiffness = 1e7\n{}\n", law) + piece::floor(2) +
            piece::body("disk", "radius = 0.1\nposition = [0, 0.1]\nmotion = [\"x\", \"y\"]") +
            fmt::format("[[drivers]]\ntype = \"gravity\"\nacceleration = [{}, {}]\n", 9.81 * std::sin(angle),
                        -9.81 * std::cos(angle)));
        advance(simulation, 1.5); // the sliding one reaches its speed in m/k_t = 0.13 s
        const double place = simulation.bodies.position[1][0];
        advance(simulation, 2.5);
        const double crept = simulation.bodies.position[1][0] - place; // [m] in 1 s
        const double weight = 2000 * M_PI * 0.01 * 9.81;
        EXPECT_NEAR(crept, history ? 0 : weight * std::sin(angle) / viscosity, history ? 1e-9 : 1e-4);
    }
}

// A ball that rolls is stopped by rolling resistance after v²/(2 a), a = μ_r g/R × 1/(1 + 2/5) (V3's sphere).
TEST(SmoothRolling, StopsAtTheDistanceOfTheLaw)
{
    auto simulation = simulation_of<3>(
        piece::start({.dimension = 3,
                      .dt = "1e-3",
                      .duration = "20",
                      .more = "method = \"dem\"",
                      .contact = "friction = 0.8\nrestitution = 0.2\nrolling_friction = 0.002"}) +
        "[dem]\nstiffness = 1e6\n" + piece::floor(3) +
        piece::body("sphere", "radius = 0.05\nposition = [0, 0, 0.05]\nvelocity = [0.3, 0, 0]\nspin = [0, 6, 0]") +
        piece::gravity);
    const double slowing = 9.81 * 0.002 / 0.05 / 1.4; // [m/s²]
    advance(simulation, 3);
    EXPECT_NEAR(simulation.bodies.position[1][0], 0.3 * 0.3 / (2 * slowing), 0.03 * 0.16);
    EXPECT_LT(std::abs(simulation.bodies.velocity[1][0]), 1e-4);
    const double place = simulation.bodies.position[1][0];
    advance(simulation, 4);
    EXPECT_NEAR(simulation.bodies.position[1][0], place, 1e-6); // it stays
}

// Short-range cohesion holds a ball under a ceiling as long as its weight is below F_max.
TEST(SmoothCohesion, HoldsWhatWeighsLess)
{
    for (const double strength : {0.9, 1.1}) { // of the weight
        const double weight = 1000 * 4.0 / 3.0 * M_PI * 1e-9 * 9.81;
        auto simulation = simulation_of<3>(
            piece::start({.dimension = 3,
                          .dt = "1e-5",
                          .more = "method = \"dem\"",
                          .materials = "stone = { density = 1000 }",
                          .contact = "friction = 0.5\nrestitution = 0.1"}) +
            fmt::format(
                "[dem]\nstiffness = 10\ncohesion = \"short_range\"\ncohesion_force = {}\ncohesion_range = 2e-5\n",
                strength * weight) +
            piece::body("half_space", "normal = [0, 0, -1]\nmotion = \"fixed\"") +
            piece::body("sphere", "radius = 1e-3\nposition = [0, 0, -1e-3]") + piece::gravity);
        advance(simulation, 0.03);
        const bool holds = simulation.bodies.position[1][2] > -1.02e-3;
        EXPECT_EQ(holds, strength > 1) << simulation.bodies.position[1][2];
    }
}

// Advice of FORCES: a drop of 1 m, a push at 5 m/s, a column; the largest decides, and the overlap is a hundredth of R.
TEST(SmoothAdvice, KeepsTheOverlapNearAHundredthOfARadius)
{
    auto simulation =
        simulation_of<2>(piece::start({.dt = "1e-4", .more = "method = \"dem\"", .contact = "restitution = 1"}) +
                         "[dem]\ndamping = \"none\"\n" + piece::floor(2) +
                         piece::body("disk", "radius = 0.05\nposition = [0, 1]") + piece::gravity);
    double deepest = 0;
    while (simulation.clock.time() < 0.6) {
        simulation.step();
        for (const double gap : simulation.contacts.gap) deepest = std::max(deepest, -gap);
    }
    EXPECT_LT(deepest, 1.05 * 0.05 / 100);
    EXPECT_GT(deepest, 0.5 * 0.05 / 100);
}

// What `talus check` prints: a disk that falls 1 m is ruled by its fall, one that is thrown by its speed.
TEST(SmoothAdvice, TellsTheRuleThatDecided)
{
    const auto told = [](const std::string& dem, const std::string& velocity = "") {
        const scene::Value scene = checked(io::parse_scene(
            piece::start({.more = "method = \"dem\"", .contact = "restitution = 0.5"}) + "[dem]\n" + piece::lines(dem) +
                piece::floor(2) + piece::body("disk", "radius = 0.05\nposition = [0, 1]\n" + velocity) + piece::gravity,
            "test.toml"));
        std::string all;
        for (const std::string& line : method_of(scene).choices(assemble<2>(scene), scene)) all += line + "\n";
        return all;
    };
    EXPECT_NE(told("").find("N/m, free fall"), std::string::npos) << told("");
    EXPECT_NE(told("", "velocity = [50, 0]").find("N/m, forced"), std::string::npos);
    EXPECT_NE(told("stiffness = 1e6").find("1e+06 N/m, given; free fall"), std::string::npos);
    EXPECT_NE(told("stiffness = 1e6\ndt = 1e-5").find("1e-05 s, 100 in a step; given; at most 0.00044"),
              std::string::npos)
        << told("stiffness = 1e6\ndt = 1e-5");
    EXPECT_EQ(told("normal = \"hertz\"\nhertz_stiffness = 1e9\ntangential = \"none\"").find("stiffness"),
              std::string::npos);
}

TEST(SmoothInput, IsRefusedByNameWithTheNumberThatWouldBeRight)
{
    const auto scene = [](const std::string& dem, const std::string& contact = "friction = 0.5\nrestitution = 0.5",
                          const std::string& shape = "disk", const std::string& keys = "radius = 0.05") {
        return piece::start({.more = "method = \"dem\"", .contact = contact}) + "[dem]\n" + piece::lines(dem) +
               piece::floor(2) + piece::body(shape, keys + "\nposition = [0, 1]") + piece::gravity;
    };
    const std::string too_long = refusal<2>(scene("stiffness = 1e6\ndt = 1e-3"));
    EXPECT_NE(too_long.find("at most 0.00044"), std::string::npos) << too_long; // 0.05 π √(m/2k)
    EXPECT_NO_THROW(simulation_of<2>(scene("stiffness = 1e6\ndt = 1e-3\nforce_dt = true")));
    const std::string no_modulus = refusal<2>(scene("normal = \"hertz_material\"\ntangential = \"none\""));
    EXPECT_NE(no_modulus.find("needs materials.stone.young"), std::string::npos) << no_modulus;
    const std::string no_radius = refusal<2>(scene("cohesion = \"jkr\"\njkr_cohesion = 1", "restitution = 0.5",
                                                   "polygon", "vertices = [[0, 0], [0.1, 0], [0, 0.1]]"));
    EXPECT_NE(no_radius.find("needs a radius"), std::string::npos) << no_radius;
    const std::string clamped = refusal<2>(scene("damping = \"restitution_push\"", "restitution = 0"));
    EXPECT_NE(clamped.find("0.001 or more"), std::string::npos) << clamped;
    const std::string idle = refusal<2>(scene("normal_damping = 3"));
    EXPECT_NE(idle.find("has no effect"), std::string::npos) << idle;
    // restitution 0 and a very soft spring are allowed, and said
    const auto said = [&](const std::string& toml) {
        const scene::Value checked_scene = checked(io::parse_scene(toml, "test.toml"));
        std::string all;
        for (const std::string& line : warnings(assemble<2>(checked_scene), checked_scene)) all += line + "\n";
        return all;
    };
    EXPECT_NE(said(scene("", "restitution = 0")).find("restitution = 0.05"), std::string::npos);
    EXPECT_NE(said(scene("stiffness = 1000")).find("pass through each other"), std::string::npos);
}
