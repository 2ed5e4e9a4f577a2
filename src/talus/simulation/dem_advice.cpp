#include "talus/simulation/dem_advice.hpp"

#include "talus/base/error.hpp"
#include "talus/laws/smooth/slot_kind.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/generator_kind.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus {

namespace {

constexpr double deepest = 0.01;      // overlap over the radius
constexpr double share = 0.05;        // of the half period of a contact that a step may take
constexpr double steps_of_hertz = 30; // in a contact
constexpr double share_of_rayleigh = 0.2;

struct Ball {
    double radius, mass; // [m], [kg]
    std::int32_t material;
    double lightest; // [kg] effective mass against a wall, the least of any point of contact
};

// Bodies that can move, and those that feeders will bring.
template <int D>
std::vector<Ball> movable(const Simulation<D>& simulation, const scene::Value& scene)
{
    std::vector<Ball> balls;
    const BodyTable<D>& bodies = simulation.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double radius = bounding_radius(simulation.shapes, bodies.shape[i]);
        if (bodies.is_passive(i) || !std::isfinite(radius)) continue;
        // a shape pushed at a corner turns, and a face rests on several springs
        const bool is_round = simulation.shapes[bodies.shape[i]].kind == ShapeKind::ball;
        const double turning = radius * radius / bodies.inertia[i].minCoeff();
        const double lightest =
            is_round ? bodies.mass[i] : 1 / std::max(most_points / bodies.mass[i], 1 / bodies.mass[i] + turning);
        balls.push_back({radius, bodies.mass[i], bodies.material[i], lightest});
    }
    for (const scene::Value& generator : scene.at("generators").list()) {
        const scene::Value* radius = generator.find("radius");
        if (!kind_of_generator(generator).bodies_to_come || !radius) continue;
        const std::int32_t material = simulation.materials.index(generator.at("material").text());
        for (const double r : radius->is_number() ? std::vector<double>{radius->number()} : radius->numbers()) {
            const double mass = simulation.materials[material].density * ball_volume<D>(r);
            balls.push_back({r, mass, material, mass});
        }
    }
    return balls;
}

// Weight, and the height between the highest grain, there or to come, and the lowest place; at least that of the
// largest.
template <int D>
void measure_fall(const Simulation<D>& simulation, const scene::Value& scene, const std::vector<Ball>& balls,
                  DemScales& scales)
{
    Vec<D> gravity = Vec<D>::Zero();
    for (const scene::Value& driver : scene.at("drivers").list()) {
        if (driver.at("type").is_text("gravity")) gravity += vector_of<D>(driver.at("acceleration"));
    }
    scales.gravity = gravity.norm();
    if (scales.gravity == 0) return;
    const Vec<D> up = -gravity / scales.gravity;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const BodyTable<D>& bodies = simulation.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        low = std::min(low, up.dot(bodies.position[i]));
        if (!bodies.is_passive(i)) high = std::max(high, up.dot(bodies.position[i]));
    }
    for (const scene::Value& generator : scene.at("generators").list()) {
        if (!kind_of_generator(generator).bodies_to_come) continue;
        for (const char* corner : {"lower", "upper"}) {
            const double height = up.dot(vector_of<D>(generator.at(corner)));
            low = std::min(low, height);
            high = std::max(high, height);
        }
    }
    scales.height = high - low;
    for (const Ball& ball : balls) scales.height = std::max(scales.height, 2 * ball.radius);
}

template <int D>
DemScales scales_of(const Simulation<D>& simulation, const scene::Value& scene, const std::vector<Ball>& balls)
{
    DemScales scales;
    measure_fall(simulation, scene, balls, scales);
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        scales.fastest = std::max(scales.fastest, simulation.bodies.velocity[i].norm());
    }
    for (const auto& driver : simulation.drivers) scales.fastest = std::max(scales.fastest, driver->top_speed());
    for (const Ball& ball : balls) scales.smallest_mass = std::min(scales.smallest_mass, 0.5 * ball.lightest);
    const scene::Value& given = scene.at("dem").at("fastest");
    if (given.is_number()) scales.fastest = given.number();
    return scales;
}

// FORCES: forced, free fall, static column.
template <int D>
void advise_stiffness(DemAdvice& advice, const Simulation<D>& simulation, const DemScales& scales,
                      const std::vector<Ball>& balls, bool speed_is_given)
{
    DemRule forced{"forced, m v²/δ²", 0}, fall{"free fall, 2 m g h/δ²", 0}, column{"column, weight above/δ", 0};
    for (const Ball& ball : balls) {
        const double depth = deepest * ball.radius;
        const double above = D == 2 ? 2 * ball.radius * scales.height : 4 * ball.radius * ball.radius * scales.height;
        forced.value = std::max(forced.value, ball.mass * std::pow(scales.fastest / depth, 2));
        fall.value = std::max(fall.value, 2 * ball.mass * scales.gravity * scales.height / (depth * depth));
        column.value =
            std::max(column.value, above * simulation.materials[ball.material].density * scales.gravity / depth);
    }
    for (const DemRule& rule : {forced, fall, column}) {
        if (speed_is_given && &rule != &forced && rule.name == fall.name) continue; // the user knows the speeds
        if (rule.value > 0) advice.stiffnesses.push_back(rule);
        if (rule.value <= advice.stiffness) continue;
        advice.stiffness = rule.value;
        advice.stiffness_rule = rule.name;
    }
}

// Contact time of Hertz at the largest speed, δ_max from m v²/2 = 2/5 k δ^{5/2}; and Rayleigh's wave round a grain.
template <int D>
void advise_hertz_dt(DemAdvice& advice, const Simulation<D>& simulation, const scene::Value& scene,
                     const DemScales& scales, const std::vector<Ball>& balls)
{
    const bool speed_is_given = scene.at("dem").at("fastest").is_number(); // the user knows the speeds
    const double speed =
        speed_is_given ? scales.fastest : std::max(scales.fastest, std::sqrt(2 * scales.gravity * scales.height));
    const bool by_material = scene.at("dem").at("normal").is_text("hertz_material");
    advice.longest_dt = std::numeric_limits<double>::infinity();
    const auto take = [&](double dt, const char* rule) {
        if (!(dt < advice.longest_dt)) return;
        advice.longest_dt = dt;
        advice.dt_rule = rule;
    };
    for (const Ball& ball : balls) {
        for (std::int32_t other = 0; other < std::int32_t(simulation.materials.size()); ++other) {
            const PairConstants pair{simulation.materials.law(ball.material, other),
                                     simulation.materials[ball.material],
                                     simulation.materials[other],
                                     scene.at("dem"),
                                     0,
                                     true};
            const double k = by_material ? 4.0 / 3.0 * pair.effective_young() * std::sqrt(0.5 * ball.radius)
                                         : scene.at("dem").at("hertz_stiffness").number();
            const double depth = std::pow(1.25 * 0.5 * ball.mass * speed * speed / k, 0.4);
            if (speed > 0)
                take(2.94 * depth / speed / steps_of_hertz, "a thirtieth of Hertz' contact at the largest speed");
        }
        const Material& material = simulation.materials[ball.material];
        if (!by_material) continue;
        const double shear = material.young / (2 * (1 + material.poisson));
        const double density = ball.mass / ball_volume<D>(ball.radius);
        take(share_of_rayleigh * M_PI * ball.radius * std::sqrt(density / shear) / (0.1631 * material.poisson + 0.8766),
             "a fifth of Rayleigh's time");
    }
}

} // namespace

template <int D>
DemAdvice dem_advice(const Simulation<D>& simulation, const scene::Value& scene)
{
    const scene::Value& dem = scene.at("dem");
    const std::vector<Ball> balls = movable(simulation, scene);
    const DemScales scales = scales_of(simulation, scene, balls);
    DemAdvice advice;
    advise_stiffness(advice, simulation, scales, balls, dem.at("fastest").is_number());
    const bool hertzian = scene::find_kind(slot_kinds(LawSlot::normal), dem.at("normal").text())->is_hertzian;
    if (dem.at("stiffness").is_number()) {
        advice.stiffness = dem.at("stiffness").number();
        advice.stiffness_rule = "given";
    }
    if (hertzian) {
        advise_hertz_dt(advice, simulation, scene, scales, balls);
    } else if (!balls.empty()) {
        if (!(advice.stiffness > 0)) {
            throw InputError(
                {mistake(dem.at("stiffness"), "nothing moves, falls or weighs, so none can be advised: give "
                                              "dem.stiffness, or dem.fastest")});
        }
        advice.longest_dt = share * M_PI * std::sqrt(scales.smallest_mass / advice.stiffness);
        advice.dt_rule = "0.05 π √(m/k), m the smallest effective mass";
    }
    if (!std::isfinite(advice.longest_dt) || !(advice.longest_dt > 0)) {
        advice.longest_dt = simulation.clock.dt;
        advice.dt_rule = "scene.dt: nothing asks for less";
    }
    return advice;
}

template DemAdvice dem_advice(const Simulation<2>&, const scene::Value&);
template DemAdvice dem_advice(const Simulation<3>&, const scene::Value&);

} // namespace talus
